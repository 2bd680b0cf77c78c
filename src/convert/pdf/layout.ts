/** One page laid out: heads taken away, tables found, columns put in order, lines made blocks. */
import type { Finding, Withheld } from "../engine.js";
import { blocksOf, continues, type Block, type PlacedPicture } from "./blocks.js";
import { flowsOf, joinRows, type Piece } from "./columns.js";
import type { ReadPage } from "./contents.js";
import { isRightToLeft } from "./direction.js";
import { raiseCaps } from "./drop-caps.js";
import { segmentsOf, type Line } from "./lines.js";
import type { FoundTable, PageContents, TextItem } from "./page.js";
import type { Profile } from "./profile.js";
import { partHeads, rowsOf, withheldOf, type Row, type RunningHeads } from "./running.js";
import { Bookmarks } from "./styles.js";
import { turnItem, turnSize, type Turn } from "./turn.js";

export interface PageLayout {
  readonly blocks: Block[];
  readonly withheld: readonly Withheld[];
  readonly findings: readonly Finding[];
}

/** Words of one way of writing, turned upright. */
export interface Frame {
  readonly items: readonly TextItem[];
  readonly width: number;
  readonly height: number;
  /** Whether it is the page itself, whose lines and links stand where its words stand. */
  readonly upright: boolean;
}

/** The ways in which a page's words run: most of them first. */
export function framesOf({ items, width, height }: PageContents): Frame[] {
  const frames = new Map<Turn, TextItem[]>();
  for (const item of items) {
    const turn: Turn = item.vertical ? "columns" : item.rotation;
    const frame = frames.get(turn);
    if (frame === undefined) frames.set(turn, [item]);
    else frame.push(item);
  }
  return [...frames]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([turn, members]) => {
      const [wide, high] = turnSize(turn, width, height);
      return {
        items: raiseCaps(members.map((item) => turnItem(item, turn, width, height))),
        width: wide,
        height: high,
        upright: turn === 0,
      };
    });
}

/** What a frame holds without its heads. */
export function bodyOf(frame: Frame, heads: RunningHeads): { heads: Row[]; lines: Line[] } {
  const parted = partHeads(rowsOf(segmentsOf(frame.items)), frame.height, heads);
  return { heads: parted.heads, lines: parted.body.flatMap(({ pieces }) => pieces) };
}

interface PlacedPiece extends Piece {
  readonly table?: FoundTable;
  readonly picture?: PlacedPicture;
}

/** What a run holds beside lines. */
type Placed = Line | FoundTable | PlacedPicture;

/** Smaller pictures, in points, are rules, bullets and logos. */
const SMALLEST_PICTURE = 48;
/** A page of more pictures is a drawing made of them. */
const MOST_PICTURES = 24;
/** A picture with more words on it is the ground that they stand on. */
const MOST_WORDS = 8;
/** Blocks at the foot of a column or page that a sentence is followed across. */
const MOST_BETWEEN = 8;

/** Runs of lines and tables in reading order. */
export function runsOf(
  lines: readonly Line[],
  tables: readonly FoundTable[],
  pictures: readonly PlacedPicture[] = [],
): (readonly Placed[])[] {
  const rightFirst = lines.filter(({ rtl }) => rtl).length > lines.length / 2;
  const pieceOf = (line: Line): PlacedPiece => ({
    left: line.left,
    right: line.right,
    top: line.top,
    bottom: line.bottom,
    order: line.order,
    line,
  });
  const pieces: PlacedPiece[] = [
    ...lines.map(pieceOf),
    ...tables.map((table) => ({
      left: table.left,
      right: table.right,
      top: table.top,
      bottom: table.bottom,
      order: Math.min(
        ...table.rows.flatMap(({ cells }) => cells.flatMap(({ items }) => items.map(({ order }) => order))),
      ),
      table,
    })),
    ...pictures.map((picture) => ({
      left: picture.left,
      right: picture.right,
      top: picture.top,
      bottom: picture.bottom,
      order: 0,
      picture,
    })),
  ];
  return flowsOf(pieces, rightFirst).map((flow) =>
    joinRows(flow, pieceOf).map((piece) => piece.line ?? piece.table ?? piece.picture!),
  );
}

