/**
 * `npm run bench [PART …] [convert FORMAT …] [--json FILE]`: every figure of the README, with the peers in the same run
 * (bench/README.md). Needs the retrieval sets (MDCX_DATA, or ../shared/data beside the checkout). Vectors and collections
 * are kept between runs in the folder MDCX_BENCH_CACHE. Of `compare`: `--sizes 1000,10000`, `--runs 3`, `--only ID,ID`.
 */
import { writeFileSync } from "node:fs";
import { compare, type CompareOptions } from "./compare/compare.js";
import { PLOTS_FOLDER } from "./compare/peers-here.js";
import { writePlots } from "./compare/plots.js";
import { comparisonTable } from "./compare/table.js";
import { conversionReport, measureConversion } from "./convert.js";
import { measureSealing } from "./container-seal.js";
import { corpusTable, measureCorpus } from "./corpus.js";
import { openEncoder } from "../src/node/encoder/open.js";
import type { Encoder } from "../src/meaning/encoder.js";
import { encoderTable, measureEncoder } from "./meaning-encoder.js";
import { measureMeaning, meaningTable } from "./meaning-quality.js";
import { measureMeaningScale, meaningScaleTable } from "./meaning-scale.js";
import { measureScanSpeed, scanTable } from "./meaning-scan.js";
import { measureWarnings, warningTable } from "./meaning-warnings.js";
import { measureQuality, qualityTable } from "./quality.js";
import { dataFolder } from "./retrieval-sets.js";
import { measureScale, scaleTable } from "./scale.js";
import { measureServer, serverTable } from "./server.js";
import { estimateTable, measureEstimate } from "./token-estimate.js";
import { VectorCache } from "./vector-cache.js";
import { measureWeb, webTable } from "./web.js";
import { measureWordSpeed } from "./words-speed.js";

/** What a part found, and how it is shown. */
interface Outcome {
  readonly figures: unknown;
  readonly table: string;
}

/** What a person asked of single parts. */
interface Asked {
  readonly formats: readonly string[];
  readonly comparison: CompareOptions;
}

interface Part {
  readonly title: string;
  readonly measure: (data: string, note: (text: string) => void, asked: Asked) => Outcome | Promise<Outcome>;
}

