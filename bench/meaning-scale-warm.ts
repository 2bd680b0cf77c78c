/** Child of meaning-scale.ts: times of warm fused questions, and of the encoder alone on the same questions. */
import { readFileSync } from "node:fs";
import { openPackage } from "../src/index.js";
import { median } from "./measures.js";

const [file, questions] = process.argv.slice(2) as [string, string];
const pkg = await openPackage(file, { secret: process.env.MDCX_KEY! });
const asked = JSON.parse(readFileSync(questions, "utf8")) as string[];

async function times(ask: (question: string) => Promise<unknown>): Promise<number[]> {
  // The second question makes what later ones use: the index of grams, the whole tokeniser.
  for (const text of asked.slice(0, 20)) await ask(text);
  const all: number[] = [];
  for (const text of asked) {
    const started = performance.now();
    await ask(text);
    all.push(performance.now() - started);
  }
  return all.sort((a, b) => a - b);
}

const fused = await times((text) => pkg.search(text));
const words = await times((text) => pkg.search(text, { mode: "words" }));
const meaning = await times((text) => pkg.search(text, { mode: "meaning" }));
const encoder = await times((text) => pkg.meaning.encoder!.encode([text], "query"));
console.log(
  JSON.stringify({
    fused: { p50: median(fused), p95: fused[Math.floor(0.95 * fused.length)] },
    words: median(words),
    meaning: median(meaning),
    encoder: median(encoder),
    megabytes: process.memoryUsage().rss / 1e6,
  }),
);
await pkg.close();
