/** Which lines are headings, and of which level: by the bookmarks where there are some, else by sizes and weights. */
import type { Line } from "./lines.js";
import type { OutlineEntry } from "./document.js";

/** The looks of a document's text, learnt from a fixed sample of its pages, so that a part has the levels of the whole. */
export interface Styles {
  /** Look of most letters. */
  readonly body: Look;
  /** Level of each look that headings have. */
  readonly levels: ReadonlyMap<string, HeadingLook>;
  /** Whether bookmarks name the headings: then type of the body's size is a heading only where it looks as those do. */
  readonly bookmarked: boolean;
}

export interface Look {
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly key: string;
}

interface HeadingLook extends Look {
  readonly level: number;
  /** Parts of the least number before such headings (`2.1` has two); 0 where they have none. */
  readonly numbering: number;
}

/** Longer texts are paragraphs, whatever they look like. */
const LONGEST_HEADING = 200;
const MOST_LINES = 4;
/** Larger than the body by so much is a heading's size. */
const LARGER = 1.08;
const LEVELS = 6;
/** What stands below figures and above tables is no heading. */
const CAPTION = /^(?:fig(?:ure|\.)?|table|tab\.|abb(?:ildung|\.)|tabelle|tableau|tabla|figura|図|表)\s*\d/i;

export function lookOf(line: Line): Look {
  const size = Math.round(line.size * 2) / 2;
  return { size, bold: line.bold, italic: line.italic, key: `${size}${line.bold ? "b" : ""}${line.italic ? "i" : ""}` };
}

/** Lines of one look that follow one another closely, as the lines of one heading do. */
export interface Group {
  readonly lines: readonly Line[];
  readonly look: Look;
  readonly text: string;
  /** Space above and below, in multiples of the usual distance of lines. */
  readonly above: number;
  readonly below: number;
  /** Whether its last line is as long as the next one below it, which follows closely: the beginning of a paragraph. */
  readonly runsOn: boolean;
}

/** The groups of a run of lines. `leading` is the usual distance of two baselines in it. */
export function groupsOf(lines: readonly Line[], leading: number): Group[] {
  const groups: Group[] = [];
  for (let start = 0; start < lines.length;) {
    const look = lookOf(lines[start]!);
    let end = start + 1;
    while (
      end < lines.length &&
      lookOf(lines[end]!).key === look.key &&
      lines[end]!.baseline - lines[end - 1]!.baseline < Math.max(1.6 * look.size, 0) &&
      lines[end]!.baseline > lines[end - 1]!.baseline
    )
      end += 1;
    const members = lines.slice(start, end);
    const space = (one: Line | undefined, other: Line | undefined): number =>
      one === undefined || other === undefined || other.baseline <= one.baseline
        ? Infinity
        : (other.baseline - one.baseline) / leading;
    groups.push({
      lines: members,
      look,
      text: members.map(({ text }) => text).join(" "),
      above: space(lines[start - 1], lines[start]),
      below: space(lines[end - 1], lines[end]),
      runsOn: space(lines[end - 1], lines[end]) < 1.15 && lines[end - 1]!.right > lines[end]!.right - 2 * look.size,
    });
    start = end;
  }
  return groups;
}

/** Whether a group stands as a heading stands: short, apart, larger or bolder than the body. */
export function looksLikeHeading(group: Group, body: Look): boolean {
  const { lines, look, text } = group;
  if (lines.length > MOST_LINES || text.length > LONGEST_HEADING || !/\p{L}/u.test(text)) return false;
  if (lines.every((line) => line.monospaced)) return false;
  if (lines.some(({ items }) => items.some(({ unreadable }) => unreadable === true))) return false;
  // Rows of leaders belong to tables of contents.
  if (/(?:\. ?){4,}|…{2,}|_{4,}/.test(text) || CAPTION.test(text)) return false;
  if (look.size >= LARGER * body.size) return lines.length <= (look.bold ? 3 : 2) || look.size >= 1.4 * body.size;
  if (look.size < 0.95 * body.size || /[.,;:]$/.test(text)) return false;
  if (!look.bold || body.bold) {
    // Italics alone make a heading only where a short line stands clearly apart.
    const apart = group.above >= 1.3 && lines.length === 1 && text.length <= 60 && !group.runsOn;
    return look.italic && !body.italic && apart && /^[\p{Lu}\p{N}]/u.test(text);
  }
  if (lines.length > 2 || text.length > 120 || /^[•◦▪–—*-]/.test(text)) return false;
  return group.above >= 1.15 && !group.runsOn;
}

