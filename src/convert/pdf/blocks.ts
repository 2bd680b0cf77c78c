/** Lines of a run put together to what they are: headings, paragraphs, items of lists, listings. */
import { isIdeograph, type Line } from "./lines.js";
import type { Bookmarks, Group, Styles } from "./styles.js";
import { groupsOf, leadingOf, levelOf } from "./styles.js";
import type { Box, FoundTable } from "./page.js";

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly lines: readonly Line[] }
  | { readonly kind: "paragraph"; readonly lines: Line[]; readonly full: boolean }
  | {
      readonly kind: "item";
      readonly sign: Sign;
      readonly depth: number;
      readonly lines: Line[];
      readonly full: boolean;
    }
  | { readonly kind: "contents"; readonly depth: number; readonly lines: Line[] }
  | { readonly kind: "code"; readonly lines: Line[] }
  | { readonly kind: "table"; readonly table: FoundTable }
  | { readonly kind: "picture"; readonly picture: PlacedPicture };

/** A picture that is written as one. */
export interface PlacedPicture extends Box {
  /** `page-3-image-1` */
  readonly name: string;
  readonly alt: string;
}

/** What begins an item of a list. */
export interface Sign {
  /** As Markdown writes it: `-` or `3.`. */
  readonly markdown: string;
  /** Characters of the line that the sign takes the place of. */
  readonly length: number;
}

/** Space between baselines, relative to the usual one, that parts paragraphs. */
const PARAGRAPH_GAP = 1.3;
/** An indent, in multiples of the size. */
const INDENT = 0.8;
/** Indents of lists nearer than this are one level. */
const SAME_INDENT = 0.6;

const BULLET = /^([•◦▪▫●○■□‣⁃∙·◻➢✓❖►▶◆★–—*-])(?:\s+|(?=[\p{L}\p{N}"“(\[]))/u;
/** A line that only numbers the title below it. */
const CHAPTER =
  /^(?:\p{L}{3,12}\s+)?(?:\d{1,3}|[IVXLC]{1,7}|[A-Z])(?:\.\d{1,3})*[.:]?$|^\p{Lu}{3,12}(?:[\s-]\p{Lu}{3,12})?$|^第.{1,4}[章部編节]$/u;
/** A line of a table of contents: leaders, then a page number. */
const LEADERS = /(?:[.·․] ?){4,}\s*[\divxlc]{1,6}$|…{2,}\s*[\divxlc]{1,6}$/i;
const NUMBER = /^(?:(\d{1,3})([.)])|\((\d{1,3}|[a-z]|[ivx]{1,5})\)|([a-z]|[ivx]{1,5})\))\s+/u;

/** The blocks of one run. `bookmarks` are those of its page. */
export function blocksOf(lines: readonly Line[], styles: Styles, bookmarks: Bookmarks): Block[] {
  const leading = leadingOf(lines);
  const blocks: Block[] = [];
  let text: Line[] = [];
  const flush = (): void => {
    if (text.length > 0) blocks.push(...textBlocks(text, leading));
    text = [];
  };
  for (const part of splitAtBookmarks(groupsOf(lines, leading), bookmarks)) {
    const level = part.level ?? levelOf(part.group, styles);
    if (level === undefined) text.push(...part.group.lines);
    else {
      flush();
      blocks.push({ kind: "heading", level, lines: part.group.lines });
    }
  }
  flush();
  return blocks;
}

/** Groups with the levels of their bookmarks. A title may be several groups (number, name) or the beginning of one. */
function* splitAtBookmarks(
  groups: readonly Group[],
  bookmarks: Bookmarks,
): Generator<{ group: Group; level?: number }> {
  for (let index = 0; index < groups.length; index += 1) {
    const group = groups[index]!;
    const found = bookmarks.take(group);
    if (found !== undefined) {
      yield { group, level: found.depth + 1 };
      continue;
    }
    const next = groups[index + 1];
    if (next !== undefined && next.lines.length <= 3 && (CHAPTER.test(group.text) || isOneTitle(group, next))) {
      const both = merged(group, next);
      const joint = bookmarks.take(both);
      if (joint !== undefined) {
        yield { group: both, level: joint.depth + 1 };
        index += 1;
        continue;
      }
    }
    yield* splitGroup(group, bookmarks);
  }
}

/** A title over two lines of which the second is smaller, or in another weight. */
function isOneTitle(one: Group, other: Group): boolean {
  return (
    one.lines.length <= 2 &&
    !one.lines[0]!.monospaced &&
    one.look.size > other.look.size &&
    other.look.bold === one.look.bold
  );
}

function merged(one: Group, other: Group): Group {
  return { ...one, lines: [...one.lines, ...other.lines], text: `${one.text} ${other.text}`, below: other.below };
}

/** A heading in the type of its text stands in one group with it: its lines are tried alone and by twos. */
function* splitGroup(group: Group, bookmarks: Bookmarks): Generator<{ group: Group; level?: number }> {
  let rest: Line[] = [];
  const part = (lines: readonly Line[]): Group => ({
    ...group,
    lines,
    text: lines.map(({ text }) => text).join(" "),
    above: lines[0] === group.lines[0] ? group.above : 1,
    below: lines.at(-1) === group.lines.at(-1) ? group.below : 1,
  });
  for (let index = 0; index < group.lines.length; index += 1) {
    const size =
      group.lines.length > 1
        ? [1, 2].find((count) => bookmarks.peek(part(group.lines.slice(index, index + count))))
        : undefined;
    if (size === undefined) {
      rest.push(group.lines[index]!);
      continue;
    }
    if (rest.length > 0) yield { group: part(rest) };
    rest = [];
    const title = part(group.lines.slice(index, index + size));
    yield { group: title, level: bookmarks.take(title)!.depth + 1 };
    index += size - 1;
  }
  if (rest.length > 0) yield { group: rest.length === group.lines.length ? group : part(rest) };
}

/** Paragraphs, items and listings of lines that are no headings. */
function textBlocks(lines: readonly Line[], leading: number): Block[] {
  const blocks: Block[] = [];
  const margins = marginsOf(lines);
  /** Left edges of the signs of the lists that are open. */
  let levels: number[] = [];
  let code: Line[] = [];
  const flushCode = (): void => {
    if (code.length > 0) blocks.push({ kind: "code", lines: code });
    code = [];
  };
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    const gap = before === undefined || line.baseline <= before.baseline ? Infinity : line.baseline - before.baseline;
    if (line.monospaced && (code.length > 0 || isListing(lines, index))) {
      const last = code.at(-1);
      if (last !== undefined && (gap > 4 * leading || Math.abs(last.size - line.size) > 1)) flushCode();
      code.push(line);
      continue;
    }
    flushCode();
    const current = blocks.at(-1);
    const open = current?.kind === "paragraph" || current?.kind === "item" ? current : undefined;
    const sign = signOf(line, lines[index + 1], open);
    const far = gap > PARAGRAPH_GAP * Math.max(leading, 0.9 * line.size) || gap === Infinity;
    if (LEADERS.test(line.text)) {
      levels = levels.filter((left) => left < line.left - SAME_INDENT * line.size);
      levels.push(line.left);
      blocks.push({ kind: "contents", depth: Math.min(levels.length - 1, 6), lines: [line] });
      continue;
    }
    if (sign !== undefined) {
      levels = levels.filter((left) => left < line.left - SAME_INDENT * line.size);
      levels.push(line.left);
      blocks.push({ kind: "item", sign, depth: Math.min(levels.length - 1, 6), lines: [line], full: false });
      continue;
    }
    if (
      open !== undefined &&
      before !== undefined &&
      !begins(line, before, lines[index + 1], open, far, margins[index]!)
    ) {
      open.lines.push(line);
      continue;
    }
    // A paragraph that stands as far in as the text of an item belongs to it; one further out ends the list.
    const left = levels.at(-1);
    if (left !== undefined && line.left <= left + 0.3 * line.size) levels = [];
    blocks.push({ kind: "paragraph", lines: [line], full: false });
  }
  flushCode();
  return blocks.map((block) =>
    block.kind === "paragraph" || block.kind === "item"
      ? { ...block, full: endsFull(block.lines, lines, margins) }
      : block,
  );
}

