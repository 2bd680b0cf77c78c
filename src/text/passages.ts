/**
 * Cuts a Markdown document into passages (spec/text.md §7): by its structure, near 200 estimated tokens, never past 400,
 * hardly ever under 200 characters. Passages tile the document, so their concatenation is the document.
 */
import { readBlocks, type Block } from "./blocks.js";
import { readFrontMatter, type FrontMatter } from "./front-matter.js";
import type { Place } from "./markers.js";
import { walkTokens } from "./tokens.js";

/** Version of these rules, kept in a package. */
export const PASSAGES_VERSION = 1;

/** Estimated tokens: aimed at, never passed, and of a tile of table rows. */
export const TARGET_TOKENS = 200;
export const CEILING_TOKENS = 400;
export const TABLE_TOKENS = 120;
/** Characters (UTF-16 units without blanks around) that a passage has unless its document has fewer. */
export const FLOOR_CHARACTERS = 200;

/** One passage; offsets are bytes of the document in UTF-8. */
export interface PassageCut {
  readonly start: number;
  readonly end: number;
  /** The headings that stand over all of it, outermost first. */
  readonly heading: readonly string[];
  /** What most of it is; `ocr` where it was recognised in a picture, so that nobody vouches for its letters. */
  readonly kind: "text" | "table" | "code" | "ocr";
  /** Where its text begins in the original, where a marker says so. */
  readonly place?: Place;
  /** Of later rows of a table: the bytes of its caption and header, to be indexed, embedded and shown above them. */
  readonly header?: { readonly start: number; readonly end: number };
  /** Estimated tokens of what is indexed of it, without the header. */
  readonly tokens: number;
}

/** A document cut up. */
export interface DocumentCuts {
  readonly frontMatter: FrontMatter;
  /** The text of the first heading of level 1, undefined without one. */
  readonly title?: string;
  /** None for an empty document, else at least one. */
  readonly passages: readonly PassageCut[];
}

type Kind = PassageCut["kind"];

interface Heading {
  /** 1 to 6. */
  readonly level: number;
  readonly text: string;
}

