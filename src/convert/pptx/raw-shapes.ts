import { readRawChart } from "../ooxml/raw-chart.js";
import {
  charactersOf,
  elementsIn,
  outermost,
  pathIn,
  type RawNode,
  type RawPackage,
  type RawTarget,
} from "../ooxml/raw-package.js";
import { rawParagraphs } from "../ooxml/raw-text.js";

export type Show = (code: string, value: number) => string;

/** Kinds of placeholders that a sheet of notes repeats from the slide or prints on every sheet. */
const SHEET_OF_NOTES = ["sldImg", "sldNum", "hdr", "ftr", "dt"];

/** What one slide, or one sheet of notes, says: gathered shape by shape. */
export class SlideReading {
  readonly lines: string[] = [];
  readonly tables: string[][][] = [];
  readonly links: string[] = [];
  readonly images: string[] = [];
  readonly formulas: string[] = [];
  readonly #targets: ReadonlyMap<string, RawTarget>;

  constructor(
    readonly office: RawPackage,
    part: string,
    readonly show: Show,
  ) {
    this.#targets = office.targets(part);
  }

  read(tree: RawNode, asNotes: boolean): void {
    const all = elementsIn(tree).filter((shape) => !asNotes || !SHEET_OF_NOTES.includes(holder(shape) ?? ""));
    const [titles, others] = [all.filter(isHeading), all.filter((shape) => !isHeading(shape))];
    for (const shape of [...titles, ...others]) this.#shape(shape, 0);
  }

