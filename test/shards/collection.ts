import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Corpus, openPackage, type Secret, type SearchOptions } from "../../src/index.js";
import { answerOf } from "../corpus/splitting.js";

/** Several packages as one corpus, as they are mounted together. */
export async function mounted(files: readonly string[], secret: Secret): Promise<Corpus> {
  return new Corpus(await Promise.all(files.map((file) => openPackage(file, { secret }))));
}

/** A corpus that answers differently, and to what; undefined where it says the same to every question. */
export async function firstDifference(
  whole: Corpus,
  parts: Corpus,
  questions: readonly string[],
  options: SearchOptions,
): Promise<{ readonly question: string; readonly whole: unknown; readonly parts: unknown } | undefined> {
  for (const question of questions) {
    const [a, b] = [await answerOf(whole, question, options), await answerOf(parts, question, options)];
    if (JSON.stringify(a) !== JSON.stringify(b)) return { question, whole: a, parts: b };
  }
  return undefined;
}

/** Questions made of the words of a folder's own documents, the same at every run: three neighbours, and three from far apart. */
export function questionsAbout(folder: string, count: number): string[] {
  const words = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|txt)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .sort()
    .flatMap((text) => text.match(/\p{L}[\p{L}\p{M}]{3,}/gu) ?? []);
  const step = Math.floor(words.length / count);
  return Array.from({ length: count }, (_, i) => {
    const at = i * step;
    const chosen = i % 2 === 0 ? [at, at + 1, at + 2] : [at, (at * 7) % words.length, (at * 31) % words.length];
    return chosen.map((word) => words[word % words.length]!).join(" ");
  });
}
