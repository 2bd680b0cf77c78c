import type { Reader } from "../engine.js";
import { decodeText } from "../text/encoding.js";
import { independentDecoder } from "../text/reader.js";

/** Cells by a state machine of RFC 4180, which shares nothing with the engine's parser; its delimiter is its own guess too. */
export const reader: Reader = async (original) => {
  const decode = await independentDecoder();
  let text = decode(original.bytes, decodeText(original.bytes).encoding).replace(/^\uFEFF/, "");
  const hint = /^sep=(.)\r?\n/i.exec(text);
  if (hint !== null) text = text.slice(hint[0].length);
  const rows = readCells(text, hint?.[1] ?? delimiterOf(text, original.path));
  return {
    reader: "RFC 4180 state machine over iconv-lite 0.7.3",
    units: [{ text: rows.map((row) => row.join("\t")).join("\n") }],
    tables: rows.length === 0 ? [] : [rows],
  };
};

/** The sign that stands equally often, outside quotation marks, in most lines of the beginning. */
function delimiterOf(text: string, path: string): string {
  const usual = /\.(?:tsv|tab)$/i.test(path) ? "\t" : /\.psv$/i.test(path) ? "|" : ",";
  const lines: Map<string, number>[] = [];
  let line = new Map<string, number>();
  let quoted = false;
  for (const sign of text.slice(0, 100_000)) {
    if (sign === '"') quoted = !quoted;
    else if (sign === "\n" && !quoted) {
      if (line.size > 0) lines.push(line);
      line = new Map();
    } else if (!quoted && ",;\t|".includes(sign)) line.set(sign, (line.get(sign) ?? 0) + 1);
  }
  if (line.size > 0) lines.push(line);
  const start = text.slice(0, 20_000);
  const decimal = start.includes(";") && (start.match(/\d,\d/g)?.length ?? 0) > 0.8 * (start.match(/,/g)?.length ?? 0);
  let best = usual;
  let most = 0;
  for (const sign of [usual, ",", ";", "\t", "|"]) {
    const counts = new Map<number, number>();
    for (const each of lines) {
      const count = each.get(sign) ?? 0;
      if (count > 0) counts.set(count, (counts.get(count) ?? 0) + 1);
    }
    const same = Math.max(0, ...counts.values()) * (decimal && sign === "," ? 0.8 : 1);
    if (same > most) {
      most = same;
      best = sign;
    }
  }
  return best;
}

function readCells(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  // Once one mark has no closing one behind it, no later one has.
  let closes = true;
  let at = 0;
  const endRow = (): void => {
    row.push(printable(cell));
    if (row.some((each) => each.trim() !== "")) rows.push(row);
    row = [];
    cell = "";
  };
  while (at < text.length) {
    const sign = text[at]!;
    if (sign === '"' && cell === "" && closes) {
      const end = closingMark(text, at + 1, delimiter);
      if (end >= 0) {
        cell = text.slice(at + 1, end).replaceAll('""', '"');
        at = end + 1;
        continue;
      }
      closes = false;
    }
    if (sign === delimiter) {
      row.push(printable(cell));
      cell = "";
    } else if (sign === "\n" || sign === "\r") {
      if (sign === "\r" && text[at + 1] === "\n") at++;
      endRow();
    } else cell += sign;
    at++;
  }
  if (cell !== "" || row.length > 0) endRow();
  return rows;
}

/** The mark that closes a cell: not doubled, and the cell ends behind it. */
function closingMark(text: string, from: number, delimiter: string): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    const next = text[at + 1];
    if (next === '"') at++;
    else if (next === undefined || next === delimiter || next === "\n" || next === "\r") return at;
  }
  return -1;
}

function printable(cell: string): string {
  return cell.replace(/(?!\n)\p{Cc}/gu, " ");
}
