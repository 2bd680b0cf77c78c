/** Child of compare.ts: writes a synthetic collection for all engines. `collection-make.js DATA PASSAGES FOLDER MEANING`. */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { openEncoder } from "../../src/pack-entry.js";
import { cutPassages } from "../../src/text/passages.js";
import { LikelyVectors } from "../likely-vectors.js";
import { readSet } from "../retrieval-sets.js";
import { questionsOf } from "../scale.js";
import { syntheticDocuments } from "../synthetic.js";
import { VectorCache } from "../vector-cache.js";
import { Collection } from "./collection.js";

/** Vectors made and written in one go. */
const BATCH = 1000;

const [data, size, folder, meaning] = process.argv.slice(2) as [string, string, string, "meaning" | "words"];
const collection = new Collection(folder);
mkdirSync(folder, { recursive: true });
const lines = openSync(collection.lines, "w");
let [markdownBytes, passages] = [0, 0];
for (const { path, markdown } of syntheticDocuments(data, Number(size))) {
  const file = join(collection.documents, path);
  mkdirSync(dirname(file), { recursive: true });
  const bytes = Buffer.from(markdown);
  writeFileSync(file, bytes);
  markdownBytes += bytes.length;
  let cut = "";
  for (const { start, end } of cutPassages(markdown)) {
    cut += `${JSON.stringify([path, bytes.toString("utf8", start, end)])}\n`;
    passages++;
  }
  writeSync(lines, cut);
}
closeSync(lines);
const questions = questionsOf(data);
writeFileSync(collection.questionFile, JSON.stringify(questions));

if (meaning === "meaning") {
  const encoder = openEncoder();
  // Kept where the engine that asks with the model's own questions finds them again.
  const cache = await VectorCache.open(encoder);
  const asked = await cache.encode(questions, "query");
  writeFileSync(join(folder, "questions.f32"), new Uint8Array(asked.buffer, asked.byteOffset, asked.byteLength));
  const texts = readSet(data, "scifact-train").documents.map(({ title, text }) => `${title}\n${text}`);
  const likely = await LikelyVectors.from(cache.asEncoder(), texts);
  const vectors = openSync(join(folder, "passages.f32"), "w");
  for (let made = 0; made < passages; made += BATCH) {
    const batch = await likely.encode(Array<string>(BATCH).fill(""), "passage");
    const rows = Math.min(BATCH, passages - made);
    writeSync(vectors, new Uint8Array(batch.vectors.buffer, 0, (rows * batch.vectors.byteLength) / BATCH));
  }
  closeSync(vectors);
  await encoder.close();
}
// Last: a folder without it is one that was broken off.
writeFileSync(join(folder, "facts.json"), JSON.stringify({ markdownBytes, passages }));
