/**
 * Cuts a Markdown document into passages (spec/text.md §7): by its structure, near 200 estimated tokens, never past 400,
 * hardly ever under 200 characters. Passages tile the document, so their concatenation is the document.
 */
import { draftOf, evenOut, toBytes, type Draft, type PassageCut } from "./drafts.js";
import type { FrontMatter } from "./front-matter.js";
import { walkTokens } from "./tokens.js";
import { CEILING_TOKENS, cutBefore, FLOOR_CHARACTERS, DocumentUnits, part, TARGET_TOKENS, type Unit } from "./units.js";

export type { PassageCut } from "./drafts.js";
export { CEILING_TOKENS, FLOOR_CHARACTERS, TABLE_TOKENS, TARGET_TOKENS } from "./units.js";

/** Version of these rules, kept in a package. */
export const PASSAGES_VERSION = 1;

/** A document cut up. */
export interface DocumentCuts {
  readonly frontMatter: FrontMatter;
  /** The text of the first heading of level 1, undefined without one. */
  readonly title?: string;
  /** None for an empty document, else at least one. */
  readonly passages: readonly PassageCut[];
}

/** With less room than this a passage is closed rather than filled with a scrap. */
const LEAST_ROOM = 20;

/** What is being gathered to a passage. */
export interface Open {
  readonly units: readonly Unit[];
  readonly tokens: number;
  readonly characters: number;
}

/** Whether a unit joins what is open, where both fit the ceiling together and what is open could be a passage without it. */
export type Joins = (open: Open, unit: Unit) => boolean;

/** By size: while the target is not reached, and past it where that is nearer to the target than without. */
export const bySize: Joins = ({ tokens }, unit) => {
  const both = tokens + unit.tokens;
  return both <= TARGET_TOKENS || TARGET_TOKENS - tokens > both - TARGET_TOKENS;
};

/** Cuts `markdown`, a document decoded with its byte order mark kept, and reads what its head says. */
export function cutDocument(markdown: string): DocumentCuts {
  const document = new DocumentUnits(markdown);
  const passages = cutUnits(markdown, document, bySize);
  const { frontMatter, title } = document;
  return { frontMatter, passages, ...(title === undefined ? {} : { title }) };
}

/** Puts the units of a document together to passages. Headings, tables and what is too large count for more than `joins`. */
export function cutUnits(markdown: string, units: Iterable<Unit>, joins: Joins): PassageCut[] {
  const gatherer = new Gatherer(markdown, joins);
  for (const unit of units) gatherer.add(unit);
  return toBytes(markdown, evenOut(markdown, gatherer.finish()));
}

/** The passages of `markdown` alone; see {@link cutDocument}. */
export function cutPassages(markdown: string): readonly PassageCut[] {
  return cutDocument(markdown).passages;
}

/** Puts units together to drafts of passages, in one pass. */
class Gatherer {
  readonly #markdown: string;
  readonly #drafts: Draft[] = [];
  #current: Unit[] = [];
  /** Of what is open. */
  #tokens = 0;
  #characters = 0;

  constructor(
    markdown: string,
    private readonly joins: Joins,
  ) {
    this.#markdown = markdown;
  }

  add(unit: Unit): void {
    if (unit.tile !== undefined) {
      this.#makeRoomForTile(unit);
      this.#push(unit);
      this.#close();
    } else if (unit.leads) {
      this.#makeRoomForLead(unit);
      this.#push(unit);
    } else {
      this.#addBody(unit);
    }
  }

  finish(): Draft[] {
    this.#close();
    return this.#drafts;
  }

  #push(unit: Unit): void {
    this.#current.push(unit);
    this.#tokens += unit.tokens;
    this.#characters += unit.characters;
  }

  /** A tile is a passage of its own; its first takes the caption and the headings directly above with it. */
  #makeRoomForTile(unit: Unit): void {
    if (unit.tile === 0) {
      let from = this.#current.length;
      if (this.#current[from - 1]?.captions === true) from--;
      while (this.#current[from - 1]?.leads === true) from--;
      if (this.#charactersBefore(from) >= FLOOR_CHARACTERS) this.#closeBefore(from);
    }
    if (this.#tokens + unit.tokens > CEILING_TOKENS) this.#close();
  }

  #makeRoomForLead(unit: Unit): void {
    const above = this.#current.at(-1);
    // Among leads nothing was completed since the last of them came.
    if (above !== undefined && !above.leads && this.#characters >= FLOOR_CHARACTERS) this.#close();
    if (this.#tokens + unit.tokens > CEILING_TOKENS) this.#close();
  }

  #addBody(unit: Unit): void {
    const bodyEnd = this.#bodyEnd();
    const complete = bodyEnd > 0 && this.#charactersBefore(bodyEnd) >= FLOOR_CHARACTERS;
    const fits = this.#tokens + unit.tokens <= CEILING_TOKENS;
    const open = { units: this.#current, tokens: this.#tokens, characters: this.#characters };
    if (fits && (!complete || this.joins(open, unit))) {
      this.#push(unit);
    } else if (complete) {
      this.#closeBefore(bodyEnd);
      this.#addBody(unit);
    } else {
      this.#fill(unit);
    }
  }

  /** What is open may not stand alone, and the unit does not fit: a part of it does. */
  #fill(unit: Unit): void {
    const room = Math.min(TARGET_TOKENS, (this.#tokens + unit.tokens) / 2) - this.#tokens;
    if (room >= LEAST_ROOM) {
      const limit = walkTokens(this.#markdown, unit.start, unit.end, room).end;
      const cut = cutBefore(this.#markdown, unit.start, limit, unit.kind === "table" || unit.kind === "code");
      if (cut < unit.end) {
        this.#push(part(this.#markdown, unit, unit.start, cut));
        this.#close();
        this.#addBody(part(this.#markdown, unit, cut, unit.end));
        return;
      }
    }
    this.#close();
    this.#push(unit);
  }

  /** Where the headings and markers at the end of what is open begin. */
  #bodyEnd(): number {
    let end = this.#current.length;
    while (this.#current[end - 1]?.leads === true) end--;
    return end;
  }

  #charactersBefore(index: number): number {
    let characters = this.#characters;
    for (let i = index; i < this.#current.length; i++) characters -= this.#current[i]!.characters;
    return characters;
  }

  #closeBefore(index: number): void {
    const rest = this.#current.splice(index);
    this.#close();
    for (const unit of rest) this.#push(unit);
  }

  #close(): void {
    if (this.#current.length === 0) return;
    this.#drafts.push(draftOf(this.#current, { tokens: this.#tokens, characters: this.#characters }));
    this.#current = [];
    this.#tokens = this.#characters = 0;
  }
}
