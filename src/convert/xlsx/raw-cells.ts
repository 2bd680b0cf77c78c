import { attributeOf, localName, type RawPackage } from "../ooxml/raw-package.js";
import type { RawCell } from "./raw-regions.js";
import type { RawWorkbook } from "./raw-workbook.js";

export interface RawSheet {
  readonly cells: RawCell[];
  /** Targets of links, once for each cell with text that they lie on. */
  readonly links: string[];
  readonly drawings: string[];
}

interface Linked {
  readonly corners: Corners | undefined;
  readonly target: string;
}

/** Row and column of the first and of the last cell. */
type Corners = readonly [from: readonly number[], to: readonly number[]];

const MOST_CELLS = 1_000_000;

/** Reads what a sheet shows, cell by cell as the parser meets them. */
export function readRawCells(office: RawPackage, part: string, workbook: RawWorkbook): RawSheet {
  const targets = office.targets(part);
  const cells: RawCell[] = [];
  const drawings: string[] = [];
  const merged: string[] = [];
  const linked: Linked[] = [];
  const path: string[] = [];
  let row = 0;
  let column = 0;
  let cell: Record<string, string> | undefined;
  let parts: { v?: string; f?: string; is?: string } = {};
  office.stream(part, {
    onopentag: (written, attributes) => {
      const name = localName(written);
      path.push(name);
      if (cell !== undefined) {
        if (name === "v" || name === "f" || name === "is") parts[name] ??= "";
      } else if (name === "row") {
        row = asNumber(attributes.r, 1_048_576) ?? row + 1;
        column = 0;
      } else if (name === "c") {
        const place = placeOf(attributes.r);
        [row, column] = place ?? [Math.max(row, 1), column + 1];
        [cell, parts] = [attributes, {}];
      } else if (name === "mergeCell") merged.push(attributes.ref ?? "");
      else if (name === "hyperlink" || name === "drawing") {
        const target = targets.get(attributeOf(attributes, "id") ?? "");
        if (target === undefined) return;
        if (name === "drawing" && !target.external) drawings.push(target.target);
        if (name === "hyperlink" && target.external)
          linked.push({
            corners: cornersOf(attributes.ref ?? ""),
            target: target.target + (attributes.location === undefined ? "" : `#${attributes.location}`),
          });
      }
    },
    ontext: (text) => {
      const inside = path.at(-1);
      if (cell === undefined) return;
      if (inside === "v" || inside === "f") parts[inside] = (parts[inside] ?? "") + text;
      else if (inside === "t" && path.includes("is") && !path.includes("rPh")) parts.is = (parts.is ?? "") + text;
    },
    onclosetag: () => {
      if (path.pop() !== "c" || cell === undefined) return;
      const text = shown(cell, parts, workbook);
      cell = undefined;
      if (text.trim() === "" || cells.length >= MOST_CELLS) return;
      workbook.seen += text.length;
      if (workbook.seen > 50_000_000) return;
      cells.push({ row, column, text, lastRow: row, lastColumn: column });
      const [, name, address] = /^\s*(\w+)\s*\(\s*"([^"]+)"\s*[,)]/.exec(parts.f ?? "") ?? [];
      if (name?.toUpperCase() === "HYPERLINK") {
        const here = [row, column];
        linked.push({ corners: [here, here], target: address! });
      }
    },
  });
  // Looked up only by merges and links, and a million keys are a hundred megabytes.
  const byPlace = new Map(
    merged.length + linked.length === 0 ? [] : cells.map((each) => [`${each.row}:${each.column}`, each]),
  );
  for (const ref of merged) {
    const [from, to] = cornersOf(ref) ?? [];
    const first = from && byPlace.get(from.join(":"));
    if (first !== undefined && to !== undefined) Object.assign(first, { lastRow: to[0], lastColumn: to[1] });
  }
  return { cells, links: linkTargets(linked, cells, byPlace), drawings };
}

