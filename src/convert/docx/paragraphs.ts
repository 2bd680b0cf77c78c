import { child, type XmlElement } from "../xml.js";
import type { Block } from "./blocks.js";
import { isEmpty, plainText, type Inline } from "./inline.js";
import type { Numbered } from "./numbering.js";
import { numberOf, valueOf } from "./properties.js";
import type { DocumentState } from "./state.js";
import { indentOf, type ParagraphStyle } from "./styles.js";

/** A heading of more characters is a clause that has a heading's style: it stays a paragraph. */
const LONGEST_HEADING = 300;

/**
 * What a paragraph is, by its style and properties: heading, item of a list, code, quotation or text. It must be asked for
 * each paragraph in order, an empty one too, because Word counts those of lists.
 *
 * @param inCell in a table a number stands even where no text is behind it: it is the first column of many
 */
export function blockOf(
  state: DocumentState,
  style: ParagraphStyle,
  inlines: readonly Inline[],
  properties: XmlElement | undefined,
  inCell: boolean,
): Block | undefined {
  const numbered = numberOfParagraph(state, style, properties);
  const label = numbered?.label ?? "";
  if (isEmpty(inlines)) return inCell && label !== "" ? { kind: "number", label } : undefined;
  if (style.role === "code" && numbered === undefined) return { kind: "code", text: plainText(inlines) };
  const indent = indentOf(properties) ?? style.indent ?? 0;
  const title = style.role === "title";
  const level = headingLevel(style, properties, indent);
  if ((title || level !== undefined) && plainText(inlines).length <= LONGEST_HEADING)
    return { kind: "heading", level: title ? 1 : level!, title, number: label, inlines };
  if (numbered !== undefined && (numbered.bullet || label !== ""))
    return { kind: "item", ...numbered, indent: indentOf(properties) ?? numbered.indent, inlines };
  if (style.contents !== undefined)
    return { kind: "item", list: "contents", level: style.contents - 1, label: "", indent: 0, inlines };
  return {
    kind: "paragraph",
    inlines,
    quote: style.role === "quote",
    indent: indent === state.styles.paragraph(undefined).indent ? 0 : indent,
    listing: inlines.every(
      (each) => each.kind === "break" || (each.kind === "text" && (each.look.code || each.text.trim() === "")),
    ),
  };
}

function headingLevel(style: ParagraphStyle, properties: XmlElement | undefined, indent: number): number | undefined {
  const outline = numberOf(valueOf(properties, "outlineLvl"));
  if (outline === undefined) return style.heading;
  if (outline === 9) return undefined;
  // Text pasted from a web page keeps its outline level when it is set in as part of a list: it is no heading then.
  return outline >= 0 && outline < 9 && indent === 0 ? outline + 1 : style.heading;
}

function numberOfParagraph(
  { numbering }: DocumentState,
  style: ParagraphStyle,
  properties: XmlElement | undefined,
): Numbered | undefined {
  const direct = properties === undefined ? undefined : child(properties, "numPr");
  const list = valueOf(direct, "numId") ?? style.list;
  if (list === undefined && style.bulleted)
    return { list: style.name, level: style.listLevel ?? 0, bullet: true, label: "", indent: 0 };
  if (list === undefined || list === "0") return undefined;
  const level = numberOf(valueOf(direct, "ilvl")) ?? numbering.levelOfStyle(list, style.id) ?? style.listLevel ?? 0;
  const numbered = numbering.next(list, level);
  // `List Bullet 2` is a list of its own, at its first level.
  const shown = level === 0 && direct === undefined ? (style.listLevel ?? 0) : level;
  return numbered === undefined ? undefined : { ...numbered, level: Math.max(shown, numbered.level) };
}
