import type { OfficePackage } from "../ooxml/package.js";
import { child, children, descendants, type XmlElement } from "../xml.js";

/** What a shape stands for in the layout of its slide (`p:ph`). */
export interface Placeholder {
  readonly type: string;
  readonly index: string | undefined;
}

/** How a paragraph is introduced. */
export type Bullet = "none" | "bullet" | { readonly from: number };

export function placeholderOf(shape: XmlElement): Placeholder | undefined {
  for (const properties of children(shape)) {
    if (!/^nv.*Pr$/.test(properties.name)) continue;
    const own = child(properties, "nvPr");
    const holder = own && child(own, "ph");
    if (holder !== undefined) return { type: holder.attributes.type ?? "obj", index: holder.attributes.idx };
  }
  return undefined;
}

export function isTitle(shape: XmlElement): boolean {
  return /^(?:title|ctrTitle)$/.test(placeholderOf(shape)?.type ?? "");
}

interface Frame {
  readonly shapes: readonly { readonly placeholder: Placeholder; readonly styles: XmlElement | undefined }[];
  readonly master: Frame | undefined;
  readonly textStyles: XmlElement | undefined;
}

/**
 * Whether a paragraph has a bullet or a number. The slide seldom says it: it is inherited from the shape, its layout, the
 * master's shape and the master's text styles, in this order (ISO 29500-1, §21.1.2.4).
 */
export class Bullets {
  readonly #frames = new Map<string, Frame | undefined>();

  constructor(readonly office: OfficePackage) {}

  of(paragraph: XmlElement, shape: XmlElement, slide: string): Bullet {
    const properties = child(paragraph, "pPr");
    const level = levelOf(paragraph);
    const own = bulletIn(properties) ?? bulletIn(levelStyle(listStyleOf(shape), level));
    if (own !== undefined) return own;
    const placeholder = placeholderOf(shape);
    const layout = this.#frame(this.office.related(slide, "slideLayout")[0], "slideMaster");
    if (placeholder === undefined || layout === undefined) return "none";
    const master = layout.master;
    return (
      bulletIn(levelStyle(matching(layout, placeholder), level)) ??
      bulletIn(
        levelStyle(master && matching(master, { type: masterType(placeholder.type), index: undefined }), level),
      ) ??
      bulletIn(levelStyle(master?.textStyles && child(master.textStyles, styleFor(placeholder.type)), level)) ??
      "none"
    );
  }

  #frame(part: string | undefined, above: string | undefined): Frame | undefined {
    if (part === undefined) return undefined;
    if (this.#frames.has(part)) return this.#frames.get(part);
    const root = this.office.tree(part);
    let frame: Frame | undefined;
    if (root !== undefined) {
      const shapes = [...descendants(root, "sp")].flatMap((shape) => {
        const placeholder = placeholderOf(shape);
        return placeholder === undefined ? [] : [{ placeholder, styles: listStyleOf(shape) }];
      });
      const master = above === undefined ? undefined : this.#frame(this.office.related(part, above)[0], undefined);
      frame = { shapes, master, textStyles: child(root, "txStyles") };
    }
    this.#frames.set(part, frame);
    return frame;
  }
}

/** 0 for the outermost. */
export function levelOf(paragraph: XmlElement): number {
  const level = Number(child(paragraph, "pPr")?.attributes.lvl ?? 0);
  return Number.isInteger(level) ? Math.min(8, Math.max(0, level)) : 0;
}

function listStyleOf(shape: XmlElement): XmlElement | undefined {
  const body = child(shape, "txBody");
  return body && child(body, "lstStyle");
}

function levelStyle(styles: XmlElement | undefined, level: number): XmlElement | undefined {
  return styles && child(styles, `lvl${level + 1}pPr`);
}

function bulletIn(properties: XmlElement | undefined): Bullet | undefined {
  for (const { name, attributes } of properties === undefined ? [] : children(properties)) {
    if (name === "buNone") return "none";
    if (name === "buChar" || name === "buBlip") return "bullet";
    if (name === "buAutoNum") {
      const from = Number(attributes.startAt ?? 1);
      return { from: Number.isInteger(from) && from >= 0 && from < 100_000 ? from : 1 };
    }
  }
  return undefined;
}

function matching(frame: Frame, { type, index }: Placeholder): XmlElement | undefined {
  const found =
    frame.shapes.find(({ placeholder }) => index !== undefined && placeholder.index === index) ??
    frame.shapes.find(({ placeholder }) => placeholder.type === type);
  return found?.styles;
}

/** A master has only a title, a body and the three of the margin. */
function masterType(type: string): string {
  if (/^(?:title|ctrTitle)$/.test(type)) return "title";
  return /^(?:dt|ftr|sldNum)$/.test(type) ? type : "body";
}

function styleFor(type: string): string {
  if (/^(?:title|ctrTitle)$/.test(type)) return "titleStyle";
  return /^(?:dt|ftr|sldNum)$/.test(type) ? "otherStyle" : "bodyStyle";
}