const PARTS: Readonly<Record<string, Part>> = {
  compare: {
    title: "Next to what people search text with",
    measure: (data, note, { comparison }) => {
      const figures = compare(data, comparison, note);
      // A part of the contenders would make plots that look as if the others could not.
      if (comparison.only === undefined) writePlots(PLOTS_FOLDER, figures);
      return { figures, table: comparisonTable(figures) };
    },
  },
  container: {
    title: "Sealing and opening, next to the platform's AES-GCM on pieces of 16 KiB",
    measure: async () => {
      const figures = await measureSealing();
      return { figures, table: JSON.stringify(figures, undefined, 1) };
    },
  },
  words: {
    title: "The word index alone, 100,000 passages",
    measure: async (data) => {
      const figures = await measureWordSpeed(data, 100_000);
      return { figures, table: JSON.stringify(figures, undefined, 1) };
    },
  },
  quality: {
    title: "Ranking by words, next to MiniSearch and wink",
    measure: async (data, note) => {
      const figures = await measureQuality(data, {
        onResult: ({ set, engine }) => {
          note(`${set} ${engine}`);
        },
      });
      return { figures, table: qualityTable(figures) };
    },
  },
  meaning: {
    title: "Ranking by words, by meaning and by both",
    measure: (data, note) =>
      withEncoder(async (encoder) => {
        const figures = await measureMeaning(data, encoder, {
          onResult: ({ name }) => {
            note(name);
          },
        });
        return { figures, table: meaningTable(figures) };
      }),
  },
  warnings: {
    title: "Saying that nothing here is about the question",
    measure: (data, note) =>
      withEncoder(async (encoder) => {
        const figures = await measureWarnings(data, await VectorCache.open(encoder), {
          onResult: ({ set }) => {
            note(set);
          },
        });
        return { figures, table: warningTable(figures) };
      }),
  },
  corpus: {
    title: "Right answers and warnings beside packages on other subjects",
    measure: (data, note) =>
      withEncoder(async (encoder) => {
        const figures = await measureCorpus(data, await VectorCache.open(encoder), note);
        return { figures, table: corpusTable(figures) };
      }),
  },
  tokens: {
    title: "The estimate of tokens, next to the model's own counts",
    measure: async (data) => {
      const figures = await measureEstimate(data);
      return { figures, table: estimateTable(figures) };
    },
  },
  scan: {
    title: "The scan of 100,000 vectors",
    measure: () => {
      const figures = measureScanSpeed();
      return { figures, table: scanTable(figures) };
    },
  },
  encoder: {
    title: "The encoder, next to ONNX Runtime fed the same tokens",
    measure: async (data, note) => {
      const figures = await measureEncoder(data, note);
      return { figures, table: encoderTable(figures) };
    },
  },
  "meaning-scale": {
    title: "A package of 100,000 passages asked by words and meaning, whole processes",
    measure: (data, note) => {
      const figures = measureMeaningScale(data, 100_000, note);
      return { figures, table: meaningScaleTable(figures) };
    },
  },
  scale: {
    title: "A package of 100,000 passages by words, whole processes",
    measure: (data, note) => {
      const figures = measureScale(data, 100_000, note);
      return { figures, table: scaleTable(figures) };
    },
  },
  server: {
    title: "A server of ten packages of 100,000 passages each",
    measure: async (data, note) => {
      const figures = await measureServer(data, 100_000, note);
      return { figures, table: serverTable(figures) };
    },
  },
  web: {
    title: "A package of 100,000 passages on a web server: what a question brings",
    measure: async (data, note) => {
      const figures = await measureWeb(data, 100_000, note);
      return { figures, table: webTable(figures) };
    },
  },
  convert: {
    title: "Conversion, next to other converters",
    measure: async (data, note, { formats }) => {
      const figures = await measureConversion(data, formats, note);
      return { figures, table: conversionReport(figures) };
    },
  },
};

async function withEncoder(measure: (encoder: Encoder) => Promise<Outcome>): Promise<Outcome> {
  const encoder = openEncoder();
  try {
    return await measure(encoder);
  } finally {
    await encoder.close();
  }
}

const args = process.argv.slice(2);
function option(name: string): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args.splice(at, 2)[1];
}
const jsonFile = option("--json");
const [sizes, runs, only] = [option("--sizes")?.split(",").map(Number), option("--runs"), option("--only")?.split(",")];
const comparison = { ...(sizes && { sizes }), ...(runs && { runs: Number(runs) }), ...(only && { only }) };
const convertAt = args.indexOf("convert");
const formats = convertAt < 0 ? [] : args.splice(convertAt + 1);
const asked = args.length === 0 ? Object.keys(PARTS) : args;
const unknown = asked.filter((part) => !Object.hasOwn(PARTS, part));
if (unknown.length > 0) throw new Error(`There is no bench ${unknown.join(", ")}: ${Object.keys(PARTS).join(", ")}.`);
const data = dataFolder();
if (data === undefined)
  throw new Error("The retrieval sets are not here: set MDCX_DATA to the folder of the shared data.");

const results: Record<string, unknown> = { node: process.version, date: new Date().toISOString() };
for (const name of asked) {
  const { title, measure } = PARTS[name]!;
  console.log(`\n## ${title}\n`);
  const note = (text: string): void => {
    process.stderr.write(`… ${text}\n`);
  };
  const { figures, table } = await measure(data, note, { formats, comparison });
  results[name] = figures;
  console.log(table);
}
const text = JSON.stringify(results, undefined, 1);
if (jsonFile === undefined) console.log(`\n${text}`);
else writeFileSync(jsonFile, text);
