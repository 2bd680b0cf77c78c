/** Child of meaning-scale.ts: packs the synthetic collection with likely vectors, or real documents with the real model. */
import { readFileSync } from "node:fs";
import { openEncoder, packDocuments, parseSecret, type DocumentInput } from "../src/pack-entry.js";
import { LikelyVectors } from "./likely-vectors.js";
import { readSet } from "./retrieval-sets.js";
import { syntheticDocuments } from "./synthetic.js";
import { VectorCache } from "./vector-cache.js";

const [what, data, size, target] = process.argv.slice(2) as ["likely" | "real", string, string, string];
const secret = parseSecret(process.env.MDCX_KEY!);
const real = openEncoder();

function markdown(path: string, text: string): DocumentInput {
  return { path, format: "markdown", read: () => Promise.resolve(new TextEncoder().encode(text)) };
}

const started = performance.now();
let documents: DocumentInput[];
let encoder;
if (what === "likely") {
  const texts = readSet(data, "scifact-train").documents.map(({ title, text }) => `${title}\n${text}`);
  encoder = await LikelyVectors.from((await VectorCache.open(real)).asEncoder(), texts);
  documents = [...syntheticDocuments(data, Number(size))].map(({ path, markdown: text }) => markdown(path, text));
} else {
  encoder = real;
  documents = readSet(data, "cranfield")
    .documents.slice(0, Number(size))
    .map(({ id, title, text }) => markdown(`${id}.md`, `# ${title}\n\n${text}\n`));
}
const summary = await packDocuments(documents, target, { slots: [{ secret }], encoder });
const seconds = (performance.now() - started) / 1000;
await real.close();
console.log(JSON.stringify({ seconds, meaning: summary.meaning, bytes: readFileSync(target).length }));
