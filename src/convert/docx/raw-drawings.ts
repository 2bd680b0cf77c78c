import { attributeOf } from "../ooxml/raw-package.js";

/** What the beginning of an element of a drawing says. */
export interface RawDrawn {
  /** Alternative text of a picture that is complete. */
  readonly image?: string;
  /** Words that are drawn. */
  readonly words?: string;
  /** Another part that holds the words of a chart or a diagram. */
  readonly part?: { readonly id: string; readonly kind: "chart" | "diagram" };
}

/** The drawings of a part, each inside the text box of another at times. */
export class RawDrawings {
  readonly #open: { alt: string; target: string }[] = [];
  #shapeAlt = "";
  #picture: { alt: string } | undefined;

  /** Where the drawing leads; empty where nowhere. */
  get target(): string {
    return this.#open.at(-1)?.target ?? "";
  }

  enter(): void {
    this.#open.push({ alt: "", target: "" });
  }

  leave(): void {
    this.#open.pop();
  }

  open(
    name: string,
    attributes: Readonly<Record<string, string>>,
    external: (id: string | undefined) => string,
  ): RawDrawn {
    const drawing = this.#open.at(-1);
    switch (name) {
      case "docPr":
        if (drawing !== undefined) drawing.alt = described(attributes);
        return {};
      case "hlinkClick":
        if (drawing !== undefined && this.#picture === undefined)
          drawing.target = external(attributeOf(attributes, "id"));
        return {};
      case "pic":
        this.#picture = { alt: drawing?.alt ?? "" };
        return {};
      case "cNvPr":
        if (this.#picture?.alt === "") this.#picture.alt = described(attributes);
        return {};
      case "shape":
      case "rect":
        this.#shapeAlt = attributes.alt ?? "";
        return {};
      case "imagedata":
        return {
          image: (this.#shapeAlt === "" ? (attributeOf(attributes, "title") ?? "") : this.#shapeAlt).trim(),
        };
      case "textpath":
        return { words: attributes.string ?? "" };
      case "chart":
        return { part: { id: attributeOf(attributes, "id") ?? "", kind: "chart" } };
      case "relIds":
        return { part: { id: attributeOf(attributes, "dm") ?? "", kind: "diagram" } };
      default:
        return {};
    }
  }

  /** @returns the alternative text of the picture that ends; undefined where none was begun */
  closePicture(): string | undefined {
    const alt = this.#picture?.alt;
    this.#picture = undefined;
    return alt;
  }
}

function described(attributes: Readonly<Record<string, string>>): string {
  return (attributes.descr ?? attributes.title ?? "").trim();
}