/** The page's blocks in reading order. `findTables` is asked for upright text only. */
export function layOut(page: ReadPage, profile: Profile, findTables: (page: PageContents) => FoundTable[]): PageLayout {
  const bookmarks = new Bookmarks(profile.bookmarks.get(page.contents.number) ?? []);
  const withheld: Withheld[] = page.hidden.map((text) => ({ kind: "hidden", text }));
  const findings: Finding[] = [];
  const runs: Block[][] = [];
  for (const frame of framesOf(page.contents)) {
    const { heads, lines } = bodyOf(frame, profile.heads);
    withheld.push(...heads.map(withheldOf));
    const tables = frame.upright ? tablesOf(page.contents, lines, findTables) : [];
    for (const run of runsOf(outside(lines, tables), tables, frame.upright ? picturesOf(page.contents) : []))
      runs.push(...blocksOfRun(run, profile, bookmarks));
  }
  return { blocks: joinRuns(runs), withheld, findings };
}

function tablesOf(
  contents: PageContents,
  lines: readonly Line[],
  findTables: (page: PageContents) => FoundTable[],
): FoundTable[] {
  return findTables({ ...contents, items: lines.flatMap(({ items }) => items) }).filter(({ rows }) =>
    rows.some(({ cells }) => cells.some(({ items }) => items.length > 0)),
  );
}

/** Pictures that a reader would miss: neither small ones nor those that text stands on. */
function picturesOf({ number, items, pictures }: PageContents): PlacedPicture[] {
  if (pictures.length > MOST_PICTURES) return [];
  return pictures
    .filter(({ left, right, top, bottom }) => {
      if (right - left < SMALLEST_PICTURE || bottom - top < SMALLEST_PICTURE) return false;
      const inside = items.filter(({ x, y }) => x > left && x < right && y > top && y < bottom);
      return inside.length <= MOST_WORDS;
    })
    .map((picture, index) => ({ ...picture, name: `page-${number}-image-${index + 1}` }));
}

/** The lines without the words that stand in tables. */
function outside(lines: readonly Line[], tables: readonly FoundTable[]): Line[] {
  if (tables.length === 0) return [...lines];
  const inside = new Set(
    tables.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells.flatMap(({ items }) => items))),
  );
  return lines.flatMap((line) => {
    const left = line.items.filter((item) => !inside.has(item));
    return left.length === line.items.length ? [line] : segmentsOf(left);
  });
}

function blocksOfRun(run: readonly Placed[], profile: Profile, bookmarks: Bookmarks): Block[][] {
  const blocks: Block[][] = [];
  let lines: Line[] = [];
  const flush = (): void => {
    if (lines.length > 0) blocks.push(blocksOf(lines, profile.styles, bookmarks));
    lines = [];
  };
  for (const each of run) {
    if ("rows" in each) {
      flush();
      blocks.push([{ kind: "table", table: each }]);
    } else if ("name" in each) {
      flush();
      blocks.push([{ kind: "picture", picture: each }]);
    } else lines.push(each);
  }
  flush();
  return blocks;
}

/** The blocks of all runs; a sentence that goes on in the next column, or behind a table, is one paragraph. */
function joinRuns(runs: readonly Block[][]): Block[] {
  const blocks: Block[] = [];
  for (const run of runs) {
    const [first, ...rest] = run;
    if (first !== undefined && !carryOver(blocks, first)) blocks.push(first);
    blocks.push(...rest);
  }
  return blocks;
}

/** Adds the lines of `next` to the paragraph that they go on with, if there is one at the end of `blocks`. */
export function carryOver(blocks: readonly Block[], next: Block): boolean {
  if (next.kind !== "paragraph") return false;
  // Notes at the foot of the column, tables and pictures do not end a sentence.
  const size = next.lines[0]!.size;
  const last = blocks
    .slice(-MOST_BETWEEN)
    .findLast((block) => "lines" in block && !(block.kind !== "heading" && block.lines[0]!.size < size - 0.6));
  if (last === undefined || (last.kind !== "paragraph" && last.kind !== "item") || !last.full) return false;
  const [before, after] = [last.lines.at(-1)!, next.lines[0]!];
  if (Math.abs(before.size - after.size) > 0.6 || before.monospaced !== after.monospaced) return false;
  if (!continues(before.text, after.text) && !(isRightToLeft(before.text) && !/[.!?؟:]$/.test(before.text)))
    return false;
  last.lines.push(...next.lines);
  return true;
}
