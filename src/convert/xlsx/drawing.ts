import { readChart } from "../ooxml/chart.js";
import { alternatives, plainParagraphs } from "../ooxml/drawing-text.js";
import type { NumberFormatter } from "../ooxml/number-format.js";
import type { OfficePackage } from "../ooxml/package.js";
import { child, children, descendants, type XmlElement } from "../xml.js";

/** What lies over the cells of a sheet. */
export interface Drawn {
  /** Paragraphs of text boxes and shapes. */
  readonly texts: readonly string[];
  /** Titles of each chart and its axes. Its figures stand in the cells that it draws. */
  readonly charts: readonly (readonly string[])[];
  readonly images: readonly { readonly alt: string; readonly name: string }[];
}

/** Shapes that are looked into, groups in groups included. */
const MOST_SHAPES = 20_000;

/** Reads the drawing of a sheet (`xdr:wsDr`). */
export function readDrawing(office: OfficePackage, part: string, format: NumberFormatter): Drawn {
  const texts: string[] = [];
  const charts: string[][] = [];
  const images: { alt: string; name: string }[] = [];
  const root = office.tree(part);
  const waiting: XmlElement[] = root === undefined ? [] : [root];
  for (let seen = 0; waiting.length > 0 && seen < MOST_SHAPES; seen++) {
    const element = waiting.pop()!;
    switch (element.name) {
      case "sp": {
        const body = child(element, "txBody");
        if (body !== undefined) texts.push(...plainParagraphs(body).filter((text) => text.trim() !== ""));
        break;
      }
      case "pic":
        images.push(readPicture(office, part, element));
        break;
      case "graphicFrame": {
        const titles = chartTitles(office, part, element, format);
        if (titles !== undefined) charts.push(titles);
        break;
      }
      case "AlternateContent":
        waiting.push(...(alternatives(element)[0] ?? []).toReversed());
        break;
      default:
        if (/^(?:wsDr|twoCellAnchor|oneCellAnchor|absoluteAnchor|grpSp)$/.test(element.name))
          waiting.push(...children(element).toReversed());
    }
  }
  return { texts, charts, images };
}

function readPicture(office: OfficePackage, part: string, picture: XmlElement): { alt: string; name: string } {
  const [properties] = descendants(picture, "cNvPr");
  const [blip] = descendants(picture, "blip");
  const target = office.relationships(part).get(blip?.attributes.embed ?? blip?.attributes.link ?? "")?.target;
  return {
    alt: properties?.attributes.descr ?? "",
    name: target ?? properties?.attributes.name ?? "",
  };
}

function chartTitles(
  office: OfficePackage,
  part: string,
  frame: XmlElement,
  format: NumberFormatter,
): string[] | undefined {
  const [reference] = descendants(frame, "chart");
  const target = office.relationships(part).get(reference?.attributes.id ?? "");
  if (target?.kind !== "chart" || target.external) return undefined;
  const space = office.tree(target.target);
  return space === undefined ? [] : [...readChart(space, format).titles];
}
