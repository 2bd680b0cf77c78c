import type { Conversion, Engine, Finding } from "../engine.js";
import { escapeText, heading, listItem, marker } from "../markdown.js";
import { startsWith } from "../signatures.js";
import { cellName } from "../xlsx/reference.js";
import { child, children, textOf, type XmlElement } from "../xml.js";
import { openOdf, propertiesOf, type OdfDocument } from "./document.js";
import { writeGrid } from "./grid.js";
import { readSheets } from "./sheets.js";
import { Story } from "./story.js";

const ENGINE = "OpenDocument XML";

/** Texts, spreadsheets and presentations of LibreOffice and others. */
export const engine: Engine = (original) => {
  const kind = kindOf(original.bytes);
  const document = openOdf(original.bytes, kind);
  const made =
    kind === "text"
      ? convertText(document)
      : kind === "spreadsheet"
        ? convertSheets(document)
        : convertSlides(document);
  const markdown = made.blocks.filter((block) => block !== "").join("\n\n");
  return Promise.resolve({
    engine: ENGINE,
    markdown: markdown === "" ? "" : `${markdown}\n`,
    ...propertiesOf(document),
    ...(made.pagesTotal !== undefined && { pagesTotal: made.pagesTotal }),
    withheld: made.withheld,
    labels: made.labels,
    findings: [...document.findings, ...made.findings],
  });
};

/** Which of the three it is, by what the archive says of itself in its first part, which is never compressed. */
export function kindOf(bytes: Uint8Array): "text" | "spreadsheet" | "presentation" {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 8_192)).toString("latin1");
  const stated = /application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/.exec(start)?.[1];
  if (stated !== undefined) return stated as "text" | "spreadsheet" | "presentation";
  if (startsWith(bytes, "PK"))
    for (const kind of ["spreadsheet", "presentation"] as const)
      if (start.includes(`opendocument.${kind}`)) return kind;
  return "text";
}

interface Made extends Pick<Conversion, "withheld" | "labels"> {
  readonly blocks: readonly string[];
  readonly findings: readonly Finding[];
  readonly pagesTotal?: number;
}

function convertText(document: OdfDocument): Made {
  const story = new Story(document);
  const blocks = story.blocks(document.body);
  const heads = headsAndFeet(document, story);
  const back = story.backMatter();
  const findings: Finding[] = [];
  if (story.deletions > 0)
    findings.push({
      severity: "note",
      kind: "tracked changes",
      text: `Changes are tracked: the text stands as if all were accepted, what was deleted (${story.deletions}) is listed at the end.`,
    });
  return { blocks: [...blocks, ...back, ...heads], withheld: hiddenText(story), labels: story.labels, findings };
}

function hiddenText({ hidden }: Story): Conversion["withheld"] {
  return hidden.map((text) => ({ kind: "hidden" as const, text }));
}

/** Heads and feet of the pages, each text once: they stand in the master pages, among the styles. */
function headsAndFeet(document: OdfDocument, story: Story): string[] {
  const known = new Set<string>();
  for (const holder of document.styles) {
    if (holder.name !== "master-styles") continue;
    for (const page of children(holder, "master-page"))
      for (const part of children(page))
        if (/^(?:header|footer)(?:-left|-first)?$/.test(part.name))
          for (const block of story.blocks(part)) if (block.trim() !== "") known.add(block);
  }
  if (known.size === 0) return [];
  story.labels.push("Headers and footers");
  return ["## Headers and footers", ...known];
}

function convertSheets(document: OdfDocument): Made {
  const story = new Story(document);
  const blocks: string[] = [];
  const labels: string[] = [];
  const findings: Finding[] = [];
  const comments: string[] = [];
  const hidden = hiddenStyles(document, "table-properties", "display", "false");
  const sheets = readSheets(document.body, (style) => style !== undefined && hidden.has(style));
  for (const sheet of sheets) {
    blocks.push(heading(2, escapeText(sheet.name)));
    if (sheet.hidden) {
      labels.push("Hidden sheet");
      blocks.push("*Hidden sheet*");
      findings.push({
        severity: "note",
        kind: "hidden sheet",
        text: `The sheet “${sheet.name}” is hidden; it is converted like the others.`,
      });
    }
    if (sheet.cut)
      findings.push({
        severity: "warn",
        kind: "repeated cells",
        text: `The sheet “${sheet.name}” repeats cells without end: a thousand copies of each were converted, and a million cells.`,
      });
    blocks.push(...writeGrid(sheet.name, sheet.cells, sheet.merges));
    if (sheet.shapes !== undefined) blocks.push(...story.blocks(sheet.shapes));
    for (const { row, column, annotation } of sheet.annotations) {
      const place = `${sheet.name}!${cellName(row, column)}`;
      const author = child(annotation, "creator");
      const said = author === undefined ? "" : ` (${escapeText(textOf(author))})`;
      const text = children(annotation, "p")
        .flatMap((p) => story.block(p))
        .join(" ");
      labels.push(place + said);
      comments.push(listItem("-", `${escapeText(place)}${said}: ${text.replace(/\s*\n\s*/g, " ")}`, 0));
    }
  }
  if (comments.length > 0) {
    labels.push("Comments");
    blocks.push("## Comments", comments.join("\n"));
  }
  return {
    blocks,
    withheld: hiddenText(story),
    labels: [...labels, ...story.labels],
    findings,
    pagesTotal: sheets.length,
  };
}

/** Names of styles in which a property has a value. */
function hiddenStyles(document: OdfDocument, properties: string, name: string, value: string): Set<string> {
  const found = new Set<string>();
  for (const holder of document.styles)
    for (const style of children(holder, "style"))
      if (child(style, properties)?.attributes[name] === value) found.add(style.attributes.name ?? "");
  return found;
}

function convertSlides(document: OdfDocument): Made {
  const story = new Story(document);
  const blocks: string[] = [];
  const findings: Finding[] = [];
  const hidden = hiddenStyles(document, "drawing-page-properties", "visibility", "hidden");
  const pages = children(document.body, "page");
  const label = (words: string): string => {
    story.labels.push(words);
    return words;
  };
  pages.forEach((page, index) => {
    const number = index + 1;
    blocks.push(marker({ kind: "slide", number }));
    if (hidden.has(page.attributes["style-name"] ?? "")) {
      blocks.push(`*${label("Hidden slide")}*`);
      findings.push({
        severity: "note",
        kind: "hidden slide",
        text: `Slide ${number} is hidden when the presentation is shown; it is converted like the others.`,
      });
    }
    let titled = false;
    for (const shape of children(page)) {
      if (shape.name === "notes") continue;
      const isTitle = shape.attributes.class === "title" && !titled;
      const inside = shapeBlocks(story, shape);
      if (isTitle && inside.length > 0) {
        titled = true;
        blocks.push(heading(2, inside.join(" ").replace(/\\?\n+/g, " ")));
      } else blocks.push(...inside);
    }
    const notes = child(page, "notes");
    const said = notes === undefined ? [] : children(notes).flatMap((shape) => shapeBlocks(story, shape));
    if (said.length > 0) blocks.push(`### ${label("Speaker notes")}`, ...said);
  });
  return {
    blocks: [...blocks, ...story.backMatter()],
    withheld: hiddenText(story),
    labels: story.labels,
    findings,
    pagesTotal: pages.length,
  };
}

/** What a shape says; the number of the page that it stands on is no text. */
function shapeBlocks(story: Story, shape: XmlElement): string[] {
  if (shape.attributes.class === "page-number") return [];
  const block = story.block(shape);
  return (typeof block === "string" ? [block] : block).filter((each) => each !== "");
}