/** What is not divided when passages are put together: a block or a part of one. Offsets in UTF-16 units. */
interface Unit {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly characters: number;
  readonly kind: Kind;
  /** A heading or a marker: begins a passage where it can, and never ends one. */
  readonly leads: boolean;
  readonly path: readonly Heading[];
  readonly place?: Place | undefined;
  /** A line that may caption the table after it. */
  readonly captions: boolean;
  /** A tile of a table, its number from 0, and for later tiles their header. */
  readonly tile?: number;
  readonly header?: Range | undefined;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A passage before its offsets are bytes; `weight` is characters by kind. */
interface Draft extends Range {
  readonly tokens: number;
  readonly characters: number;
  readonly path: readonly Heading[];
  readonly place?: Place | undefined;
  readonly header?: Range | undefined;
  readonly weight: Readonly<Record<Kind, number>>;
}

/** Longest caption, in UTF-16 units. */
const LONGEST_CAPTION = 200;
/** With less room than this a passage is closed rather than filled with a scrap. */
const LEAST_ROOM = 20;

/** Cuts `markdown`, a document decoded with its byte order mark kept, and reads what its head says. */
export function cutDocument(markdown: string): DocumentCuts {
  const frontMatter = readFrontMatter(markdown);
  const gatherer = new Gatherer(markdown);
  let path: readonly Heading[] = [];
  let place: Place | undefined;
  let recognised = false;
  let title: string | undefined;
  let before: Block | undefined;
  for (const block of readBlocks(markdown, firstLine(markdown, frontMatter.end))) {
    if (block.type === "heading") {
      const heading = { level: block.level!, text: block.text! };
      if (heading.level === 1 && heading.text !== "") title ??= heading.text;
      path = path.filter((above) => above.level < heading.level);
      if (heading.text !== "") path = [...path, heading];
    } else if (block.type === "marker") {
      const { kind, value } = block.place!;
      place = { kind, value };
      recognised = block.place!.recognised;
    }
    for (const unit of unitsOf(markdown, block, before, path, place))
      gatherer.add(recognised ? { ...unit, kind: "ocr" } : unit);
    before = block;
  }
  const drafts = evenOut(markdown, gatherer.finish());
  const passages = toBytes(markdown, drafts);
  return { frontMatter, passages, ...(title === undefined ? {} : { title }) };
}

/** Where the first line begins that is not blank: as a block of their own blank lines would stand under no heading and at no place. */
function firstLine(markdown: string, from: number): number {
  const blank = /(?:[ \t]*(?:\r\n|\n|\r))*/y;
  blank.lastIndex = from;
  return from + blank.exec(markdown)![0].length;
}

/** The passages of `markdown` alone; see {@link cutDocument}. */
export function cutPassages(markdown: string): readonly PassageCut[] {
  return cutDocument(markdown).passages;
}

function* unitsOf(
  markdown: string,
  block: Block,
  before: Block | undefined,
  path: readonly Heading[],
  place: Place | undefined,
): Generator<Unit> {
  const leads = block.type === "heading" || block.type === "marker";
  const kind: Kind = block.type === "table" || block.type === "code" ? block.type : "text";
  const unit = (start: number, end: number, tokens: number, more: Partial<Unit> = {}): Unit => ({
    start,
    end,
    tokens,
    characters: block.type === "marker" ? 0 : trimmedLength(markdown, start, end),
    kind,
    leads,
    path,
    place,
    captions: block.type === "text" && block.lines === 1 && block.end - block.start <= LONGEST_CAPTION,
    ...more,
  });
  if (block.type === "marker") {
    yield unit(block.start, block.end, 0);
    return;
  }
  if (block.type === "table") {
    const tiles = tilesOf(markdown, block, before);
    if (tiles !== undefined) {
      for (const { start, end, tokens, ...more } of tiles) yield unit(start, end, tokens, more);
      return;
    }
  }
  const { tokens, end } = walkTokens(markdown, block.start, block.end, CEILING_TOKENS);
  if (end === block.end) {
    yield unit(block.start, block.end, tokens);
    return;
  }
  for (const part of divide(markdown, block.start, block.end, kind !== "text")) {
    yield unit(part.start, part.end, part.tokens);
  }
}

interface Tile extends Range {
  readonly tokens: number;
  readonly tile: number;
  readonly header?: Range | undefined;
}

/** The tiles of a table; undefined where it is too small to be one of its own or its header is no header. */
function tilesOf(markdown: string, table: Block, before: Block | undefined): Tile[] | undefined {
  if (trimmedLength(markdown, table.start, table.end) < FLOOR_CHARACTERS) return undefined;
  const head = walkTokens(markdown, table.start, table.rows!, TARGET_TOKENS);
  if (head.end < table.rows!) return undefined;
  const captioned =
    before?.type === "text" &&
    before.lines === 1 &&
    before.end - before.start <= LONGEST_CAPTION &&
    before.ruled !== true;
  const header = { start: captioned ? before.start : table.start, end: table.rows! };
  const room = Math.max(TABLE_TOKENS / 2, TABLE_TOKENS - head.tokens);
  const tiles: Tile[] = [];
  let start = table.start;
  let end = table.rows!;
  let tokens = head.tokens;
  let rowTokens = 0;
  const close = (): void => {
    tiles.push({ start, end, tokens, tile: tiles.length, header: tiles.length === 0 ? undefined : header });
    start = end;
    tokens = rowTokens = 0;
  };
  for (const row of lines(markdown, table.rows!, table.end)) {
    const parts = walkTokens(markdown, row.start, row.end, CEILING_TOKENS / 2);
    const pieces =
      parts.end === row.end ? [{ ...row, tokens: parts.tokens }] : divide(markdown, row.start, row.end, false);
    for (const piece of pieces) {
      if (rowTokens > 0 && rowTokens + piece.tokens > room) close();
      tokens += piece.tokens;
      rowTokens += piece.tokens;
      end = piece.end;
    }
  }
  // A last tile of a row or two joins the one before.
  const last = tiles.at(-1);
  if (
    last !== undefined &&
    trimmedLength(markdown, start, end) < FLOOR_CHARACTERS &&
    last.tokens + tokens <= CEILING_TOKENS
  ) {
    tiles[tiles.length - 1] = { ...last, end, tokens: last.tokens + tokens };
  } else {
    close();
  }
  return tiles;
}

function* lines(markdown: string, start: number, end: number): Generator<Range> {
  let at = start;
  while (at < end) {
    const from = at;
    const stop = markdown.indexOf("\n", at);
    at = stop < 0 || stop >= end ? end : stop + 1;
    yield { start: from, end: at };
  }
}

/**
 * Divides a range past the ceiling into parts near the target: at ends of sentences (or of lines, for code and tables),
 * else at blanks, else anywhere between characters. One pass.
 */
function divide(markdown: string, start: number, end: number, byLine: boolean): (Range & { tokens: number })[] {
  const parts: (Range & { tokens: number })[] = [];
  let at = start;
  while (at < end) {
    const rest = walkTokens(markdown, at, end, TARGET_TOKENS * 1.5);
    const cut =
      rest.end === end ? end : cutBefore(markdown, at, walkTokens(markdown, at, end, TARGET_TOKENS).end, byLine);
    parts.push({ start: at, end: cut, tokens: walkTokens(markdown, at, cut, Infinity).tokens });
    at = cut;
  }
  return parts;
}

const SENTENCE_END = /[.!?…]["'”’»)\]*_]*\s+|[。！？｡]["'”’」』）]*\s*|[।॥؟۔။།]\s*/gu;
const LINE_END = /\r\n|\n|\r/g;
const BLANK = /\s+/g;

/** The best place to cut in (start, limit], in the second half of it where there is one. */
function cutBefore(markdown: string, start: number, limit: number, byLine: boolean): number {
  const from = start + ((limit - start) >> 1);
  const half = markdown.slice(from, limit);
  for (const boundary of byLine ? [LINE_END, BLANK] : [SENTENCE_END, LINE_END, BLANK]) {
    let last = -1;
    for (const found of half.matchAll(boundary)) last = found.index + found[0].length;
    // A blank at the limit may go on behind it, and then so would a line end.
    if (last > 0 && !splitsCharacter(markdown, from + last)) return from + last;
  }
  let cut = limit;
  for (let steps = 0; steps < 32 && cut > start + 1 && splitsCharacter(markdown, cut); steps++) cut--;
  // Never between the halves of a pair, even in a character of many marks.
  if (isLowSurrogate(markdown, cut) && cut > start + 1) cut--;
  return cut > start ? cut : Math.min(start + 2, markdown.length);
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit < 0xe000 && before >= 0xd800 && before < 0xdc00;
}

function splitsCharacter(text: string, at: number): boolean {
  if (at >= text.length) return false;
  if (isLowSurrogate(text, at) || (text[at] === "\n" && text[at - 1] === "\r")) return true;
  const code = text.codePointAt(at)!;
  return code > 0x2ff && /^[\p{M}\u200D]/u.test(String.fromCodePoint(code));
}

/** Puts units together to drafts of passages, in one pass. */
class Gatherer {
  readonly #markdown: string;
  readonly #drafts: Draft[] = [];
  #current: Unit[] = [];
  /** Of what is open. */
  #tokens = 0;
  #characters = 0;

  constructor(markdown: string) {
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
    const both = this.#tokens + unit.tokens;
    if (both <= TARGET_TOKENS) {
      this.#push(unit);
      return;
    }
    const bodyEnd = this.#bodyEnd();
    const complete = bodyEnd > 0 && this.#charactersBefore(bodyEnd) >= FLOOR_CHARACTERS;
    const nearerWith = TARGET_TOKENS - this.#tokens > both - TARGET_TOKENS;
    if (both <= CEILING_TOKENS && (!complete || nearerWith)) {
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
    const units = this.#current;
    if (units.length === 0) return;
    const bodies = units.filter((unit) => !unit.leads);
    const said = bodies.length > 0 ? bodies : units.slice(-1);
    const weight = { text: 0, table: 0, code: 0, ocr: 0 };
    for (const unit of said) weight[unit.kind] += unit.characters;
    this.#drafts.push({
      start: units[0]!.start,
      end: units.at(-1)!.end,
      tokens: this.#tokens,
      characters: this.#characters,
      path: said.reduce((path, unit) => shared(path, unit.path), said[0]!.path),
      place: said[0]!.place,
      header: units[0]!.header,
      weight,
    });
    this.#current = [];
    this.#tokens = this.#characters = 0;
  }
}

function part(markdown: string, unit: Unit, start: number, end: number): Unit {
  const tokens = walkTokens(markdown, start, end, Infinity).tokens;
  return { ...unit, start, end, tokens, characters: trimmedLength(markdown, start, end), captions: false };
}

/** The headings that two paths have in common. */
function shared(a: readonly Heading[], b: readonly Heading[]): readonly Heading[] {
  if (a === b) return a;
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

/** Joins what stayed under the floor to a neighbour, or takes from a neighbour that is too large to be joined. */
function evenOut(markdown: string, drafts: readonly Draft[]): Draft[] {
  const out: Draft[] = [];
  let carried: Draft | undefined;
  for (const [index, next] of drafts.entries()) {
    const draft: Draft = carried === undefined ? next : join(carried, next);
    carried = undefined;
    if (draft.characters >= FLOOR_CHARACTERS) {
      out.push(draft);
      continue;
    }
    const before = out.at(-1);
    const after = drafts[index + 1];
    const withBefore = before === undefined ? Infinity : before.tokens + draft.tokens;
    const withAfter = after === undefined ? Infinity : after.tokens + draft.tokens;
    if (Math.min(withBefore, withAfter) > CEILING_TOKENS) {
      if (before === undefined) out.push(draft);
      else out.splice(-1, 1, ...levelled(markdown, before, draft));
    } else if (withAfter <= withBefore) {
      carried = draft;
    } else {
      out[out.length - 1] = join(before!, draft);
    }
  }
  return out;
}

function join(a: Draft, b: Draft): Draft {
  return {
    start: a.start,
    end: b.end,
    tokens: a.tokens + b.tokens,
    characters: a.characters + b.characters,
    path: shared(a.path, b.path),
    place: a.place,
    header: a.header,
    weight: {
      text: a.weight.text + b.weight.text,
      table: a.weight.table + b.weight.table,
      code: a.weight.code + b.weight.code,
      ocr: a.weight.ocr + b.weight.ocr,
    },
  };
}

/** Two neighbours that are too long together and of which the second is too short alone, cut near their middle instead. */
function levelled(markdown: string, a: Draft, b: Draft): Draft[] {
  const both = join(a, b);
  const middle = walkTokens(markdown, a.start, a.end, both.tokens / 2).end;
  const cut = cutBefore(markdown, a.start, middle, a.weight.table + a.weight.code > a.characters / 2);
  if (cut >= a.end) return [a, b];
  const size = (start: number, end: number): Pick<Draft, "start" | "end" | "tokens" | "characters"> => ({
    start,
    end,
    tokens: walkTokens(markdown, start, end, Infinity).tokens,
    characters: trimmedLength(markdown, start, end),
  });
  return [
    { ...a, ...size(a.start, cut) },
    { ...both, ...size(cut, b.end), header: undefined },
  ];
}

function trimmedLength(markdown: string, start: number, end: number): number {
  let from = start;
  let to = end;
  while (from < to && markdown.charCodeAt(from) <= 32) from++;
  while (to > from && markdown.charCodeAt(to - 1) <= 32) to--;
  return to - from;
}

/** Turns offsets into bytes of UTF-8 and gives the head of the document to its first passage. */
function toBytes(markdown: string, drafts: readonly Draft[]): PassageCut[] {
  if (markdown === "") return [];
  if (drafts.length === 0) {
    const end = utf8Length(markdown, 0, markdown.length);
    return [{ start: 0, end, heading: [], kind: "text", tokens: 0 }];
  }
  let at = 0;
  let bytes = 0;
  const byteOf = (offset: number): number => {
    bytes += utf8Length(markdown, at, offset);
    at = offset;
    return bytes;
  };
  const headers = new Map<Range, { start: number; end: number }>();
  // Passages of one section share one path: callers compare them by identity first.
  let [path, heading]: [readonly Heading[], string[]] = [[], []];
  const passages: PassageCut[] = [];
  for (const [index, draft] of drafts.entries()) {
    const start = index === 0 ? 0 : passages[index - 1]!.end;
    let header: { start: number; end: number } | undefined;
    if (draft.header !== undefined) {
      header = headers.get(draft.header);
      if (header === undefined) {
        // The header stands before its rows, so near that counting back is cheap.
        const here = byteOf(draft.start);
        const first = here - utf8Length(markdown, draft.header.start, draft.start);
        header = { start: first, end: first + utf8Length(markdown, draft.header.start, draft.header.end) };
        headers.set(draft.header, header);
      }
    }
    const kind = heaviest(draft.weight);
    if (draft.path !== path) [path, heading] = [draft.path, draft.path.map((above) => above.text)];
    passages.push({
      start,
      end: byteOf(draft.end),
      heading,
      kind,
      ...(draft.place === undefined ? {} : { place: draft.place }),
      ...(header === undefined ? {} : { header }),
      tokens: Math.ceil(draft.tokens),
    });
  }
  return passages;
}

/** What most of a passage is; text where two weigh the same. */
function heaviest({ text, table, code, ocr }: Draft["weight"]): Kind {
  if (ocr > Math.max(text, table, code)) return "ocr";
  return table > text && table >= code ? "table" : code > text ? "code" : "text";
}

function utf8Length(text: string, start: number, end: number): number {
  let bytes = end - start;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text, at + 1)) {
      // A pair is four bytes for two units.
      bytes += 2;
      at++;
    } else bytes += 2;
  }
  return bytes;
}
