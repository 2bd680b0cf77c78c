import { child, children, descendants, textOf, type XmlElement } from "../xml.js";
import { plainParagraphs } from "./drawing-text.js";
import type { NumberFormatter } from "./number-format.js";

/** What a chart says in words and figures, from what was saved with it. */
export interface Chart {
  /** Its title and those of its axes, in this order. */
  readonly titles: readonly string[];
  /** Rows of cells, the first the header: categories beside the values of each series. */
  readonly tables: readonly (readonly (readonly string[])[])[];
}

/** A chart of hundreds of thousands of points is a picture of data that nobody reads here. */
const MOST_POINTS = 20_000;

interface Series {
  readonly name: string;
  /** Names of the categories, outermost level first: a column each. */
  readonly categories: readonly (readonly string[])[];
  readonly values: readonly { readonly heading: string; readonly points: readonly string[] }[];
}

/** Reads the part of a chart (`c:chartSpace`). */
export function readChart(space: XmlElement, format: NumberFormatter): Chart {
  const chart = child(space, "chart");
  const plot = chart && child(chart, "plotArea");
  if (chart === undefined || plot === undefined) return { titles: [], tables: [] };
  const axes = children(plot).filter(({ name }) => /^(?:cat|val|date|ser)Ax$/.test(name));
  const titles = [chart, ...axes].map(titleOf).filter((title) => title !== "");
  const series = children(plot)
    .filter(({ name }) => name.endsWith("Chart"))
    .flatMap((each) => children(each, "ser"))
    .map((each) => readSeries(each, format));
  return { titles, tables: group(series).map(tableOf) };
}

function titleOf(element: XmlElement): string {
  const title = child(element, "title");
  const text = title && child(title, "tx");
  const rich = text && child(text, "rich");
  if (rich !== undefined) return plainParagraphs(rich).join(" ").replace(/\s+/g, " ").trim();
  return text === undefined ? "" : cachedPoints(text, undefined).join(" ").trim();
}

function readSeries(series: XmlElement, format: NumberFormatter): Series {
  const text = child(series, "tx");
  const literal = text && child(text, "v");
  const name = text === undefined ? "" : literal === undefined ? cachedPoints(text, format).join(" ") : textOf(literal);
  const category = child(series, "cat") ?? child(series, "xVal");
  const values = (["val", "yVal", "bubbleSize"] as const).flatMap((kind) => {
    const element = child(series, kind);
    return element === undefined
      ? []
      : [{ heading: kind === "bubbleSize" ? "" : name, points: cachedPoints(element, format) }];
  });
  return { name, categories: category === undefined ? [] : levels(category, format), values };
}

/** Series over the same categories stand in one table. */
function group(series: readonly Series[]): Series[][] {
  const groups = new Map<string, Series[]>();
  for (const each of series) {
    const key = JSON.stringify(each.categories);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [each]);
    else known.push(each);
  }
  return [...groups.values()];
}

function tableOf(series: readonly Series[]): string[][] {
  const columns = [
    ...(series[0]?.categories ?? []).map((points) => ({ heading: "", points })),
    ...series.flatMap(({ values }) => values),
  ];
  const rows = columns.reduce((most, { points }) => Math.max(most, points.length), 0);
  if (columns.length === 0 || rows === 0) return [];
  return [
    columns.map(({ heading }) => heading),
    ...Array.from({ length: rows }, (_, row) => columns.map(({ points }) => points[row] ?? "")),
  ];
}

function levels(category: XmlElement, format: NumberFormatter): string[][] {
  const nested = [...descendants(category, "lvl")];
  if (nested.length === 0) return [cachedPoints(category, format)];
  // The innermost level is written first and stands next to the values.
  return nested.reverse().map((level) => pointsIn(level, undefined, format));
}

/** The values of a reference or literal as they were last computed, shown by the format that was saved with them. */
function cachedPoints(element: XmlElement, format: NumberFormatter | undefined): string[] {
  for (const name of ["numCache", "strCache", "numLit", "strLit"]) {
    const [cache] = descendants(element, name);
    if (cache !== undefined) {
      const code = child(cache, "formatCode");
      return pointsIn(cache, name.startsWith("num") && code !== undefined ? textOf(code) : "General", format);
    }
  }
  return [];
}

function pointsIn(cache: XmlElement, code: string | undefined, format: NumberFormatter | undefined): string[] {
  const points: string[] = [];
  for (const point of children(cache, "pt")) {
    const index = Number(point.attributes.idx ?? points.length);
    const value = child(point, "v");
    if (value === undefined || !Number.isInteger(index) || index < 0 || index >= MOST_POINTS) continue;
    while (points.length < index) points.push("");
    const text = textOf(value);
    const own = point.attributes.formatCode ?? code;
    const number = cache.name.startsWith("num") && text.trim() !== "" ? Number(text) : NaN;
    points[index] = format !== undefined && own !== undefined && Number.isFinite(number) ? format(own, number) : text;
  }
  return points.map((text) => text.replace(/\s+/g, " ").trim());
}
