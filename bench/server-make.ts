/** Child of server.ts: packs the synthetic collections that are not there yet, each with likely vectors and of its own seed. */
import { existsSync } from "node:fs";
import { openEncoder, packDocuments, parseSecret, type DocumentInput } from "../src/pack-entry.js";
import { LikelyVectors } from "./likely-vectors.js";
import { readSet } from "./retrieval-sets.js";
import { syntheticDocuments } from "./synthetic.js";

const [data, passages, ...targets] = process.argv.slice(2) as [string, string, ...string[]];
const secret = parseSecret(process.env.MDCX_KEY!);

function* collection(number: number): Generator<DocumentInput> {
  for (const { path, markdown } of syntheticDocuments(data, Number(passages), 1 + number))
    yield {
      path: `collection-${number}/${path}`,
      format: "markdown",
      read: () => Promise.resolve(new TextEncoder().encode(markdown)),
    };
}

const texts = readSet(data, "scifact-train").documents.map(({ title, text }) => `${title}\n${text}`);
const encoder = await LikelyVectors.from(openEncoder(), texts);
for (const [number, target] of targets.entries()) {
  if (existsSync(target)) continue;
  const title = `Collection ${number}`;
  await packDocuments([...collection(number)], target, { slots: [{ secret }], encoder, title });
  process.stderr.write(`… ${title}\n`);
}
await encoder.close();
