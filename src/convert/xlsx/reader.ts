/**
 * The independent reader of workbooks: htmlparser2 where the engine uses saxes, its own walk through parts, strings,
 * styles and cells, and its own regions (raw-regions.ts). Numbers: second-format.ts shows them without numfmt wherever it
 * knows the format, 98 % of the different cells of the test set; for the rest (fractions, exponents, conditions, calendars
 * of other languages) numfmt is asked on both sides, so a fault of numfmt there is not seen. What both sides take from
 * ISO 29500 alike is also not checked: which values count as shown, and that formulas stand for results that are missing.
 */
import type { Reader, Reference } from "../engine.js";
import { safeTarget } from "../markdown.js";
import { readRawChart } from "../ooxml/raw-chart.js";
import {
  attributeOf,
  charactersOf,
  elementsIn,
  outermost,
  pathIn,
  RawPackage,
  type RawNode,
} from "../ooxml/raw-package.js";
import { rawParagraphs } from "../ooxml/raw-text.js";
import { sampledPages } from "../pdf/sampling.js";
import { openRawWorkbook, type RawWorkbook } from "./raw-workbook.js";
import { readRawCells } from "./raw-cells.js";
import { partCells, tablesOf } from "./raw-regions.js";

export const reader: Reader = async (original, options) => {
  const office = await RawPackage.open(original.bytes, "xl/workbook.xml");
  const workbook = await openRawWorkbook(office);
  const reading = new WorkbookReading(office, workbook);
  const { sheets } = workbook;
  for (const number of sampledPages(sheets.length, options.sample ?? sheets.length)) reading.sheet(sheets[number - 1]!);
  return reading.result();
};

class WorkbookReading {
  readonly #units: { place?: string; text: string }[] = [];
  readonly #tables: string[][][] = [];
  readonly #links: string[] = [];
  readonly #comments: string[] = [];
  readonly #said: string[] = [];
  readonly #images: string[] = [];
  readonly #persons = new Map<string, string>();

  constructor(
    readonly office: RawPackage,
    readonly workbook: RawWorkbook,
  ) {
    for (const part of office.targetsOf(office.main, "person"))
      for (const { attributes } of elementsIn(office.tree(part), "person"))
        this.#persons.set(attributes.id ?? "", attributes.displayName ?? "");
  }

  sheet({ name, part }: { readonly name: string; readonly part: string | undefined }): void {
    const lines = [name];
    if (part !== undefined) {
      const { cells, links, drawings } = readRawCells(this.office, part, this.workbook);
      for (const region of partCells(cells)) {
        region.sort((a, b) => a.row - b.row || a.column - b.column);
        for (const { text } of region) lines.push(text);
        this.#tables.push(...tablesOf(region));
      }
      this.#links.push(...links.filter((target) => safeTarget(target) !== undefined));
      for (const drawing of drawings) lines.push(...this.#drawing(drawing));
      this.#remarks(part);
    }
    this.#units.push({ place: `sheet ${name}`, text: lines.join("\n") });
  }

  result(): Reference {
    return {
      reader: "raw XML by htmlparser2",
      units: [...this.#units, ...(this.#said.length === 0 ? [] : [{ text: this.#said.join("\n") }])],
      tables: this.#tables,
      links: this.#links,
      comments: this.#comments,
      images: this.#images,
    };
  }

  #drawing(part: string): string[] {
    const lines: string[] = [];
    const targets = this.office.targets(part);
    for (const shape of outermost(this.office.tree(part), "sp", "pic", "graphicFrame", "Fallback")) {
      if (shape.name === "sp") lines.push(...rawParagraphs(pathIn(shape, "txBody")));
      else if (shape.name === "pic") this.#images.push(pathIn(shape, "nvPicPr", "cNvPr")?.attributes.descr ?? "");
      else if (shape.name === "graphicFrame") {
        const id = attributeOf(outermost(shape, "chart")[0]?.attributes ?? {}, "id");
        const chart = targets.get(id ?? "");
        if (chart?.kind === "chart")
          lines.push(...readRawChart(this.office.tree(chart.target), this.workbook.show).titles);
      }
    }
    return lines;
  }

  /** Threads, and the notes of cells that have none. */
  #remarks(part: string): void {
    const taken = new Set<string>();
    for (const list of this.office.targetsOf(part, "threadedComment"))
      for (const remark of elementsIn(this.office.tree(list), "threadedComment")) {
        taken.add(remark.attributes.ref ?? "");
        this.#remark(this.#persons.get(remark.attributes.personId ?? "") ?? "", charactersOf(pathIn(remark, "text")));
      }
    for (const list of this.office.targetsOf(part, "comments")) {
      const root = this.office.tree(list);
      const authors = elementsIn(pathIn(root, "authors"), "author").map((author) => charactersOf(author).trim());
      for (const note of elementsIn(pathIn(root, "commentList"), "comment")) {
        if (taken.has(note.attributes.ref ?? "")) continue;
        this.#remark(authors[Number(note.attributes.authorId)] ?? "", noteText(pathIn(note, "text")));
      }
    }
  }

  #remark(author: string, text: string): void {
    const [start, rest] = [text.trim().slice(0, author.length + 1), text.trim().slice(author.length + 1)];
    const words = author !== "" && start === `${author}:` ? rest.trim() : text.trim();
    this.#comments.push(words);
    this.#said.push(`${author} ${words}`);
  }
}

function noteText(body: RawNode | undefined): string {
  return elementsIn(body, "t", "r")
    .map((run) => charactersOf(run.name === "t" ? run : pathIn(run, "t")))
    .join("")
    .replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCodePoint(Number(`0x${code}`)));
}
