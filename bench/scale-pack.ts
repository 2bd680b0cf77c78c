/** Child of scale.ts: packs the synthetic collection, made on the way, and prints the key and the size of the Markdown. */
import { primitives } from "#primitives";
import { formatKey } from "../src/index.js";
import { packDocuments, type DocumentInput } from "../src/pack-entry.js";
import { syntheticDocuments } from "./synthetic.js";

const [data, passages, target] = process.argv.slice(2) as [string, string, string];
const paths = Array.from(syntheticDocuments(data, Number(passages)), ({ path }) => path);
const made = syntheticDocuments(data, Number(passages));
const encoder = new TextEncoder();
const documents = paths.map((path): DocumentInput => ({
  path,
  format: "markdown",
  read: () => {
    const next = made.next();
    if (next.done === true || next.value.path !== path) throw new Error(`${path} was asked for out of order`);
    return Promise.resolve(encoder.encode(next.value.markdown));
  },
}));
const key = primitives.randomBytes(32);
const summary = await packDocuments(documents, target, { slots: [{ secret: { kind: "key", bytes: key } }] });
console.log(JSON.stringify({ key: formatKey(primitives, key), ...summary }));
