/** Passages before their offsets are bytes: evened out, and turned into cuts (spec/text.md §7). */
import type { Place } from "./markers.js";
import { walkTokens } from "./tokens.js";
import {
  CEILING_TOKENS,
  cutBefore,
  FLOOR_CHARACTERS,
  isLowSurrogate,
  trimmedLength,
  type Heading,
  type PassageContent,
  type Range,
  type Unit,
} from "./units.js";

/** One passage; offsets are bytes of the document in UTF-8. */
export interface PassageCut {
  readonly start: number;
  readonly end: number;
  /** The headings that stand over all of it, outermost first. */
  readonly heading: readonly string[];
  /** What most of it is; `ocr` where it was recognised in a picture, so that nobody vouches for its letters. */
  readonly kind: PassageContent;
  /** Where its text begins in the original, where a marker says so. */
  readonly place?: Place;
  /** Of later rows of a table: the bytes of its caption and header, to be indexed, embedded and shown above them. */
  readonly header?: { readonly start: number; readonly end: number };
  /** Estimated tokens of what is indexed of it, without the header. */
  readonly tokens: number;
}

/** A passage before its offsets are bytes; `weight` is characters by kind. */
export interface Draft extends Range {
  readonly tokens: number;
  readonly characters: number;
  readonly path: readonly Heading[];
  readonly place?: Place | undefined;
  readonly header?: Range | undefined;
  readonly weight: Readonly<Record<PassageContent, number>>;
}

/** Units as one passage; `size` is what was counted of them. */
export function draftOf(units: readonly Unit[], size: Pick<Draft, "tokens" | "characters">): Draft {
  const bodies = units.filter((unit) => !unit.leads);
  const said = bodies.length > 0 ? bodies : units.slice(-1);
  const weight = { text: 0, table: 0, code: 0, ocr: 0 };
  for (const unit of said) weight[unit.kind] += unit.characters;
  return {
    start: units[0]!.start,
    end: units.at(-1)!.end,
    ...size,
    path: said.reduce((path, unit) => shared(path, unit.path), said[0]!.path),
    place: said[0]!.place,
    header: units[0]!.header,
    weight,
  };
}

/** The headings that two paths have in common. */
function shared(a: readonly Heading[], b: readonly Heading[]): readonly Heading[] {
  if (a === b) return a;
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

/** Joins what stayed under the floor to a neighbour, or takes from a neighbour that is too large to be joined. */
export function evenOut(markdown: string, drafts: readonly Draft[]): Draft[] {
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

/** Turns offsets into bytes of UTF-8 and gives the head of the document to its first passage. */
export function toBytes(markdown: string, drafts: readonly Draft[]): PassageCut[] {
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
function heaviest({ text, table, code, ocr }: Draft["weight"]): PassageContent {
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
