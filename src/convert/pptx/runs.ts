import { emphasis, escapeText, link, paragraph as guarded, safeTarget } from "../markdown.js";
import type { OfficePackage } from "../ooxml/package.js";
import { child, children, textOf, type XmlElement } from "../xml.js";
import { relationshipId } from "./presentation.js";

/** Turns a formula of Office (`m:oMath`, `m:oMathPara`) into Markdown. */
export type WriteFormula = (math: XmlElement) => string;

interface Piece {
  text: string;
  readonly markdown: string | undefined;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly strike: boolean;
  readonly target: string | undefined;
}

/** What paragraphs of a part need to be written. */
export interface RunContext {
  readonly office: OfficePackage;
  /** The part that links are relative to. */
  readonly part: string;
  readonly formula: WriteFormula;
}

/**
 * A paragraph as inline Markdown; empty where it shows nothing.
 *
 * @param around the target of a link on the whole shape, taken where no part of the paragraph has a link of its own
 */
export function writeParagraph(paragraph: XmlElement, context: RunContext, around?: string): string {
  const pieces = piecesOf(paragraph, context);
  let markdown = "";
  for (let at = 0; at < pieces.length;) {
    const { target } = pieces[at]!;
    let label = "";
    // A link that is partly bold is one link.
    for (; at < pieces.length && pieces[at]!.target === target; at++)
      label += writePiece(pieces[at]!, pieces[at - 1], pieces[at + 1]);
    markdown += target === undefined ? label : link(label, target);
  }
  // A paragraph ends without its breaks, and breaks in a row are one.
  const lines = markdown.split("\n").map((line) => line.trim());
  const inline = guarded(lines.filter((line) => line !== "").join("\n"));
  return around !== undefined && pieces.every(({ target }) => target === undefined) ? link(inline, around) : inline;
}

/** The paragraph without emphasis and links, on one line: as a heading has it. */
export function writeTitle(paragraph: XmlElement, context: RunContext): string {
  return piecesOf(paragraph, context)
    .map(({ text, markdown }) => markdown ?? escapeText(text))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

/** The target of a link on a shape or a run, where it leads out of the presentation and may stand in Markdown. */
export function linkTarget(
  properties: XmlElement | undefined,
  { office, part }: Pick<RunContext, "office" | "part">,
): string | undefined {
  const click = properties && child(properties, "hlinkClick");
  const target = click && office.relationships(part).get(relationshipId(click) ?? "");
  return target?.external === true && safeTarget(target.target) !== undefined ? target.target : undefined;
}

function piecesOf(paragraph: XmlElement, context: RunContext): Piece[] {
  const pieces: Piece[] = [];
  const add = (piece: Piece): void => {
    const last = pieces.at(-1);
    // Programs cut a word into runs where they please: the same look is one piece.
    if (last?.markdown === undefined && piece.markdown === undefined && last !== undefined && sameLook(last, piece))
      last.text += piece.text;
    else pieces.push(piece);
  };
  for (const node of children(paragraph)) {
    switch (node.name) {
      case "r":
      case "fld": {
        const properties = child(node, "rPr");
        const flags = properties?.attributes ?? {};
        const text = child(node, "t");
        if (text === undefined) break;
        add({
          text: textOf(text).replace(/[\v\r\n]+/g, " "),
          markdown: undefined,
          bold: isOn(flags.b),
          italic: isOn(flags.i),
          strike: flags.strike !== undefined && flags.strike !== "noStrike",
          target: linkTarget(properties, context),
        });
        break;
      }
      case "br":
        add({ ...PLAIN, text: "", markdown: "\n" });
        break;
      case "m":
        for (const math of children(node)) add({ ...PLAIN, text: "", markdown: context.formula(math) });
        break;
      case "AlternateContent": {
        const choice = child(node, "Choice") ?? child(node, "Fallback");
        for (const inner of choice === undefined ? [] : children(choice, "m"))
          for (const math of children(inner)) add({ ...PLAIN, text: "", markdown: context.formula(math) });
        break;
      }
    }
  }
  return pieces;
}

const PLAIN = { bold: false, italic: false, strike: false, target: undefined } as const;

function sameLook(a: Piece, b: Piece): boolean {
  return a.bold === b.bold && a.italic === b.italic && a.strike === b.strike && a.target === b.target;
}

function isOn(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

function writePiece(piece: Piece, before: Piece | undefined, after: Piece | undefined): string {
  if (piece.markdown !== undefined) return piece.markdown;
  const inline = escapeText(piece.text);
  // Within a word the signs of emphasis may not count as such.
  const inWord =
    (isWord(before?.text.at(-1)) && isWord(piece.text[0])) || (isWord(piece.text.at(-1)) && isWord(after?.text[0]));
  return inWord ? inline : emphasis(inline, piece);
}

function isWord(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{M}\p{N}]/u.test(sign);
}
