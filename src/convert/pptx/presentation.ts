import type { OfficePackage } from "../ooxml/package.js";
import { refuse } from "../refusal.js";
import { child, children, parseXml, type XmlElement } from "../xml.js";

/** A slide as the presentation lists it. */
export interface SlideEntry {
  /** From 1, hidden ones counted. */
  readonly number: number;
  /** Undefined where the list points nowhere. */
  readonly part: string | undefined;
}

/** Slides that are listed; a fuzzer's list of millions is not gone through. */
const MOST_SLIDES = 10_000;

/** The slides in the order in which they are shown. */
export function listSlides(office: OfficePackage): SlideEntry[] {
  const presentation = parseXml(office.archive.read(office.main), office.main);
  if (presentation.name !== "presentation")
    refuse(`${office.main} is no presentation: the file is another kind of document.`);
  const list = child(presentation, "sldIdLst");
  const relationships = office.relationships(office.main);
  if (office.related(office.main, "vbaProject").length > 0)
    office.note("note", "macros", "The presentation holds macros, which are not converted.");
  return (list === undefined ? [] : children(list, "sldId")).slice(0, MOST_SLIDES).map((each, index) => {
    const target = relationships.get(relationshipId(each) ?? "");
    return { number: index + 1, part: target?.external === false ? target.target : undefined };
  });
}

/** `r:id`, whatever the prefix: many elements have an `id` of their own beside it. */
export function relationshipId(element: XmlElement): string | undefined {
  const name = Object.keys(element.qualified).find((each) => each.endsWith(":id"));
  return name === undefined ? undefined : element.qualified[name];
}
