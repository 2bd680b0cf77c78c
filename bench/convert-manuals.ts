/** Whole manuals whose text exists a second time: the one reference that no reader of ours has made. */
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { pairWords } from "../src/convert/compare/pairing.js";
import { readMarkdown } from "../src/convert/compare/reading.js";
import { wholeSide } from "../src/convert/compare/sides.js";
import { Vocabulary, WordList } from "../src/convert/compare/words.js";
import { convertPart } from "../src/convert/convert.js";
import { FORMATS } from "../src/convert/formats.js";
import create from "markdown-it";
import { measureProcess } from "./scale.js";

/** A manual against its own text. */
export interface ManualResult {
  readonly document: string;
  readonly status: string;
  /** Words of the text that the Markdown holds, before recovery. */
  readonly coverage: number;
  /** What the certificate says of it. */
  readonly claimed: number | null;
  readonly order: number | null;
  readonly added: number;
  readonly pages: number | undefined;
  /** Of the engine alone. */
  readonly pagesPerCpuSecond: number | undefined;
  readonly missing: readonly string[];
}

interface Pair {
  readonly document: string;
  readonly text: string;
  readonly format: string;
}

function readPairs(folder: string, format: string): Pair[] {
  const [, ...lines] = readFileSync(join(folder, "PAIRS.tsv"), "utf8").trimEnd().split("\n");
  return lines
    .map((line) => line.split("\t"))
    .map(([document, text, kind]) => ({ document: document!, text: text!, format: kind! }))
    .filter((pair) => pair.format === format);
}

/**
 * What the texts hold and the documents do not: names of mirrors, which were replaced in the texts only, bullets written as
 * `o`, and the descriptions of images, which are no words of ours.
 */
const OTHERWISE =
  /\b[\w.-]*mirror\.example\.org\b|^[ \t]*o(?=[ \t]+\S)|\[image: [^\]]*\]\[image\]|\[image(?:: [^\]]*)?\]/gm;

/**
 * The text without the entries of its tables of contents: before every chapter the texts have one, and of more levels than the
 * documents. An entry is a numbered line that stands again below.
 */
function withoutContents(text: string): string {
  const seen = new Set<string>();
  return text
    .split("\n")
    .reverse()
    .filter((line) => {
      if (!/^[\s*]*\d+(?:\.\d+)*\.?\s+\S/.test(line)) return true;
      const key = line.replace(/[^\p{L}\p{N}]+/gu, "");
      const again = seen.has(key);
      seen.add(key);
      return !again;
    })
    .reverse()
    .join("\n");
}

export async function measureManuals(
  folder: string,
  format: "pdf" | "epub",
  note: (text: string) => void,
): Promise<ManualResult[]> {
  const engine = await FORMATS[format]?.engine();
  if (engine === undefined) return [];
  const results: ManualResult[] = [];
  for (const { document, text } of readPairs(folder, format)) {
    const original = { path: document, bytes: new Uint8Array(readFileSync(join(folder, document))) };
    const started = process.cpuUsage();
    const { pagesTotal } = await engine({ ...original, bytes: original.bytes.slice() }, { ocr: "off" });
    const { user, system } = process.cpuUsage(started);
    const { markdown, certificate } = await convertPart(original, { ocr: "off" });
    const truth = compare(withoutContents(readFileSync(join(folder, text), "utf8").replace(OTHERWISE, " ")), markdown);
    results.push({
      document,
      status: certificate.status,
      ...truth,
      claimed: certificate.words.coverage,
      order: certificate.order,
      added: certificate.words.added,
      pages: pagesTotal,
      pagesPerCpuSecond: pagesTotal === undefined ? undefined : pagesTotal / ((user + system) / 1e6),
    });
    note(`${document} ${truth.coverage.toFixed(4)}, claimed ${certificate.words.coverage?.toFixed(4) ?? "nothing"}`);
  }
  return results;
}

function compare(text: string, markdown: string): { readonly coverage: number; readonly missing: readonly string[] } {
  const vocabulary = new Vocabulary();
  const truth = new WordList(vocabulary);
  truth.add(text);
  const { words } = readMarkdown(markdown, vocabulary, create, { formulasApart: false });
  const { left } = pairWords(wholeSide(truth), wholeSide(words));
  const missing: string[] = [];
  left.forEach((partner, at) => {
    if (partner === -1) missing.push(truth.word(at));
  });
  return { coverage: 1 - missing.length / truth.length, missing: missing.slice(0, 40) };
}

/** Greatest resident memory of a process that converts and certifies the largest manual of the format. */
export function measureMemory(
  folder: string,
  format: string,
): { readonly document: string; readonly megabytes: number } {
  const documents = readPairs(folder, format).map(({ document }) => document);
  const size = (document: string): number => statSync(join(folder, document)).size;
  const largest = documents.reduce((most, document) => (size(document) > size(most) ? document : most));
  const script = fileURLToPath(new URL("./convert-one.js", import.meta.url));
  const { megabytes } = measureProcess(process.execPath, [script, join(folder, largest)]);
  return { document: largest, megabytes };
}
