import type { Engine, Finding, Withheld } from "../engine.js";
import { escapeText, formula, heading, listItem, marker } from "../markdown.js";
import { ommlToLatex } from "../math/omml.js";
import { loadNumberFormatter, type NumberFormatter } from "../ooxml/number-format.js";
import { OfficePackage } from "../ooxml/package.js";
import { sampledPages } from "../pdf/sampling.js";
import { child, descendants, type XmlElement } from "../xml.js";
import { readAuthors, readComments } from "./comments.js";
import { Bullets, placeholderOf } from "./placeholders.js";
import { listSlides, type SlideEntry } from "./presentation.js";
import { ShapeWriter, type ShapeContext } from "./shapes.js";

/** Presentations of PowerPoint 2007 and later, shows and templates included. */
export const engine: Engine = async (original, options) => {
  const office = OfficePackage.open(original.bytes, "ppt/presentation.xml");
  const slides = listSlides(office);
  const writer = new PresentationWriter(office, await loadNumberFormatter());
  for (const number of sampledPages(slides.length, options.sample ?? slides.length)) writer.slide(slides[number - 1]!);
  const comments = writer.comments.length === 0 ? [] : [heading(2, "Comments"), writer.comments.join("\n")];
  if (comments.length > 0) writer.labels.push("Comments");
  return {
    engine: "PresentationML",
    markdown: `${[...writer.blocks, ...comments].filter((block) => block !== "").join("\n\n")}\n`,
    withheld: writer.withheld,
    labels: writer.labels,
    findings: [...office.archive.findings, ...office.findings],
    ...office.properties(),
    pagesTotal: slides.length,
  };
};

class PresentationWriter implements ShapeContext {
  readonly blocks: string[] = [];
  readonly comments: string[] = [];
  readonly labels: string[] = [];
  readonly withheld: Withheld[] = [];
  readonly margin = new Set<string>();
  readonly bullets: Bullets;
  readonly #authors: ReadonlyMap<string, string>;

  constructor(
    readonly office: OfficePackage,
    readonly format: NumberFormatter,
  ) {
    this.bullets = new Bullets(office);
    this.#authors = readAuthors(office);
  }

  withhold(kind: Withheld["kind"], text: string): void {
    this.withheld.push({ kind, text });
  }

  note(severity: Finding["severity"], kind: string, text: string): void {
    this.office.note(severity, kind, text);
  }

  slide({ number, part }: SlideEntry): void {
    this.blocks.push(marker({ kind: "slide", number }));
    const place = `Slide ${number}`;
    if (part === undefined) {
      this.note("warn", "missing part", `${place} is listed and not there.`);
      return;
    }
    const slide = this.office.tree(part);
    if (slide === undefined) return;
    if (/^(?:0|false)$/.test(slide.attributes.show ?? "")) {
      this.#label("Hidden slide");
      this.blocks.push("*Hidden slide*");
      this.note(
        "note",
        "hidden slide",
        `${place} is hidden when the presentation is shown; it is converted like the others.`,
      );
    }
    this.blocks.push(...this.#shapes(slide, part, place));
    this.#notes(part, place);
    for (const embedded of this.office.related(part, "package"))
      this.note(
        "note",
        "embedded file",
        `${place} embeds a file (${embedded.replace(/^.*\//, "")}), which is not converted.`,
      );
    for (const { author, date, text } of readComments(this.office, part, this.#authors)) {
      this.#label(place);
      if (date !== undefined) this.#label(date);
      const said = [escapeText(author), date].filter((each) => each !== undefined && each !== "").join(", ");
      const words = text
        .split(/\s*\n\s*/)
        .map(escapeText)
        .join(" ");
      this.comments.push(listItem("-", `${place}${said === "" ? "" : ` (${said})`}: ${words}`, 0));
    }
  }

  #label(words: string): void {
    this.labels.push(words);
  }

  #shapes(
    root: XmlElement,
    part: string,
    place: string,
    wanted: (shape: XmlElement) => boolean = () => true,
  ): string[] {
    const common = child(root, "cSld");
    const tree = common && child(common, "spTree");
    if (tree === undefined) return [];
    const writer = new ShapeWriter(this, { office: this.office, part, formula: writeFormula }, place);
    writer.tree({ ...tree, children: tree.children.filter((node) => typeof node === "string" || wanted(node)) });
    return writer.blocks;
  }

  /** What is said while the slide is shown; its picture, page number and head on the sheet of notes are left aside. */
  #notes(slide: string, place: string): void {
    for (const part of this.office.related(slide, "notesSlide")) {
      const root = this.office.tree(part);
      if (root === undefined) continue;
      const blocks = this.#shapes(
        root,
        part,
        `The notes of ${place.toLowerCase()}`,
        (shape) => !/^(?:sldImg|sldNum|hdr|ftr|dt)$/.test(placeholderOf(shape)?.type ?? ""),
      ).filter((block) => block !== "");
      if (blocks.length === 0) continue;
      this.#label("Speaker notes");
      this.blocks.push(heading(3, "Speaker notes"), ...blocks);
    }
  }
}

/** Formulas stand between words on slides, whatever they are on paper. */
function writeFormula(math: XmlElement): string {
  const parts = math.name === "oMath" ? [math] : [...descendants(math, "oMath")];
  return parts.map((each) => formula(ommlToLatex(each), false)).join(" ");
}
