/** What one part of a document says, from the events of its XML. */
export interface RawStory {
  readonly text: string;
  readonly deletions: string;
  /** Text that is marked as hidden where it stands: apart, because what stands around it is one word. */
  readonly hidden: string;
  readonly tables: readonly (readonly (readonly string[])[])[];
  readonly links: readonly string[];
  readonly formulas: readonly string[];
  readonly images: readonly string[];
  /** References in the order of the text, each once. */
  readonly footnotes: readonly string[];
  readonly endnotes: readonly string[];
  readonly comments: readonly string[];
  /** Texts by the id of the element that holds them, where the part is a list of notes or comments. */
  readonly entries: ReadonlyMap<string, { readonly text: string; readonly separator: boolean }>;
  /** Ids of heads (`0 rId7`) and feet (`1 rId8`). */
  readonly heads: readonly string[];
}

export interface RawStoryOptions {
  /** Where an id of the part leads, if it leads out. */
  readonly external: (id: string) => string | undefined;
  /** The words of a chart or diagram. */
  readonly drawn: (id: string, kind: "chart" | "diagram") => string;
  /** Moved text stands where it was moved to, so what is left behind is no text. */
  readonly moves: boolean;
  /** Styles whose text is hidden. */
  readonly hiddenStyles: ReadonlySet<string>;
  /** The entries of the part: `footnote`, `endnote`, `comment`. */
  readonly entry?: string;
}
