import { readChart } from "../ooxml/chart.js";
import { plainParagraphs } from "../ooxml/drawing-text.js";
import { child, children, descendants, type XmlElement } from "../xml.js";
import { plainParagraph, type Block } from "./blocks.js";
import { PLAIN, type Inline } from "./inline.js";
import { chosenOf } from "./choices.js";
import type { Story } from "./story.js";

type Image = Extract<Inline, { kind: "image" }>;

/** What a drawing shows: pictures, which stand in the line, and text of its own, which stands below the paragraph. */
export interface Drawing {
  readonly images: Image[];
  readonly blocks: Block[];
}

/** What is known of the drawing around an element. */
interface Frame {
  readonly alt: string;
  readonly target: string;
}

/** Reads `w:drawing`, `w:pict` or `w:object`: pictures, text boxes, charts, diagrams and drawn words. */
export function readDrawing(story: Story, element: XmlElement): Drawing {
  const drawing: Drawing = { images: [], blocks: [] };
  visit(story, element, { alt: "", target: "" }, drawing);
  return drawing;
}

function visit(story: Story, element: XmlElement, frame: Frame, drawing: Drawing): void {
  let inside = frame;
  for (const node of children(element)) {
    switch (node.name) {
      case "AlternateContent": {
        const chosen = chosenOf(node);
        if (chosen !== undefined) visit(story, chosen, inside, drawing);
        break;
      }
      case "docPr":
        inside = frameOf(story, node, inside);
        break;
      case "pic":
        readPicture(story, node, inside, drawing);
        break;
      case "imagedata":
        readOldPicture(story, node, inside, drawing);
        break;
      case "txbxContent":
        drawing.blocks.push(...story.blocks(node));
        break;
      case "textpath":
        if ((node.attributes.string ?? "").trim() !== "") drawing.blocks.push(words(node.attributes.string!));
        break;
      case "chart":
        readChartPart(story, node, drawing);
        break;
      case "relIds":
        readDiagram(story, node, drawing);
        break;
      case "OLEObject":
        story.state.pack.note(
          "note",
          "embedded object",
          `An object is embedded (${node.attributes.ProgID ?? "of an unnamed kind"}): only its picture is converted.`,
        );
        break;
      case "shape":
      case "rect":
        visit(story, node, { ...inside, alt: node.attributes.alt ?? inside.alt }, drawing);
        break;
      default:
        visit(story, node, inside, drawing);
    }
  }
}

function frameOf(story: Story, properties: XmlElement, around: Frame): Frame {
  const { descr, title } = properties.attributes;
  const click = child(properties, "hlinkClick");
  const link = click === undefined ? undefined : story.target(click.qualified["r:id"] ?? click.attributes.id);
  return { alt: (descr ?? title ?? "").trim(), target: link?.external === true ? link.target : around.target };
}

function readPicture(story: Story, picture: XmlElement, frame: Frame, drawing: Drawing): void {
  const [blip] = descendants(picture, "blip");
  const [own] = descendants(picture, "cNvPr");
  const alt = frame.alt === "" ? (own?.attributes.descr ?? own?.attributes.title ?? "").trim() : frame.alt;
  const { embed, link } = blip?.attributes ?? {};
  const source = story.target(embed) ?? story.target(link);
  drawing.images.push({ kind: "image", alt, name: source?.target ?? own?.attributes.name ?? "", target: frame.target });
}

function readOldPicture(story: Story, data: XmlElement, frame: Frame, drawing: Drawing): void {
  const source = story.target(data.qualified["r:id"] ?? data.qualified["r:href"]);
  const alt = (frame.alt === "" ? (data.attributes.title ?? "") : frame.alt).trim();
  drawing.images.push({ kind: "image", alt, name: source?.target ?? "", target: frame.target });
}

function readChartPart(story: Story, reference: XmlElement, drawing: Drawing): void {
  const part = story.target(reference.qualified["r:id"] ?? reference.attributes.id);
  const { formatNumber, pack } = story.state;
  if (part === undefined || part.external || formatNumber === undefined) return;
  const space = pack.tree(part.target);
  if (space === undefined) return;
  const { titles, tables } = readChart(space, formatNumber);
  pack.note("note", "chart", "A chart is converted as its titles and a table of its values.");
  for (const title of titles) drawing.blocks.push(words(title));
  for (const rows of tables)
    drawing.blocks.push({
      kind: "table",
      rows: rows.map((row) =>
        row.map((text) => ({ blocks: text === "" ? [] : [words(text)], colspan: 1, rowspan: 1 })),
      ),
    });
}

/** The words of a diagram (SmartArt), in the order of its model. */
function readDiagram(story: Story, ids: XmlElement, drawing: Drawing): void {
  const part = story.target(ids.qualified["r:dm"] ?? ids.attributes.dm);
  if (part === undefined || part.external) return;
  const model = story.state.pack.tree(part.target);
  if (model === undefined) return;
  for (const point of descendants(model, "pt")) {
    // Other points are lines between these, and places that the layout invented.
    if (!["node", "asst", "doc"].includes(point.attributes.type ?? "node")) continue;
    const body = child(point, "t");
    if (body === undefined) continue;
    for (const text of plainParagraphs(body))
      if (text.trim() !== "")
        drawing.blocks.push({
          kind: "item",
          list: "diagram",
          level: 0,
          label: "",
          indent: 0,
          inlines: [{ kind: "text", text, look: PLAIN }],
        });
  }
}

function words(text: string): Block {
  return plainParagraph([{ kind: "text", text, look: PLAIN }]);
}
