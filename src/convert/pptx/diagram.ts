import { escapeText, listItem } from "../markdown.js";
import { plainParagraphs } from "../ooxml/drawing-text.js";
import { child, children, type XmlElement } from "../xml.js";

/** Steps from the root of a drawing; PowerPoint itself draws about ten levels. */
const DEEPEST = 50;

/** The words of a SmartArt drawing as a nested list, by its data model (ISO 29500-1, §21.4.2). */
export function writeDiagram(model: XmlElement): string {
  const list = child(model, "ptLst");
  const connections = child(model, "cxnLst");
  if (list === undefined) return "";
  const points = new Map(children(list, "pt").map((point) => [point.attributes.modelId ?? "", point]));
  const below = new Map<string, { readonly order: number; readonly id: string }[]>();
  for (const { attributes } of connections === undefined ? [] : children(connections, "cxn")) {
    const { type = "parOf", srcId = "", destId = "", srcOrd } = attributes;
    if (type !== "parOf") continue;
    const known = below.get(srcId) ?? [];
    known.push({ order: Number(srcOrd ?? 0), id: destId });
    below.set(srcId, known);
  }
  const lines: string[] = [];
  const written = new Set<string>();
  const write = (id: string, depth: number, steps: number): void => {
    const point = points.get(id);
    if (point === undefined || written.has(id)) return;
    written.add(id);
    const text = textOf(point);
    if (text !== "") lines.push(listItem("-", text, depth));
    if (steps > DEEPEST) return;
    const next = [...(below.get(id) ?? [])].sort((a, b) => a.order - b.order);
    for (const each of next) write(each.id, text === "" ? depth : depth + 1, steps + 1);
  };
  for (const [id, { attributes }] of points) if (attributes.type === "doc") write(id, 0, 0);
  // What hangs on nothing is read all the same.
  for (const [id, { attributes }] of points)
    if (!/^(?:pres|parTrans|sibTrans)$/.test(attributes.type ?? "")) write(id, 0, 0);
  return lines.join("\n");
}

function textOf(point: XmlElement): string {
  const body = child(point, "t");
  if (body === undefined) return "";
  return plainParagraphs(body)
    .map((text) => escapeText(text).trim())
    .filter((text) => text !== "")
    .join(" ");
}
