import { codeSpan, emphasis, escapeText, formula, image, link } from "../markdown.js";

/** How a piece of text looks. */
export interface Look {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly strike: boolean;
  readonly code: boolean;
  readonly script: "" | "sub" | "sup";
  /** Where it leads; empty where it is no link. */
  readonly target: string;
}

export const PLAIN: Look = { bold: false, italic: false, strike: false, code: false, script: "", target: "" };

/** What a paragraph is made of. */
export type Inline =
  | { readonly kind: "text"; readonly text: string; readonly look: Look }
  | { readonly kind: "break" }
  | { readonly kind: "image"; readonly alt: string; readonly name: string; readonly target: string }
  | { readonly kind: "formula"; readonly latex: string; readonly display: boolean }
  | { readonly kind: "note"; readonly label: string };

/** The text of inlines as a person reads it, line breaks as they are. */
export function plainText(inlines: readonly Inline[]): string {
  return inlines.map((each) => (each.kind === "text" ? each.text : each.kind === "break" ? "\n" : "")).join("");
}

/** Whether there is anything to see. */
export function isEmpty(inlines: readonly Inline[]): boolean {
  return inlines.every((each) => each.kind === "break" || (each.kind === "text" && each.text.trim() === ""));
}

export interface WritingOptions {
  /** What a line break becomes: a hard break in a paragraph, a line end in a cell, a blank in a heading. */
  readonly lineBreak: "\\\n" | "\n" | " ";
  /** Bold says nothing where everything is: in a heading. */
  readonly bold?: boolean;
}

interface Context extends WritingOptions {
  /** A dollar of the text has to be guarded even where it stands alone in its run. */
  readonly dollars: boolean;
}

/** Inlines as inline Markdown, without blanks or breaks at its ends. */
export function writeInlines(inlines: readonly Inline[], options: WritingOptions): string {
  const tidy = joined(trimmed(options.bold === false ? inlines.map(withoutBold) : inlines));
  // Two dollars of different runs, or one and a formula, would be the ends of a formula.
  const dollars = tidy.filter((each) => each.kind === "formula" || (each.kind === "text" && each.text.includes("$")));
  const written = nested(tidy, 0, { ...options, dollars: dollars.length > 1 }).replace(/^ +| +$/g, "");
  const [first] = tidy;
  // A bracket that begins the paragraph and a later `]:` would define a link, and the text be gone.
  const defines =
    first?.kind === "text" && first.look.target === "" && written.startsWith("[") && written.includes("]:");
  return defines ? `\\${written}` : written;
}

function withoutBold(inline: Inline): Inline {
  return inline.kind === "text" ? { ...inline, look: { ...inline.look, bold: false } } : inline;
}

/** Without what is empty at both ends: a break there would be a backslash that shows. */
function trimmed(inlines: readonly Inline[]): readonly Inline[] {
  const blank = (each: Inline): boolean => each.kind === "break" || (each.kind === "text" && each.text.trim() === "");
  let from = 0;
  let to = inlines.length;
  while (from < to && blank(inlines[from]!)) from++;
  while (to > from && blank(inlines[to - 1]!)) to--;
  return inlines.slice(from, to);
}

/** Neighbours that look the same as one; blanks between two looks take what both have, so that `**a** **b**` is `**a b**`. */
function joined(inlines: readonly Inline[]): Inline[] {
  const result: Inline[] = [];
  /** For each inline the next one that is no blank, found once from the end. */
  const following = new Array<Inline | undefined>(inlines.length);
  for (let at = inlines.length - 1, next: Inline | undefined; at >= 0; at--) {
    following[at] = next;
    if (!isBlankText(inlines[at]!)) next = inlines[at];
  }
  for (const [index, inline] of inlines.entries()) {
    let next = inline;
    if (next.kind === "text") {
      if (next.text === "") continue;
      if (isBlankText(next) && !next.look.code) next = { ...next, look: shared(result.at(-1), following[index]) };
      const last = result.at(-1);
      if (last?.kind === "text" && sameLook(last.look, next.look)) {
        result[result.length - 1] = { ...last, text: last.text + next.text };
        continue;
      }
    }
    result.push(next);
  }
  return result;
}

function isBlankText(inline: Inline): boolean {
  return inline.kind === "text" && inline.text.trim() === "";
}

function shared(before: Inline | undefined, after: Inline | undefined): Look {
  if (before?.kind !== "text" || after?.kind !== "text") return PLAIN;
  const [a, b] = [before.look, after.look];
  return {
    bold: a.bold && b.bold,
    italic: a.italic && b.italic,
    strike: a.strike && b.strike,
    code: a.code && b.code,
    script: "",
    target: a.target === b.target ? a.target : "",
  };
}

function sameLook(a: Look, b: Look): boolean {
  return (
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.strike === b.strike &&
    a.code === b.code &&
    a.script === b.script &&
    a.target === b.target
  );
}

/** From the outermost to the innermost: what is shared by neighbours is written once around them. */
const LAYERS = ["target", "strike", "bold", "italic"] as const;

function nested(inlines: readonly Inline[], layer: number, options: Context): string {
  const name = LAYERS[layer];
  const pieces: Piece[] = [];
  if (name === undefined) {
    for (const each of inlines) pieces.push({ text: leaf(each, options), wrap: undefined, note: each.kind === "note" });
    return assembled(pieces, undefined);
  }
  for (let from = 0; from < inlines.length;) {
    const value = layerOf(inlines, from, name);
    let to = from + 1;
    while (to < inlines.length && layerOf(inlines, to, name) === value) to++;
    const inside = nested(inlines.slice(from, to), layer + 1, options);
    pieces.push({
      text: inside,
      wrap: value === "" || value === false ? undefined : value === true ? true : value,
      note: inlines[to - 1]!.kind === "note",
    });
    from = to;
  }
  return assembled(pieces, name);
}

