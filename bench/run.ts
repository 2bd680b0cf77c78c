/**
 * `npm run bench [quality|container|words|warnings|scale|convert [FORMAT …] …] [--json FILE]`: every figure of the README, with the peers in the
 * same run. Needs the retrieval sets (MDCX_DATA, or ../shared/data beside the checkout). Vectors are kept between runs in the
 * folder MDCX_BENCH_CACHE.
 */
import { writeFileSync } from "node:fs";
import { conversionReport, measureConversion } from "./convert.js";
import { measureSealing } from "./container-seal.js";
import { openEncoder } from "../src/node/encoder/open.js";
import { measureWarnings, warningTable } from "./meaning-warnings.js";
import { measureQuality, qualityTable } from "./quality.js";
import { dataFolder } from "./retrieval-sets.js";
import { measureScale, scaleTable } from "./scale.js";
import { VectorCache } from "./vector-cache.js";
import { measureWordSpeed } from "./words-speed.js";

const PARTS = ["quality", "container", "words", "warnings", "scale", "convert"] as const;

const args = process.argv.slice(2);
const jsonAt = args.indexOf("--json");
const jsonFile = jsonAt < 0 ? undefined : args.splice(jsonAt, 2)[1];
const convertAt = args.indexOf("convert");
const formats = convertAt < 0 ? [] : args.splice(convertAt + 1);
const asked = args.length === 0 ? [...PARTS] : args;
const unknown = asked.filter((part) => !PARTS.some((one) => one === part));
if (unknown.length > 0) throw new Error(`There is no bench ${unknown.join(", ")}: ${PARTS.join(", ")}.`);
const data = dataFolder();
if (data === undefined)
  throw new Error("The retrieval sets are not here: set MDCX_DATA to the folder of the shared data.");

const note = (text: string): void => {
  process.stderr.write(`… ${text}\n`);
};
const results: Record<string, unknown> = { node: process.version, date: new Date().toISOString() };

if (asked.includes("container")) {
  console.log("\n## Sealing and opening, next to the platform's AES-GCM on pieces of 16 KiB\n");
  const rows = await measureSealing();
  results.container = rows;
  console.table(rows);
}
if (asked.includes("words")) {
  console.log("\n## The word index alone, 100,000 passages\n");
  results.words = await measureWordSpeed(data, 100_000);
  console.log(results.words);
}
if (asked.includes("quality")) {
  console.log("\n## Ranking by words, next to MiniSearch and wink\n");
  const quality = await measureQuality(data, {
    onResult: ({ set, engine }) => {
      note(`${set} ${engine}`);
    },
  });
  results.quality = quality;
  console.log(qualityTable(quality));
}
if (asked.includes("warnings")) {
  console.log("\n## Saying that nothing here is about the question\n");
  const encoder = openEncoder();
  const warnings = await measureWarnings(data, await VectorCache.open(encoder), {
    onResult: ({ set }) => {
      note(set);
    },
  });
  await encoder.close();
  results.warnings = warnings;
  console.log(warningTable(warnings));
}
if (asked.includes("scale")) {
  console.log("\n## A package of 100,000 passages, whole processes\n");
  const scale = measureScale(data, 100_000, note);
  results.scale = scale;
  console.log(scaleTable(scale));
}
if (asked.includes("convert")) {
  console.log("\n## Conversion, next to other converters");
  const conversion = await measureConversion(data, formats, note);
  results.convert = conversion;
  console.log(conversionReport(conversion));
}
const text = JSON.stringify(results, undefined, 1);
if (jsonFile === undefined) console.log(`\n${text}`);
else writeFileSync(jsonFile, text);