/** Learns body and headings from runs of lines; `known` gives the depth of the bookmark that a group is titled as. */
export function learnStyles(runs: readonly (readonly Line[])[], known: (group: Group) => number | undefined): Styles {
  const letters = new Map<string, { look: Look; count: number }>();
  for (const line of runs.flat()) {
    const look = lookOf(line);
    const entry = letters.get(look.key) ?? { look, count: 0 };
    // Listings may outweigh the text of a manual, and are no measure for its headings.
    entry.count += line.monospaced ? line.text.length / 8 : line.text.length;
    letters.set(look.key, entry);
  }
  const body = [...letters.values()].sort((a, b) => b.count - a.count)[0]?.look ?? {
    size: 10,
    bold: false,
    italic: false,
    key: "10",
  };
  const bodyLetters = letters.get(body.key)?.count ?? 0;
  const looks = new Map<string, { look: Look; depths: number[]; numbering: number[]; count: number }>();
  for (const run of runs) {
    for (const group of groupsOf(run, leadingOf(run))) {
      const depth = known(group);
      if (depth === undefined && !looksLikeHeading(group, body)) continue;
      const entry = looks.get(group.look.key) ?? { look: group.look, depths: [], numbering: [], count: 0 };
      if (depth !== undefined) entry.depths.push(depth);
      entry.numbering.push(numberingOf(group.text));
      entry.count += 1;
      looks.set(group.look.key, entry);
    }
  }
  const bookmarked = [...looks.values()].reduce((sum, { depths }) => sum + depths.length, 0) >= 4;
  const ranked = [...looks.values()]
    .filter(({ look, depths }) => depths.length > 0 || !bookmarked || look.size >= LARGER * body.size)
    .filter(({ look }) => look.key !== body.key && (letters.get(look.key)?.count ?? 0) < 0.3 * bodyLetters)
    .sort(
      (a, b) =>
        b.look.size - a.look.size ||
        Number(b.look.bold) - Number(a.look.bold) ||
        Number(a.look.italic) - Number(b.look.italic),
    );
  const levels = new Map<string, HeadingLook>();
  let last: HeadingLook | undefined;
  for (const { look, depths, numbering } of ranked) {
    const stated = median(depths);
    const alike = look.bold === last?.bold && look.size > 0.93 * last.size;
    const level = stated !== undefined ? stated + 1 : (last?.level ?? 0) + (alike ? 0 : 1);
    const numbered = numbering.filter((parts) => parts > 0);
    last = {
      ...look,
      level: Math.min(LEVELS, level),
      numbering: numbered.length > numbering.length / 2 ? Math.min(...numbered) : 0,
    };
    levels.set(look.key, last);
  }
  return { body, levels, bookmarked };
}

/** The level of a group that is no bookmark, or undefined where it is no heading. */
export function levelOf(group: Group, { body, levels, bookmarked }: Styles): number | undefined {
  if (!looksLikeHeading(group, body)) return undefined;
  const known = levels.get(group.look.key);
  if (known === undefined) {
    if (bookmarked && group.look.size < LARGER * body.size) return undefined;
    const larger = [...levels.values()].filter(({ size }) => size > group.look.size);
    return Math.min(LEVELS, 1 + Math.max(0, ...larger.map(({ level }) => level)));
  }
  const parts = numberingOf(group.text);
  return Math.min(LEVELS, known.level + (parts > 0 && known.numbering > 0 ? Math.max(0, parts - known.numbering) : 0));
}

/** How many parts the number before a title has: 0 for none, 1 for `2` or `B`, 3 for `2.1.4`. */
function numberingOf(text: string): number {
  const number = /^(?:[A-Z]|\d{1,3})((?:\.\d{1,3})*)\.?\s+\p{L}/u.exec(text);
  return number === null ? 0 : 1 + (number[1]!.match(/\./g)?.length ?? 0);
}

/** Usual distance of the baselines of a run. */
export function leadingOf(lines: readonly Line[]): number {
  const counts = new Map<number, number>();
  for (let index = 1; index < lines.length; index += 1) {
    const distance = Math.round((lines[index]!.baseline - lines[index - 1]!.baseline) * 2) / 2;
    if (distance > 0.7 * lines[index]!.size && distance < 3 * lines[index]!.size) {
      counts.set(distance, (counts.get(distance) ?? 0) + 1);
    }
  }
  // Of two equally frequent distances the smaller is that inside paragraphs.
  const usual = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
  return usual ?? 1.2 * (lines[0]?.size ?? 10);
}

function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** Bookmarks of one page, matched to its groups by their words. */
export class Bookmarks {
  readonly #open: OutlineEntry[];

  constructor(entries: readonly OutlineEntry[]) {
    this.#open = [...entries];
  }

  /** The bookmark that a group is titled as; each is given once. */
  take(group: Group): OutlineEntry | undefined {
    const at = this.#find(group);
    return at < 0 ? undefined : this.#open.splice(at, 1)[0];
  }

  /** Whether a group is titled as a bookmark that was not given yet. */
  peek(group: Group): boolean {
    return this.#find(group) >= 0;
  }

  #find(group: Group): number {
    if (this.#open.length === 0 || group.lines.length > MOST_LINES + 2 || group.text.length > 2 * LONGEST_HEADING)
      return -1;
    const text = plain(group.text);
    return this.#open.findIndex(({ title }) => isTitled(text, plain(title)));
  }
}

function isTitled(text: string, title: string): boolean {
  if (text === "" || title === "") return false;
  if (text === title) return true;
  // A number, or the word Chapter with one, may stand on one side only.
  const [longer, shorter] = text.length > title.length ? [text, title] : [title, text];
  if (shorter.length < 3 || !longer.endsWith(shorter)) return false;
  const rest = longer.slice(0, longer.length - shorter.length);
  return rest.length <= 14 && /^\p{L}{0,10}[\divxlc]{0,8}$|^[a-z]?\d*$|^第?.{0,4}[章節节部]$/u.test(rest);
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}
