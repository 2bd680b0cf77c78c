import type { Inline } from "./inline.js";

/** A cell of a table, where it begins. */
export interface TableCell {
  readonly blocks: readonly Block[];
  readonly colspan: number;
  readonly rowspan: number;
}

/** What a document is made of, before it is Markdown. */
export type Block =
  | {
      readonly kind: "paragraph";
      readonly inlines: readonly Inline[];
      readonly quote: boolean;
      /** How far it is set in, in twentieths of a point. */
      readonly indent: number;
      /** Set in a font of code throughout: several of these are a listing. */
      readonly listing: boolean;
    }
  | {
      readonly kind: "heading";
      readonly level: number;
      /** The style `Title`, above all headings. */
      readonly title: boolean;
      /** As Word shows it before the text; it is not part of the text. */
      readonly number: string;
      readonly inlines: readonly Inline[];
    }
  | {
      readonly kind: "item";
      readonly list: string;
      readonly level: number;
      /** `3.` for a plain number, `(a)` or `1.2` for any other, empty for a bullet. */
      readonly label: string;
      readonly indent: number;
      readonly inlines: readonly Inline[];
    }
  | { readonly kind: "code"; readonly text: string }
  | {
      /** A number that Word computes, with no text behind it. */
      readonly kind: "number";
      readonly label: string;
    }
  | { readonly kind: "table"; readonly rows: readonly (readonly TableCell[])[] };

export type ParagraphBlock = Extract<Block, { kind: "paragraph" }>;
export type ItemBlock = Extract<Block, { kind: "item" }>;
export type TableBlock = Extract<Block, { kind: "table" }>;

/** A paragraph of the body with nothing special about it. */
export function plainParagraph(inlines: readonly Inline[]): ParagraphBlock {
  return { kind: "paragraph", inlines, quote: false, indent: 0, listing: false };
}