  #size(): number {
    return this.lines.length + this.images.length + this.formulas.length;
  }

  #shape(shape: RawNode, depth: number): void {
    if (depth > 50) return;
    if (shape.name === "grpSp") {
      const inside = elementsIn(shape);
      for (const each of [...inside.filter(isHeading), ...inside.filter((one) => !isHeading(one))])
        this.#shape(each, depth + 1);
    } else if (shape.name === "sp") this.#textShape(shape);
    else if (shape.name === "pic") this.#picture(shape);
    else if (shape.name === "graphicFrame")
      for (const content of elementsIn(pathIn(shape, "graphic", "graphicData"))) this.#content(content);
    else if (shape.name === "AlternateContent")
      this.#either(shape, (each) => {
        this.#shape(each, depth);
      });
  }

  /** The newer of two ways to say it, or the older where the newer says nothing. */
  #either(choice: RawNode, take: (content: RawNode) => void): void {
    const size = this.#size();
    for (const branch of [...elementsIn(choice, "Choice"), ...elementsIn(choice, "Fallback")]) {
      elementsIn(branch).forEach(take);
      if (this.#size() > size) return;
    }
  }

  #textShape(shape: RawNode): void {
    if (holder(shape) === "sldImg") return;
    const paragraphs = elementsIn(pathIn(shape, "txBody"), "p");
    const whole = this.#target(pathIn(shape, "nvSpPr", "cNvPr"));
    if (isHeading(shape)) {
      const inner = paragraphs.map((each) => this.#paragraph(each)).flatMap(({ links }) => links);
      const text = this.lines.length > 0 && paragraphs.some((each) => plain(each).trim() !== "");
      const first = whole ?? inner[0];
      if (first !== undefined && text) this.links.push(first);
      return;
    }
    let unused = ["sldNum", "ftr", "dt", "hdr"].includes(holder(shape) ?? "") ? undefined : whole;
    for (const each of paragraphs) {
      const { links, filled } = this.#paragraph(each);
      this.links.push(...links);
      if (!filled) continue;
      if (unused !== undefined && links.length === 0) this.links.push(unused);
      unused = undefined;
    }
  }

  /** Takes the words and formulas of a paragraph. @returns its links, a run of pieces with one target being one */
  #paragraph(paragraph: RawNode): { readonly links: string[]; readonly filled: boolean } {
    const text = plain(paragraph);
    if (text.trim() !== "") this.lines.push(text);
    const math = outermost(paragraph, "oMath", "Fallback").filter(({ name }) => name === "oMath");
    this.formulas.push(...math.map((each) => outermost(each, "t").map(charactersOf).join("")));
    const links: string[] = [];
    let open: string | undefined;
    for (const piece of elementsIn(paragraph)) {
      if (!["r", "fld", "br", "m"].includes(piece.name)) continue;
      const target = piece.name === "r" || piece.name === "fld" ? this.#target(pathIn(piece, "rPr")) : undefined;
      if (charactersOf(pathIn(piece, "t")).trim() !== "" && target !== undefined && target !== open) links.push(target);
      open = target;
    }
    return { links, filled: text.trim() !== "" || math.length > 0 };
  }

  #target(properties: RawNode | undefined): string | undefined {
    const click = pathIn(properties, "hlinkClick")?.attributes ?? {};
    const id = Object.entries(click).find(([name]) => name.endsWith(":id"))?.[1];
    const target = this.#targets.get(id ?? "");
    return target?.external === true ? target.target : undefined;
  }

  #picture(picture: RawNode): void {
    const properties = outermost(picture, "cNvPr")[0];
    this.images.push(properties?.attributes.descr ?? "");
    const target = this.#target(properties);
    if (target !== undefined) this.links.push(target);
  }

  #content(content: RawNode): void {
    switch (content.name) {
      case "tbl":
        this.#table(content);
        break;
      case "chart": {
        const space = this.#part(content, /:id$/);
        if (pathIn(space, "chartData") !== undefined) {
          const title = outermost(pathIn(space, "chart", "title"), "t")
            .map(charactersOf)
            .join(" ");
          if (title.trim() !== "") this.lines.push(title);
          break;
        }
        const { titles, tables } = readRawChart(space, this.show);
        this.lines.push(...titles, ...tables.flat(2).filter((text) => text !== ""));
        this.tables.push(...tables.map((rows) => rows.map((row) => [...row])));
        break;
      }
      case "relIds":
        for (const point of elementsIn(pathIn(this.#part(content, /(?:^|:)dm$/), "ptLst"), "pt"))
          if (!["pres", "parTrans", "sibTrans"].includes(point.attributes.type ?? ""))
            this.lines.push(...rawParagraphs(pathIn(point, "t")));
        break;
      case "AlternateContent":
        this.#either(content, (each) => {
          this.#content(each);
        });
        break;
      case "oleObj":
        for (const picture of elementsIn(content, "pic")) this.#picture(picture);
    }
  }

  #part(content: RawNode, attribute: RegExp): RawNode | undefined {
    const id = Object.entries(content.attributes).find(([name]) => attribute.test(name))?.[1];
    const target = this.#targets.get(id ?? "");
    return target === undefined || target.external ? undefined : this.office.tree(target.target);
  }

  #table(element: RawNode): void {
    const covered = (cell: RawNode): boolean =>
      ["1", "true"].some((on) => cell.attributes.hMerge === on || cell.attributes.vMerge === on);
    const rows = elementsIn(element, "tr").map((row) =>
      elementsIn(row, "tc")
        .filter((cell) => !covered(cell))
        .map((cell) => {
          const paragraphs = elementsIn(pathIn(cell, "txBody"), "p");
          for (const each of paragraphs) this.links.push(...this.#paragraph(each).links);
          return paragraphs
            .map(plain)
            .filter((text) => text.trim() !== "")
            .join("\n");
        }),
    );
    if (rows.flat().some((text) => text !== "")) this.tables.push(rows);
  }
}

/** The characters of a paragraph without its formulas. */
function plain(paragraph: RawNode): string {
  return elementsIn(paragraph, "r", "fld", "br")
    .map((piece) => (piece.name === "br" ? "\n" : charactersOf(pathIn(piece, "t"))))
    .join("");
}

/** The kind of placeholder that a shape is; undefined where it is none. */
function holder(shape: RawNode): string | undefined {
  for (const properties of elementsIn(shape)) {
    const place = pathIn(properties, "nvPr", "ph");
    if (place !== undefined) return place.attributes.type ?? "obj";
  }
  return undefined;
}

function isHeading(shape: RawNode): boolean {
  return ["title", "ctrTitle"].includes(holder(shape) ?? "");
}