/** The value of a layer at an inline. What is no text goes with its neighbours, where these agree. */
function layerOf(inlines: readonly Inline[], at: number, name: (typeof LAYERS)[number]): string | boolean {
  const inline = inlines[at]!;
  if (inline.kind === "text") return inline.look[name];
  if (inline.kind === "image" && name === "target") return inline.target;
  const [before, after] = [inlines[at - 1], inlines[at + 1]];
  const none = name === "target" ? "" : false;
  if (inline.kind === "break" && before?.kind === "text" && after?.kind === "text")
    return before.look[name] === after.look[name] ? before.look[name] : none;
  return none;
}

function leaf(inline: Inline, { lineBreak, dollars }: Context): string {
  switch (inline.kind) {
    case "break":
      return lineBreak;
    case "image":
      return image(inline.alt, inline.name);
    case "formula":
      return formula(inline.latex, false);
    case "note":
      return `[^${inline.label}]`;
    case "text": {
      const { code, script } = inline.look;
      const [, start, inside, end] = /^(\s*)([\s\S]*?)(\s*)$/.exec(inline.text)!;
      if (inside === "") return inline.text === "" ? "" : " ";
      const written = code ? codeSpan(inside!) : escaped(inside!, inline.look, dollars);
      const marked = script === "" ? written : `<${script}>${written}</${script}>`;
      return (start === "" ? "" : " ") + marked + (end === "" ? "" : " ");
    }
  }
}

/** Text between delimiters may hold none that would end or upset them; what is escaped already stays. */
function escaped(text: string, { target, strike }: Look, dollars: boolean): string {
  const signs = `${target === "" ? "" : "[]"}${strike ? "~" : ""}${dollars ? "$" : ""}`;
  return escapeText(text).replace(/\\[!-/:-@[-`{-~]|[[\]~$]/g, (found) =>
    found.length === 1 && signs.includes(found) ? `\\${found}` : found,
  );
}

interface Piece {
  readonly text: string;
  /** A target, or that the layer is on. */
  readonly wrap: string | true | undefined;
  /** It ends in the reference to a note. */
  readonly note: boolean;
}

const TAGS = { strike: "del", bold: "strong", italic: "em" } as const;

function assembled(pieces: readonly Piece[], name: (typeof LAYERS)[number] | undefined): string {
  const shown = pieces.filter(({ text }) => text !== "");
  const written: string[] = [];
  for (const [index, piece] of shown.entries()) {
    let { text } = piece;
    // Only the end of what was written counts: a paragraph may have thousands of runs.
    const last = written.at(-1) ?? "";
    if (typeof piece.wrap === "string") text = link(text, piece.wrap);
    else if (piece.wrap === true && name !== undefined && name !== "target")
      text = marked(text, name, last.slice(-2), shown[index + 1]?.text.slice(0, 2) ?? "");
    // `!` before a bracket would make a link an image; a bracket behind a note would make it a link.
    if (text.startsWith("[") && last.endsWith("!") && !last.endsWith("\\!"))
      written[written.length - 1] = `${last.slice(0, -1)}\\!`;
    if (shown[index - 1]?.note === true && /^[([:]/.test(text)) text = `\\${text}`;
    written.push(text);
  }
  return written.join("");
}

/**
 * Emphasis that is read as such. Between a letter and a mark of punctuation delimiters do not count (CommonMark 6.2): the
 * mark then stays outside, and where that does not help tags of HTML say it.
 */
function marked(inline: string, name: keyof typeof TAGS, before: string, after: string): string {
  const [, start, inside, end] = /^((?:\s|\\\n)*)([\s\S]*?)((?:\s|\\\n)*)$/.exec(inline)!;
  if (inside === "") return inline;
  const touchesBefore = start === "" && /[\p{L}\p{N}]$/u.test(before);
  const touchesAfter = end === "" && /^[\p{L}\p{N}]/u.test(after);
  let [core, left, right] = [inside!, "", ""];
  if (touchesAfter) {
    const found =
      /^([\s\S]*[^\s\\.,:;!?'"”’»)\]…。，：；！？、）」』】])([.,:;!?'"”’»)…。，：；！？、）」』】]+)$/u.exec(core);
    if (found !== null) [core, right] = [found[1]!, found[2]!];
  }
  if (touchesBefore) {
    const found = /^(['"“‘«(¿¡（「『【]+)([\s\S]+)$/u.exec(core);
    if (found !== null) [left, core] = [found[1]!, found[2]!];
  }
  const blocked =
    (touchesBefore && left === "" && isPunctuation(core, "first")) ||
    (touchesAfter && right === "" && isPunctuation(core, "last")) ||
    // A delimiter right behind another of its kind would be read as one of both.
    (start === "" && /[*~]$/.test(before)) ||
    (end === "" && /^[*~]/.test(after)) ||
    // `***a* and *b***` closes in the wrong order.
    (name === "bold" && /^\*.*\*$/s.test(core) && (core.match(/(?<!\\)\*/g) ?? []).length > 2);
  const text = blocked ? `<${TAGS[name]}>${core}</${TAGS[name]}>` : emphasis(core, { [name]: true });
  return start! + left + text + right + end!;
}

function isPunctuation(text: string, which: "first" | "last"): boolean {
  return (which === "first" ? /^[\p{P}\p{S}]/u : /[\p{P}\p{S}]$/u).test(text);
}
