/**
 * The independent reader of presentations: htmlparser2 where the engine uses saxes, and its own walk through slides,
 * shapes, tables, diagrams, charts, notes and comments. Numbers in charts go a second way too (ooxml/second-format.ts).
 * What is not independent: that a choice between newer and older content is read as the newer (ISO 29500-3, §7.6).
 */
import type { Reader, Reference } from "../engine.js";
import { safeTarget } from "../markdown.js";
import { loadNumberFormatter } from "../ooxml/number-format.js";
import { attributeOf, charactersOf, elementsIn, pathIn, RawPackage, type RawNode } from "../ooxml/raw-package.js";
import { secondFormat } from "../ooxml/second-format.js";
import { rawParagraphs } from "../ooxml/raw-text.js";
import { sampledPages } from "../pdf/sampling.js";
import { SlideReading, type Show } from "./raw-shapes.js";

export const reader: Reader = async (original, options): Promise<Reference> => {
  const office = await RawPackage.open(original.bytes, "ppt/presentation.xml");
  const byNumfmt = await loadNumberFormatter();
  const show: Show = (code, value) => secondFormat(code, value, false) ?? byNumfmt(code, value);
  const targets = office.targets(office.main);
  const slides = elementsIn(pathIn(office.tree(office.main), "sldIdLst"), "sldId").slice(0, 10_000);
  const authors = namesOf(office);
  const units: { place?: string; text: string }[] = [];
  const parts: SlideReading[] = [];
  const comments: string[] = [];
  const said: string[] = [];
  for (const number of sampledPages(slides.length, options.sample ?? slides.length)) {
    const target = targets.get(prefixedId(slides[number - 1]!) ?? "");
    if (target === undefined || target.external) continue;
    const slide = readSlide(office, target.target, show);
    const notes = office.targetsOf(target.target, "notesSlide").map((part) => readSlide(office, part, show, true));
    parts.push(slide, ...notes);
    units.push({ place: `slide ${number}`, text: [slide, ...notes].flatMap(({ lines }) => lines).join("\n") });
    for (const [author, text] of remarksOn(office, target.target, authors)) {
      comments.push(text);
      said.push(`${author} ${text}`);
    }
  }
  return {
    reader: "raw XML by htmlparser2",
    units: said.length === 0 ? units : [...units, { text: said.join("\n") }],
    tables: parts.flatMap(({ tables }) => tables),
    links: parts.flatMap(({ links }) => links).filter((target) => safeTarget(target) !== undefined),
    images: parts.flatMap(({ images }) => images),
    formulas: parts.flatMap(({ formulas }) => formulas),
    comments,
  };
};

function readSlide(office: RawPackage, part: string, show: Show, asNotes = false): SlideReading {
  const reading = new SlideReading(office, part, show);
  const tree = pathIn(office.tree(part), "cSld", "spTree");
  if (tree !== undefined) reading.read(tree, asNotes);
  return reading;
}

function prefixedId(node: RawNode): string | undefined {
  const name = Object.keys(node.attributes).find((each) => /^[^:]+:id$/.test(each));
  return name === undefined ? undefined : node.attributes[name];
}

function namesOf(office: RawPackage): Map<string, string> {
  const lists = ["commentAuthors", "authors"].flatMap((kind) => office.targetsOf(office.main, kind));
  const people = lists.flatMap((part) => elementsIn(office.tree(part), "cmAuthor", "author"));
  return new Map(people.map(({ attributes }) => [attributes.id ?? "", attributes.name ?? ""]));
}

/** Author and words of each comment on a slide. */
function remarksOn(
  office: RawPackage,
  slide: string,
  authors: ReadonlyMap<string, string>,
): [author: string, text: string][] {
  const remarks = office
    .targetsOf(slide, "comments")
    .flatMap((part) => elementsIn(office.tree(part), "cm"))
    .flatMap((comment) => [comment, ...elementsIn(pathIn(comment, "replyLst"), "reply")]);
  return remarks
    .map((remark): [string, string] => [
      authors.get(attributeOf(remark.attributes, "authorId") ?? "") ?? "",
      (pathIn(remark, "text")
        ? charactersOf(pathIn(remark, "text"))
        : rawParagraphs(pathIn(remark, "txBody")).join("\n")
      ).trim(),
    ])
    .filter(([, text]) => text !== "");
}
