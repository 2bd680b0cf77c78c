/** The tables at the head of an RTF file: fonts, styles, lists, authors. */
import { codePageOfCharset } from "./characters.js";
import { tokensOf } from "./tokens.js";

/** What a paragraph's style says. */
export interface RtfStyle {
  readonly name: string;
  /** From 0, as RTF counts. */
  readonly outlineLevel: number | undefined;
}

export interface RtfTables {
  /** Code page by the number of a font. */
  readonly fonts: ReadonlyMap<number, string>;
  readonly styles: ReadonlyMap<number, RtfStyle>;
  /** Kind of number (`\levelnfc`) by `\ls` and level. */
  readonly lists: ReadonlyMap<number, readonly number[]>;
}

/** Reads the tables in one pass of their own: text may stand before them in files made by hand. */
export function readTables(bytes: Uint8Array): RtfTables {
  const fonts = new Map<number, string>();
  const styles = new Map<number, RtfStyle>();
  const levelsById = new Map<number, number[]>();
  const lists = new Map<number, readonly number[]>();
  let depth = 0;
  let table: { name: string; depth: number } | undefined;
  let entry = { number: undefined as number | undefined, name: "", outlineLevel: undefined as number | undefined };
  let levels: number[] = [];
  let id = 0;
  for (const token of tokensOf(bytes)) {
    if (token.kind === "open") {
      depth++;
      if (table !== undefined && depth === table.depth + 1)
        entry = { number: undefined, name: "", outlineLevel: undefined };
      if (table?.name === "listtable" && depth === table.depth + 1) levels = [];
    } else if (token.kind === "close") {
      if (table?.name === "stylesheet" && depth === table.depth + 1 && !styles.has(entry.number ?? 0))
        styles.set(entry.number ?? 0, {
          name: entry.name.replace(/;.*$/, "").trim(),
          outlineLevel: entry.outlineLevel,
        });
      if (table?.name === "listtable" && depth === table.depth + 1) levelsById.set(id, levels);
      depth--;
      if (table !== undefined && depth < table.depth) table = undefined;
    } else if (token.kind === "byte") {
      // Names in groups inside an entry are alternatives of it.
      if (table?.name === "stylesheet" && depth === table.depth + 1 && entry.name.length < 200)
        entry.name += String.fromCharCode(token.byte);
    } else {
      const { word, param = 0 } = token;
      if (table === undefined && /^(?:fonttbl|stylesheet|listtable|listoverridetable)$/.test(word)) {
        table = { name: word, depth };
        continue;
      }
      switch (table?.name) {
        case "fonttbl": {
          if (word === "f") entry.number = param;
          const page = word === "fcharset" ? codePageOfCharset(param) : undefined;
          if (page !== undefined && entry.number !== undefined) fonts.set(entry.number, page);
          break;
        }
        case "stylesheet":
          if (word === "s") entry.number = param;
          else if (word === "cs" || word === "ds" || word === "ts") entry.number = -1;
          else if (word === "outlinelevel") entry.outlineLevel = param;
          break;
        case "listtable":
          if (word === "levelnfc") levels.push(param);
          else if (word === "listid") id = param;
          break;
        case "listoverridetable":
          if (word === "listid") id = param;
          else if (word === "ls") lists.set(param, levelsById.get(id) ?? []);
          break;
      }
    }
  }
  return { fonts, styles, lists };
}
