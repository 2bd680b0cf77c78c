/**
 * `npm run bench convert [FORMAT …]`: how near the conversion of the set comes to the answers that other projects state, a
 * format, with other converters over the same files; whole manuals against their own text; and whether certificates tell
 * the truth.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertPart } from "../src/convert/convert.js";
import { FORMATS } from "../src/convert/formats.js";
import { readSetFiles, type SetFile } from "./convert-expected.js";
import { measureManuals, measureMemory, type ManualResult } from "./convert-manuals.js";
import { PEERS, type Peer } from "./convert-peers.js";
import { score, type Score } from "./convert-score.js";
import { median } from "./measures.js";

/** What a converter made of one file. */
export interface FileResult {
  readonly path: string;
  readonly status: string;
  readonly reason?: string;
  readonly milliseconds: number;
  /** Coverage by the certificate. */
  readonly claimed?: number | null;
  readonly score?: Score;
}

export interface FormatResult {
  readonly format: string;
  readonly files: readonly FileResult[];
  readonly peers: Readonly<Record<string, readonly FileResult[]>>;
  readonly manuals?: readonly ManualResult[];
  readonly memory?: { readonly document: string; readonly megabytes: number };
}

/** Names of formats where the set's folder is another: `other` holds the rarer ones, by their endings. */
function formatOf({ path, format }: SetFile): string {
  if (format === "md") return "markdown";
  if (format === "txt") return "text";
  return format === "other" ? path.slice(path.lastIndexOf(".") + 1).toLowerCase() : format;
}

/** Docling divides a sheet into tables by rules of its own: of a workbook only exports say where a cell stands. */
function withComparableTables(file: SetFile): SetFile {
  if (file.format !== "xlsx" || file.expected === undefined) return file;
  const { text, headings, sheets, repeats } = file.expected;
  return {
    ...file,
    expected: {
      text,
      ...(headings !== undefined && { headings }),
      ...(sheets !== undefined && { sheets }),
      ...(repeats !== undefined && { repeats }),
    },
  };
}

export async function measureConversion(
  data: string,
  asked: readonly string[],
  note: (text: string) => void,
): Promise<FormatResult[]> {
  const folder = join(data, "convert");
  const files = readSetFiles(folder);
  const formats = [...new Set(files.map(formatOf))].filter((format) => asked.length === 0 || asked.includes(format));
  const results: FormatResult[] = [];
  for (const format of formats) {
    if (!(format in FORMATS)) {
      note(`${format}: no engine`);
      continue;
    }
    const chosen = files.filter((file) => formatOf(file) === format).map(withComparableTables);
    const own: FileResult[] = [];
    for (const file of chosen) own.push(await convertFile(folder, file, note));
    const peers: Record<string, FileResult[]> = {};
    for (const peer of PEERS.filter(({ formats: known }) => known.includes(format)))
      peers[peer.name] = await runPeer(peer, folder, chosen, note);
    const manuals =
      format === "pdf" || format === "epub" ? await measureManuals(join(data, "documents"), format, note) : undefined;
    results.push({
      format,
      files: own,
      peers,
      ...(manuals !== undefined && { manuals, memory: measureMemory(join(data, "documents"), format) }),
    });
  }
  return results;
}

/** Milliseconds from which a file is named while the bench runs. */
const SLOW = 10_000;

async function convertFile(folder: string, file: SetFile, note: (text: string) => void): Promise<FileResult> {
  const bytes = new Uint8Array(readFileSync(join(folder, file.path)));
  const ocr = file.tags.includes("scanned") && file.expected !== undefined ? (["eng"] as const) : "off";
  const started = performance.now();
  try {
    const { markdown, certificate } = await convertPart({ path: file.path, bytes }, { ocr });
    if (performance.now() - started > SLOW) note(`${file.path} took ${Math.round(performance.now() - started)} ms`);
    return {
      path: file.path,
      status: certificate.status,
      ...(certificate.reason !== undefined && { reason: certificate.reason }),
      milliseconds: performance.now() - started,
      claimed: certificate.words.coverage,
      ...(file.expected !== undefined && certificate.status !== "refused" && { score: score(markdown, file.expected) }),
    };
  } catch (error) {
    note(`${file.path}: ${String(error)}`);
    return { path: file.path, status: "crashed", reason: String(error), milliseconds: performance.now() - started };
  }
}

async function runPeer(
  peer: Peer,
  folder: string,
  files: readonly SetFile[],
  note: (text: string) => void,
): Promise<FileResult[]> {
  let convert: Awaited<ReturnType<Peer["load"]>>;
  try {
    convert = await peer.load();
  } catch (error) {
    note(`${peer.name} is not installed (${String(error).split("\n")[0]!})`);
    return [];
  }
  const results: FileResult[] = [];
  for (const { path, expected } of files) {
    if (expected === undefined) continue;
    const started = performance.now();
    try {
      const output = await convert(new Uint8Array(readFileSync(join(folder, path))), path);
      const milliseconds = performance.now() - started;
      results.push({ path, status: "converted", milliseconds, score: score(output, expected, { plain: peer.plain }) });
    } catch (error) {
      results.push({ path, status: "crashed", reason: String(error), milliseconds: performance.now() - started });
    }
  }
  return results;
}