function linkTargets(
  linked: readonly Linked[],
  cells: readonly RawCell[],
  byPlace: ReadonlyMap<string, RawCell>,
): string[] {
  const single = new Map<RawCell, string>();
  const wide: { from: readonly number[]; to: readonly number[]; target: string }[] = [];
  for (const { corners, target } of linked) {
    const [from, to] = corners ?? [];
    if (from === undefined || to === undefined) continue;
    const only = byPlace.get(from.join(":"));
    if (from.join() !== to.join()) wide.push({ from, to, target });
    else if (only !== undefined) single.set(only, target);
  }
  for (const cell of wide.length === 0 ? [] : cells) {
    const over = wide
      .slice(0, 1_000)
      .find(
        ({ from: [top, left], to: [bottom, right] }) =>
          cell.row >= top! && cell.row <= bottom! && cell.column >= left! && cell.column <= right!,
      );
    if (over !== undefined) single.set(cell, over.target);
  }
  return [...single.values()];
}

function shown(
  cell: Record<string, string>,
  { v, f, is }: { v?: string; f?: string; is?: string },
  workbook: RawWorkbook,
): string {
  if (v === undefined && is === undefined) return f === undefined || f.trim() === "" ? "" : `=${f.trim()}`;
  const code = workbook.codes[Number(cell.s ?? 0)] ?? "General";
  const value = (v ?? "").trim();
  const type = cell.t ?? "n";
  if (type === "s") return dressed(value === "" ? "" : (workbook.strings[Number(value)] ?? ""), code);
  if (type === "str" || type === "inlineStr") return dressed(is ?? v ?? "", code);
  if (type === "b") return value === "" ? "" : value === "1" || value.toLowerCase() === "true" ? "TRUE" : "FALSE";
  if (type === "e") return v ?? "";
  if (type === "d") {
    const time = Date.parse(value.includes("T") ? `${value.replace(/Z$/, "")}Z` : `${value}T00:00:00Z`);
    const days = (time - Date.UTC(1899, 11, 30)) / 86_400_000;
    if (!Number.isFinite(days)) return v ?? "";
    const serial = workbook.date1904 ? days - 1462 : days < 61 ? days - 1 : days;
    return workbook.show(code === "General" ? "yyyy-mm-dd" : code, serial, workbook.date1904);
  }
  if (value === "") return is ?? "";
  return Number.isFinite(Number(value)) ? workbook.show(code, Number(value), workbook.date1904) : (v ?? "");
}

/** Characters written as `_x0041_`, and the words that the text section of a format puts around a text. */
function dressed(raw: string, code: string): string {
  const text = raw.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  if (text === "" || code.length > 255) return text;
  const quoted: string[] = [];
  const bare = code.replace(
    /"([^"]*)"|\\(.)/g,
    (_, string?: string, sign?: string) => `\u0001${quoted.push(string ?? sign ?? "") - 1}\u0002`,
  );
  const section = bare.split(";").find((each) => each.includes("@"));
  if (section === undefined) return text;
  const pieces = section
    .replace(/\[[^\]]*\]|\*./g, "")
    .replace(/_./g, " ")
    .split("@");
  return pieces
    .map((piece) => piece.replace(/\u0001(\d+)\u0002/g, (_, index: string) => quoted[Number(index)] ?? ""))
    .join(text);
}

function asNumber(text: string | undefined, most: number): number | undefined {
  const number = Number(text);
  return text !== undefined && Number.isInteger(number) && number >= 1 && number <= most ? number : undefined;
}

function placeOf(reference: string | undefined): [row: number, column: number] | undefined {
  const found = /^\$?([a-z]{1,3})\$?(\d{1,7})$/i.exec(reference ?? "");
  if (found === null) return undefined;
  const row = asNumber(found[2], 1_048_576);
  const column = Array.from(found[1]!.toUpperCase()).reduce((sum, letter) => sum * 26 + parseInt(letter, 36) - 9, 0);
  return row === undefined || column > 16_384 ? undefined : [row, column];
}

function cornersOf(reference: string): Corners | undefined {
  const [first, last] = reference.split(":").map(placeOf);
  if (first === undefined) return undefined;
  const end = reference.includes(":") ? last : first;
  return end === undefined
    ? undefined
    : [
        [Math.min(first[0], end[0]), Math.min(first[1], end[1])],
        [Math.max(first[0], end[0]), Math.max(first[1], end[1])],
      ];
}
