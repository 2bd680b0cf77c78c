import { charactersOf, elementsIn, outermost, pathIn, type RawNode } from "./raw-package.js";
import { rawParagraphs } from "./raw-text.js";

export interface RawChart {
  readonly titles: readonly string[];
  readonly tables: readonly (readonly (readonly string[])[])[];
}

type Show = (code: string, value: number) => string;

/** What a chart says, point by point as it was saved. */
export function readRawChart(space: RawNode | undefined, show: Show): RawChart {
  const chart = pathIn(space, "chart");
  const plot = pathIn(chart, "plotArea");
  const titles = [chart, ...elementsIn(plot, "catAx", "valAx", "dateAx", "serAx")]
    .map((owner) => pathIn(owner, "title", "tx"))
    .map((text) =>
      pathIn(text, "rich") ? rawParagraphs(pathIn(text, "rich")).join(" ") : points(text, show).join(" "),
    )
    .filter((title) => title.trim() !== "");
  const tables = new Map<string, string[][]>();
  for (const series of outermost(plot, "ser")) {
    const name = pathIn(series, "tx", "v")
      ? charactersOf(pathIn(series, "tx", "v"))
      : points(pathIn(series, "tx"), show).join(" ");
    const axis = pathIn(series, "cat") ?? pathIn(series, "xVal");
    const levels = outermost(axis, "lvl")
      .map((level) => pointsOf(level, undefined, show))
      .reverse();
    const categories = axis === undefined ? [] : levels.length > 0 ? levels : [points(axis, show)];
    const key = categories.map((column) => column.join("\u0000")).join("\u0001");
    let columns = tables.get(key);
    if (columns === undefined) tables.set(key, (columns = categories.map((column) => ["", ...column])));
    for (const values of elementsIn(series, "val", "yVal", "bubbleSize"))
      columns.push([values.name === "bubbleSize" ? "" : name, ...points(values, show)]);
  }
  return { titles, tables: [...tables.values()].map(turned).filter((rows) => rows.length > 1) };
}

/** Columns as rows. */
function turned(columns: readonly (readonly string[])[]): string[][] {
  const height = columns.reduce((most, column) => Math.max(most, column.length), 0);
  return Array.from({ length: height }, (_, row) =>
    columns.map((column) => (column[row] ?? "").replace(/\s+/g, " ").trim()),
  );
}

function points(owner: RawNode | undefined, show: Show): string[] {
  const [cache] = outermost(owner, "numCache", "strCache", "numLit", "strLit");
  return cache === undefined ? [] : pointsOf(cache, charactersOf(pathIn(cache, "formatCode")) || "General", show);
}

function pointsOf(cache: RawNode, usual: string | undefined, show: Show): string[] {
  const found: (string | undefined)[] = [];
  for (const point of elementsIn(cache, "pt")) {
    const value = charactersOf(pathIn(point, "v"));
    const index = Number(point.attributes.idx ?? found.length);
    if (!(index >= 0 && index < 20_000)) continue;
    const isNumber = cache.name.startsWith("num") && value.trim() !== "" && Number.isFinite(Number(value));
    found[index] = isNumber ? show(point.attributes.formatCode ?? usual ?? "General", Number(value)) : value;
  }
  return Array.from(found, (text) => text ?? "");
}