/** The results as Markdown: a row a converter with medians, then the worst files. */
export function conversionReport(results: readonly FormatResult[]): string {
  const lines: string[] = [];
  for (const { format, files, peers, manuals, memory } of results) {
    lines.push(`\n### ${format}\n`, `${files.length} files: ${statusCounts(files)}\n`);
    lines.push("| converter | answers | words | worst | precision | order | headings | cells in place | ms |");
    lines.push("|---|---|---|---|---|---|---|---|---|");
    lines.push(row("mdcx", files));
    for (const [name, found] of Object.entries(peers))
      lines.push(found.length === 0 ? `| ${name} | not installed or no answer |` : row(name, found));
    for (const name of worstFiles(files)) lines.push(`\n${name}`);
    if (manuals !== undefined && manuals.length > 0) lines.push(...manualLines(manuals));
    if (memory !== undefined) lines.push(`\nPeak memory, ${memory.document}: ${memory.megabytes.toFixed(0)} MB`);
  }
  return lines.join("\n");
}

function statusCounts(files: readonly FileResult[]): string {
  const counts = new Map<string, number>();
  for (const { status } of files) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
}

function row(name: string, files: readonly FileResult[]): string {
  const scored = files.flatMap((file) => (file.score === undefined ? [] : [{ ...file, score: file.score }]));
  if (scored.length === 0) return `| ${name} | 0 |`;
  const worst = scored.reduce((least, file) => (file.score.recall < least.score.recall ? file : least));
  const middle = (of: (score: Score) => number | undefined): string => {
    const known = scored.flatMap(({ score: one }) => of(one) ?? []);
    return known.length === 0 ? "–" : median(known).toFixed(4);
  };
  const tables = scored.flatMap(({ score: { tables: one } }) => one ?? []);
  const sum = (of: (one: (typeof tables)[number]) => number): number =>
    tables.reduce((total, one) => total + of(one), 0);
  const cells =
    tables.length === 0
      ? "–"
      : `${(sum((one) => one.inPlace) / sum((one) => one.cells)).toFixed(4)} of ${sum((one) => one.cells)}, median ${median(tables.map((one) => (one.cells === 0 ? 1 : one.inPlace / one.cells))).toFixed(4)}`;
  return `| ${name} | ${scored.length} | ${middle((one) => one.recall)} | ${worst.score.recall.toFixed(4)} ${worst.path.replace(/^.*\//, "")} | ${middle((one) => one.precision)} | ${middle((one) => one.order)} | ${middle((one) => one.headings)} | ${cells} | ${median(scored.map((file) => file.milliseconds)).toFixed(0)} |`;
}

/** Files whose answer is missed, or whose certificate says another thing than the answer does. */
function worstFiles(files: readonly FileResult[]): string[] {
  return files.flatMap(({ path, status, reason, claimed, score: one }) => {
    if (status === "crashed") return [`${path} crashed: ${reason ?? ""}`];
    if (one === undefined) return status === "fail" || status === "warn" ? [`${path} ${status}: ${reason ?? ""}`] : [];
    const differs = claimed != null && one.recall < claimed - 0.01;
    const cells = one.tables === undefined ? 1 : one.tables.inPlace / Math.max(1, one.tables.cells);
    if (one.recall >= 0.995 && !differs && cells >= 0.9 && (one.headings ?? 1) >= 0.8) return [];
    const figures = [
      `words ${one.recall.toFixed(4)}`,
      `claimed ${claimed?.toFixed(4) ?? "–"}`,
      ...(one.order === undefined ? [] : [`order ${one.order.toFixed(3)}`]),
      ...(one.headings === undefined ? [] : [`headings ${one.headings.toFixed(2)}`]),
      ...(one.tables === undefined
        ? []
        : [`cells ${one.tables.inPlace} of ${one.tables.cells}, ${one.tables.lost} lost`]),
    ];
    return [`${path} ${status}: ${figures.join(", ")}; missing: ${one.missing.slice(0, 15).join(" ")}`];
  });
}

function manualLines(manuals: readonly ManualResult[]): string[] {
  const lines = [
    "",
    "| manual | status | words in truth | claimed | difference | order | pages | pages a CPU second |",
    "|---|---|---|---|---|---|---|---|",
  ];
  for (const one of manuals) {
    const difference = one.claimed === null ? "–" : `${((one.claimed - one.coverage) * 100).toFixed(2)} points`;
    lines.push(
      `| ${one.document.replace(/^.*\//, "")} | ${one.status} | ${one.coverage.toFixed(4)} | ${one.claimed?.toFixed(4) ?? "–"} | ${difference} | ${one.order?.toFixed(4) ?? "–"} | ${one.pages ?? "–"} | ${one.pagesPerCpuSecond?.toFixed(1) ?? "–"} |`,
    );
  }
  lines.push(`\nMedian ${median(manuals.map(({ coverage }) => coverage)).toFixed(4)}`);
  return lines;
}
