import type { Finding, Withheld } from "../engine.js";
import { emphasis, escapeText, heading, image, link, listItem, table } from "../markdown.js";
import { readChart } from "../ooxml/chart.js";
import { alternatives } from "../ooxml/drawing-text.js";
import type { NumberFormatter } from "../ooxml/number-format.js";
import { child, children, descendants, textOf, type XmlElement } from "../xml.js";
import { writeDiagram } from "./diagram.js";
import { Bullets, isTitle, levelOf, placeholderOf } from "./placeholders.js";
import { relationshipId } from "./presentation.js";
import { linkTarget, writeParagraph, writeTitle, type RunContext } from "./runs.js";
import { writeTable } from "./table.js";

/** What the shapes of all slides share. */
export interface ShapeContext {
  readonly bullets: Bullets;
  readonly format: NumberFormatter;
  /** Texts of footers and dates that stand in the Markdown already. */
  readonly margin: Set<string>;
  withhold(kind: Withheld["kind"], text: string): void;
  note(severity: Finding["severity"], kind: string, text: string): void;
}

/** Groups in groups that are gone into; PowerPoint's own files have a few. */
const DEEPEST_GROUP = 50;

/** The shapes of one slide or of its notes as blocks of Markdown, in the order of the shape tree, the title first. */
export class ShapeWriter {
  readonly blocks: string[] = [];
  #groups = 0;

  constructor(
    readonly shared: ShapeContext,
    readonly runs: RunContext,
    /** As a finding names it: `Slide 3`. */
    readonly place: string,
  ) {}

  tree(tree: XmlElement): void {
    const shapes = children(tree);
    for (const shape of shapes) if (isTitle(shape)) this.#title(shape);
    for (const shape of shapes) if (!isTitle(shape)) this.shape(shape);
  }

  shape(shape: XmlElement): void {
    switch (shape.name) {
      case "sp":
        this.#text(shape);
        break;
      case "pic":
        this.#picture(shape);
        break;
      case "graphicFrame":
        this.#frame(shape);
        break;
      case "grpSp":
        if (++this.#groups <= DEEPEST_GROUP) this.tree(shape);
        else
          this.shared.note(
            "warn",
            "deep groups",
            `${this.place} nests more than ${DEEPEST_GROUP} groups; what is deeper is left out.`,
          );
        this.#groups--;
        break;
      case "AlternateContent": {
        const before = this.blocks.length;
        for (const choice of alternatives(shape)) {
          for (const each of choice) this.shape(each);
          if (this.blocks.length > before) break;
        }
        break;
      }
      case "contentPart":
        this.shared.note("note", "ink", `${this.place} holds handwriting, which is not recognised.`);
    }
  }

  /** An empty block would pass for something said where the older of two ways is still to be tried. */
  #add(block: string): void {
    if (block !== "") this.blocks.push(block);
  }

