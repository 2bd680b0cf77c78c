import type { Withheld } from "../engine.js";
import type { OfficePackage } from "../ooxml/package.js";
import type { NumberFormatter } from "../ooxml/number-format.js";
import { descendants, type XmlElement } from "../xml.js";
import type { Numbering } from "./numbering.js";
import type { Styles } from "./styles.js";

/** Text that a tracked change took away. */
export interface Deletion {
  readonly author: string;
  readonly date: string;
  readonly text: string;
}

/** A note that the text refers to. */
export interface NoteReference {
  readonly kind: "footnote" | "endnote";
  readonly id: string;
  readonly label: string;
}

/** The longest words of the text that a comment is shown with. */
const LONGEST_ANCHOR = 120;

/** What is gathered while the stories of a document (body, notes, comments, heads) are read in order. */
export class DocumentState {
  readonly notes: NoteReference[] = [];
  readonly deletions: Deletion[] = [];
  readonly withheld: Withheld[] = [];
  /** Ids of comments in the order of the text. */
  readonly comments: string[] = [];
  readonly #openComments = new Map<string, string>();
  readonly #anchors = new Map<string, string>();
  readonly #labels = new Map<string, string>();
  readonly #endnotePrefix: string;
  readonly #counts = { footnote: 0, endnote: 0 };
  /** Without the other half a moved text is one that was deleted. */
  readonly moves: boolean;
  insertions = 0;

  constructor(
    readonly pack: OfficePackage,
    readonly main: XmlElement,
    readonly styles: Styles,
    readonly numbering: Numbering,
    /** The document is typed in a font of code: then it is no code. */
    readonly typewritten: boolean,
    readonly formatNumber: NumberFormatter | undefined,
  ) {
    this.#endnotePrefix = has(main, "footnoteReference") ? "e" : "";
    this.moves = has(main, "moveTo");
  }

  /** The label of a note, the same for each reference to it. */
  labelOf(kind: NoteReference["kind"], id: string): string {
    const key = `${kind} ${id}`;
    let label = this.#labels.get(key);
    if (label === undefined) {
      label = `${kind === "endnote" ? this.#endnotePrefix : ""}${++this.#counts[kind]}`;
      this.#labels.set(key, label);
      this.notes.push({ kind, id, label });
    }
    return label;
  }

  openComment(id: string): void {
    this.#openComments.set(id, "");
  }

  closeComment(id: string): void {
    const text = this.#openComments.get(id);
    if (text === undefined) return;
    this.#openComments.delete(id);
    this.#anchors.set(id, text);
  }

  referToComment(id: string): void {
    if (!this.comments.includes(id)) this.comments.push(id);
  }

  /** What a comment is about, shortened. */
  anchorOf(id: string): string {
    const text = (this.#anchors.get(id) ?? "").replace(/\s+/g, " ").trim();
    if (text.length <= LONGEST_ANCHOR) return text;
    return `${text.slice(0, text.lastIndexOf(" ", LONGEST_ANCHOR) + 1 || LONGEST_ANCHOR).trim()} …`;
  }

  /** Text of the body, for the comments that are open over it. */
  noteText(text: string): void {
    for (const [id, before] of this.#openComments)
      if (before.length <= LONGEST_ANCHOR) this.#openComments.set(id, before + text);
  }

  withhold(kind: Withheld["kind"], text: string): void {
    if (text.trim() === "") return;
    this.withheld.push({ kind, text });
  }

  delete(author: string, date: string, text: string, fresh: boolean): void {
    const last = this.deletions.at(-1);
    if (!fresh && last?.author === author && last.date === date)
      this.deletions[this.deletions.length - 1] = { author, date, text: last.text + text };
    else if (text !== "") this.deletions.push({ author, date, text });
  }
}

function has(root: XmlElement, name: string): boolean {
  return descendants(root, name).next().done !== true;
}