/** Whether a line begins a paragraph of its own. */
function begins(
  line: Line,
  before: Line,
  next: Line | undefined,
  open: Block & { lines: Line[] },
  far: boolean,
  margin: Margin,
): boolean {
  if (line.monospaced !== before.monospaced && (line.monospaced ? isApart(line, before) : isApart(before, line)))
    return true;
  if (far) return !continuesAcross(before, line);
  if (Math.abs(line.size - before.size) > 0.12 * before.size) return true;
  // Beginning and end of lines change places in right-to-left text.
  const start = line.rtl ? -line.right : line.left;
  const [beforeStart, beforeEnd] = before.rtl ? [-before.right, -before.left] : [before.left, before.right];
  const [from, to] = line.rtl ? [-margin.right, -margin.left] : [margin.left, margin.right];
  const centred = isCentred(line, margin) && isCentred(before, margin);
  if (centred) return false;
  const size = line.size;
  const lower = /^\p{Ll}/u.test(line.text);
  const first = line.items[0]!;
  const room = to - beforeEnd;
  const fits = room > (isIdeograph(first.text) ? 2 * size : first.width + 0.6 * size) && room > 1.5 * size;
  const indent = start - beforeStart;
  if (open.kind === "item") {
    // Lines of an item stand in as far as its text, not as its sign.
    const text = open.lines.length > 1 ? open.lines[1]! : undefined;
    const inside = text === undefined || Math.abs((line.rtl ? -text.right : text.left) - start) < SAME_INDENT * size;
    if (inside && start > (line.rtl ? -open.lines[0]!.right : open.lines[0]!.left) + 0.3 * size)
      return fits && !lower && room > 4 * size;
    return !lower || fits;
  }
  if (indent > INDENT * size && beforeStart < from + 0.3 * size) {
    const hanging =
      next !== undefined &&
      Math.abs((next.rtl ? -next.right : next.left) - start) < 0.3 * size &&
      open.lines.length === 1;
    return !(hanging && !fits) && !(lower && !fits);
  }
  if (indent < -INDENT * size && open.lines.length > 1) return !lower || fits;
  if (lower && !/[.!?:]["”’)\]]*$/.test(before.text)) return false;
  return fits;
}

/** One line in a typewriter's type between others is part of a sentence unless it stands in. */
function isApart(typed: Line, other: Line): boolean {
  return typed.left > other.left + INDENT * typed.size;
}

/** Text goes on in the next column or behind a picture. */
function continuesAcross(before: Line, line: Line): boolean {
  return (
    line.baseline <= before.baseline && continues(before.text, line.text) && Math.abs(line.size - before.size) < 0.5
  );
}

/** Whether a sentence that stops at `before` goes on with `after`. */
export function continues(before: string, after: string): boolean {
  if (/\p{L}[-\u00ad\u2010]$/u.test(before)) return /^\p{Ll}/u.test(after);
  if (/[.!?:;。！？：；…]["”’»)\]」』]*$/.test(before)) return false;
  return /^[\p{Ll},;)\]]/u.test(after) || (isIdeograph(before.at(-1) ?? "") && isIdeograph(after));
}

/** Whether a typewriter's line begins a listing: more of them follow, or it stands alone and in. */
function isListing(lines: readonly Line[], index: number): boolean {
  const line = lines[index]!;
  const next = lines[index + 1];
  const before = lines[index - 1];
  if (next?.monospaced === true) return true;
  if (before === undefined || next === undefined) return line.text.length > 3;
  if (line.baseline - before.baseline < 1.25 * line.size && !/[:：]$/.test(before.text)) return false;
  return (
    isApart(line, before) ||
    (line.baseline - before.baseline > 1.2 * line.size && next.baseline - line.baseline > 1.4 * line.size)
  );
}

interface Margin {
  readonly left: number;
  readonly right: number;
}

/** Left and right edges of the column around each line: of the lines near it, since text may flow around a picture. */
function marginsOf(lines: readonly Line[]): Margin[] {
  return lines.map((line, index) => {
    let { left } = line;
    const rights = [line.right];
    for (let at = Math.max(0, index - 6); at < Math.min(lines.length, index + 7); at += 1) {
      const other = lines[at]!;
      if (other.right < line.left || other.left > line.right || other.monospaced !== line.monospaced) continue;
      left = Math.min(left, other.left);
      rights.push(other.right);
    }
    rights.sort((a, b) => b - a);
    // A line that runs over the edge of its column is alone there; those that end at the edge are several.
    return { left, right: rights.find((right, at) => right - (rights[at + 1] ?? -Infinity) < 2) ?? rights[0]! };
  });
}

function isCentred(line: Line, margin: Margin): boolean {
  const before = line.left - margin.left;
  const after = margin.right - line.right;
  return before > line.size && Math.abs(before - after) < 0.5 * line.size;
}

/** Whether the last line of a block runs to the end of its column, so that the text may go on elsewhere. */
function endsFull(block: readonly Line[], lines: readonly Line[], margins: readonly Margin[]): boolean {
  const last = block.at(-1)!;
  const { left, right } = margins[lines.indexOf(last)]!;
  // A single line sets its own margins; only a long one is surely full.
  if (lines.length < 3 && last.text.length < (isIdeograph(last.text) ? 25 : 50)) return false;
  return last.rtl ? last.left - left < 3 * last.size : right - last.right < 3 * last.size;
}

function signOf(line: Line, next: Line | undefined, open: Block | undefined): Sign | undefined {
  const bullet = BULLET.exec(line.text);
  if (bullet !== null && line.text.length > bullet[0].length) {
    // A dash begins an item where the line stands in or hangs; else it is a dash in a sentence.
    const dash = /[–—*-]/.test(bullet[1]!);
    const hangs =
      next !== undefined && next.left > line.left + 0.3 * line.size && next.left < line.left + 5 * line.size;
    const listed =
      open?.kind === "item" && open.sign.markdown === "-" && Math.abs(open.lines[0]!.left - line.left) < line.size;
    if (!dash || ((hangs || listed || BULLET.test(next?.text ?? "")) && /\s$/.test(bullet[0])))
      return { markdown: "-", length: bullet[0].length };
    return undefined;
  }
  const number = NUMBER.exec(line.text);
  if (number === null || line.text.length <= number[0].length) return undefined;
  const hangs =
    next !== undefined &&
    next.left > line.left + 0.5 * line.size &&
    next.left < line.left + 5 * line.size &&
    next.baseline > line.baseline;
  const value = number[1] === undefined ? undefined : Number(number[1]);
  const follows = open?.kind === "item" && Math.abs(open.lines[0]!.left - line.left) < 1.2 * line.size;
  const listed = next !== undefined && NUMBER.test(next.text) && Math.abs(next.left - line.left) < line.size;
  if (!hangs && !follows && !(listed && value !== undefined && value <= 2)) return undefined;
  return value === undefined
    ? { markdown: "-", length: 0 }
    : { markdown: `${value}${number[2]!}`, length: number[0].length };
}