  #title(shape: XmlElement): void {
    const body = child(shape, "txBody");
    const target = shapeLink(shape, this.runs);
    const text = (body === undefined ? [] : children(body, "p"))
      .map((each) => writeTitle(each, this.runs))
      .filter((line) => line !== "")
      .join(" ");
    const own = body === undefined ? [] : [...descendants(body, "rPr")].map((each) => linkTarget(each, this.runs));
    const around = target ?? own.find((each) => each !== undefined);
    if (text !== "") this.blocks.push(heading(2, around === undefined ? text : link(text, around)));
  }

  #text(shape: XmlElement): void {
    const body = child(shape, "txBody");
    if (body === undefined) return;
    const type = placeholderOf(shape)?.type;
    if (type === "sldImg") return;
    if (type === "sldNum" || type === "ftr" || type === "dt" || type === "hdr") {
      this.#margin(body, type);
      return;
    }
    this.blocks.push(...this.#paragraphs(body, shape));
  }

  /** Footer and date stand on every slide and are written once; the number of the slide is its marker's. */
  #margin(body: XmlElement, type: string): void {
    const lines = children(body, "p").map((each) => writeParagraph(each, this.runs));
    const text = lines.filter((line) => line !== "").join("\n");
    if (text === "") return;
    const plain = children(body, "p").map(textOf).join(" ");
    if (type === "sldNum") this.shared.withhold("page-number", plain);
    else if (this.shared.margin.has(text)) this.shared.withhold("running-head", plain);
    else {
      this.shared.margin.add(text);
      this.blocks.push(text);
    }
  }

  #paragraphs(body: XmlElement, shape: XmlElement): string[] {
    const blocks: string[] = [];
    let list: { readonly level: number; number: number | undefined }[] = [];
    let lines: string[] = [];
    const endList = (): void => {
      if (lines.length > 0) blocks.push(lines.join("\n"));
      list = [];
      lines = [];
    };
    let around = shapeLink(shape, this.runs);
    for (const paragraph of children(body, "p")) {
      const inline = writeParagraph(paragraph, this.runs, around);
      if (inline === "") continue;
      if (isSlideNumber(paragraph)) {
        this.shared.withhold("page-number", textOf(paragraph));
        continue;
      }
      around = undefined;
      const bullet = this.shared.bullets.of(paragraph, shape, this.runs.part);
      if (bullet === "none") {
        endList();
        blocks.push(inline);
        continue;
      }
      const level = levelOf(paragraph);
      while (list.length > 0 && list.at(-1)!.level > level) list.pop();
      if (list.at(-1)?.level !== level) list.push({ level, number: undefined });
      const open = list.at(-1)!;
      const starts = open.number === undefined;
      open.number = bullet === "bullet" ? undefined : open.number === undefined ? bullet.from : open.number + 1;
      // Only a list that begins with 1 may follow the words of its item without an empty line (CommonMark 5.3).
      if (starts && lines.length > 0 && open.number !== undefined && open.number !== 1) lines.push("");
      lines.push(listItem(open.number === undefined ? "-" : `${open.number}.`, inline, list.length - 1));
    }
    endList();
    return blocks;
  }

  #picture(picture: XmlElement): void {
    const [properties] = descendants(picture, "cNvPr");
    const [blip] = descendants(picture, "blip");
    const { office, part } = this.runs;
    const target = office.relationships(part).get(blip?.attributes.embed ?? blip?.attributes.link ?? "");
    const { descr = "", name = "" } = properties?.attributes ?? {};
    if (target === undefined || (!target.external && !office.archive.has(target.target)))
      this.shared.note(
        "warn",
        "missing picture",
        `${this.place} holds a picture (“${name}”) whose data are not in the file.`,
      );
    const shown = image(descr, target?.target ?? name);
    const around = linkTarget(properties, this.runs);
    this.blocks.push(around === undefined ? shown : link(shown, around));
  }

  #frame(frame: XmlElement): void {
    const graphic = child(frame, "graphic");
    const data = graphic && child(graphic, "graphicData");
    if (data === undefined) return;
    for (const content of children(data)) this.#content(content);
  }

  #content(content: XmlElement): void {
    const target = (id: string | undefined): string | undefined =>
      this.runs.office.relationships(this.runs.part).get(id ?? "")?.target;
    switch (content.name) {
      case "tbl":
        this.#add(writeTable(content, this.runs));
        return;
      case "chart":
        this.#chart(target(relationshipId(content)), content.uri.includes("chartex"));
        return;
      case "relIds": {
        const part = target(content.attributes.dm);
        const model = part === undefined ? undefined : this.runs.office.tree(part);
        if (model !== undefined) this.#add(writeDiagram(model));
        return;
      }
      case "AlternateContent": {
        const before = this.blocks.length;
        for (const choice of alternatives(content)) {
          for (const each of choice) this.#content(each);
          if (this.blocks.length > before) break;
        }
        return;
      }
      case "oleObj": {
        const kind = content.attributes.progId ?? "of an unknown kind";
        this.shared.note(
          "note",
          "embedded object",
          `${this.place} holds an embedded object (${kind}), which is not converted; its picture is named.`,
        );
        for (const picture of children(content, "pic")) this.#picture(picture);
        return;
      }
      default:
        this.shared.note(
          "warn",
          "unknown shape",
          `${this.place} holds a shape of a kind that is not converted (${content.name}).`,
        );
    }
  }

  #chart(part: string | undefined, newer: boolean): void {
    const space = part === undefined ? undefined : this.runs.office.tree(part);
    if (space === undefined) return;
    if (newer) {
      this.shared.note(
        "warn",
        "chart",
        `${this.place} holds a chart of a newer kind, of which only the title is converted.`,
      );
      const title = [...descendants(space, "title")]
        .flatMap((each) => [...descendants(each, "t")])
        .map(textOf)
        .join(" ");
      if (title.trim() !== "") this.blocks.push(emphasis(escapeText(title), { bold: true }));
      return;
    }
    const { titles, tables } = readChart(space, this.shared.format);
    if (titles.length > 0) this.blocks.push(emphasis(titles.map(escapeText).join(", "), { bold: true }));
    for (const rows of tables)
      if (rows.length > 0)
        this.blocks.push(table(rows.map((row) => row.map((text) => ({ markdown: escapeText(text) })))));
  }
}

function shapeLink(shape: XmlElement, runs: RunContext): string | undefined {
  const properties = child(shape, "nvSpPr");
  return linkTarget(properties && child(properties, "cNvPr"), runs);
}

/** Older programs put the number of a slide into a box of its own, which no placeholder tells apart. */
function isSlideNumber(paragraph: XmlElement): boolean {
  const runs = children(paragraph).filter(
    ({ name }) => name === "r" || name === "fld" || name === "br" || name === "m",
  );
  return runs.length === 1 && runs[0]!.name === "fld" && runs[0]!.attributes.type === "slidenum";
}
