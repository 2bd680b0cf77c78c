/**
 * The front matter of a document (spec/text.md §7.1): a block between two lines `---` at its very beginning, in the part
 * of YAML that people write there. Read tolerantly: a document is text first, and what cannot be read is left alone.
 */

/** What a front matter field may hold. A list (`[a, b]` or lines `- a`) keeps its entries as text. */
export type FrontMatterValue = string | number | boolean | null | readonly string[];

/** The front matter of a document. */
export interface FrontMatter {
  /** Every field that could be read, known or not, by its name in lower case; no prototype. */
  readonly fields: Readonly<Record<string, FrontMatterValue>>;
  /** Where the text begins after the closing line, in UTF-16 units; 0 without front matter. */
  readonly end: number;
}

/** A longer block is text with a rule above it. UTF-16 units. */
const LONGEST = 65_536;

const ABSENT: FrontMatter = { fields: Object.freeze(Object.create(null) as Record<string, never>), end: 0 };

/**
 * Reads the front matter at the beginning of `markdown`, a byte order mark before it allowed. It needs a first line
 * `---`, a closing line `---` or `...`, and between them at least one line `name: value` and no line that YAML could
 * not hold there; otherwise the first line is a rule and the text is text. Never throws.
 */
export function readFrontMatter(markdown: string): FrontMatter {
  const from = markdown.charCodeAt(0) === 0xfeff ? 1 : 0;
  const opening = /^---[ \t]*(?:\r\n|\n|\r)/.exec(markdown.slice(from, from + 256));
  if (opening === null) return ABSENT;
  const block = markdown.slice(from, from + LONGEST);
  const lines = /([^\r\n]*)(\r\n|\n|\r|$)/g;
  lines.lastIndex = opening[0].length;
  const fields = Object.create(null) as Record<string, FrontMatterValue>;
  // The field whose value may go on in indented lines or list entries below it.
  let open: string | undefined;
  let list: string[] = [];
  for (;;) {
    const line = lines.exec(block);
    if (line === null || (line[0] === "" && line.index >= block.length)) return ABSENT;
    const text = line[1]!;
    if (/^(?:---|\.\.\.)[ \t]*$/.test(text)) {
      if (Object.keys(fields).length === 0) return ABSENT;
      return { fields, end: from + line.index + line[0].length };
    }
    if (line[2] === "") return ABSENT;
    if (/^[ \t]*(?:#|$)/.test(text)) continue;
    const entry = /^[ \t]*-(?:[ \t]+(.*))?$/.exec(text);
    if (open !== undefined && entry !== null) {
      if (fields[open] === null) fields[open] = list = [];
      if (fields[open] === list) list.push(String(scalar(entry[1] ?? "") ?? ""));
      continue;
    }
    if (open !== undefined && /^[ \t]/.test(text)) {
      const before = fields[open];
      // Deeper structures are not read; text that runs on is.
      if (typeof before === "string") fields[open] = `${before} ${text.trim()}`.trim();
      continue;
    }
    const field = /^([\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,39}?|"[^"]{1,100}"|'[^']{1,100}')[ \t]*:(?:[ \t]+(.*))?$/u.exec(
      text,
    );
    if (field === null) return ABSENT;
    open = field[1]!.replace(/^["']|["']$/g, "").toLowerCase();
    const written = (field[2] ?? "").trim();
    fields[open] = /^[|>][+-]?\d?$/.test(written) ? "" : valueOf(written);
  }
}

function valueOf(written: string): FrontMatterValue {
  if (written.startsWith("[") && written.endsWith("]")) {
    const entries =
      written.slice(1, -1).match(/[ \t]*"(?:[^"\\]|\\.){0,1000}"|[ \t]*'(?:[^']|''){0,1000}'|[^,]+/g) ?? [];
    return entries.map((entry) => String(scalar(entry) ?? "")).filter((entry) => entry !== "");
  }
  return scalar(written);
}

/** One scalar of YAML's core schema; dates stay text, and so do numbers whose writing would be lost (`007`, `1.10`). */
function scalar(written: string): string | number | boolean | null {
  const text = written.trim();
  if (text.startsWith('"')) {
    const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text);
    if (quoted !== null) return unescape(quoted[1]!);
  }
  if (text.startsWith("'")) {
    const quoted = /^'((?:[^']|'')*)'/.exec(text);
    if (quoted !== null) return quoted[1]!.replaceAll("''", "'");
  }
  const comment = text.search(/(?:^|[ \t])#/);
  const plain = comment < 0 ? text : text.slice(0, comment).trim();
  if (plain === "" || plain === "~" || /^null$/i.test(plain)) return null;
  if (/^true$/i.test(plain)) return true;
  if (/^false$/i.test(plain)) return false;
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(plain) && String(Number(plain)) === plain) return Number(plain);
  return plain;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0" };

function unescape(text: string): string {
  return text.replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|(.))/gs, (_, x?: string, u?: string, char?: string) => {
    const code = x ?? u;
    return code === undefined ? (ESCAPES[char!] ?? char!) : String.fromCharCode(parseInt(code, 16));
  });
}
