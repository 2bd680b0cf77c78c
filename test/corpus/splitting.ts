import { Corpus, type Package, type Reply, type SearchOptions } from "../../src/index.js";
import type { Folder } from "../package/in-memory.js";

/** A collection in `count` packages, each document in one of them by `homeOf`; parts without a document are none. */
export async function splitCorpus(
  folder: Folder,
  count: number,
  homeOf: (document: number) => number,
  open: (part: Folder) => Promise<Package>,
): Promise<Corpus> {
  const parts = Array.from({ length: count }, (): Record<string, string | Uint8Array> => ({}));
  Object.entries(folder).forEach(([path, content], i) => (parts[homeOf(i) % count]![path] = content));
  const packages: Package[] = [];
  for (const part of parts) if (Object.keys(part).length > 0) packages.push(await open(part));
  return new Corpus(packages);
}

/** What an answer says of the collection, whatever packages it is in: all but names of packages and what each of them says. */
export interface Answer extends Pick<Reply, "found" | "matched" | "readAs" | "similarity" | "hint"> {
  /** Path, ordinal, and what found it. */
  readonly passages: readonly string[];
}

export async function answerOf(corpus: Corpus, question: string, options: SearchOptions): Promise<Answer> {
  const { passages, found, matched, readAs, similarity, hint } = await corpus.search(question, options);
  const called = passages.map(({ document, id, foundBy }) => `${document} ${id.split("/")[2]!} ${foundBy.join("+")}`);
  return {
    passages: called,
    found,
    matched,
    readAs,
    ...(similarity !== undefined && { similarity }),
    ...(hint !== undefined && { hint }),
  };
}

/** Numbers from 0 to 1, the same for the same seed (a linear congruential generator). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
