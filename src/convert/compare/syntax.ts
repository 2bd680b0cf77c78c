/**
 * What GitHub's Markdown has and CommonMark has not: notes (`[^1]`, `[^1]: text`) and formulas (`$…$`, `$$…$$`), as rules
 * of markdown-it. Nothing is ever rendered: the tokens are read for their words.
 */
import type create from "markdown-it";
import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

/** The package's default export: what makes a parser. */
export type CreateParser = typeof create;

type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;
type InlineRule = (state: StateInline, silent: boolean) => boolean;

/**
 * Deeper nesting of quotations and lists is not read: markdown-it recurses on it. A list takes two levels. Within a line
 * nothing is lost, and looking deeper costs a multiple of the time.
 */
const DEEPEST = { blocks: 1_000, inline: 20 };

/** A parser for reading: raw HTML is passed on as tokens, every target is taken as it stands. */
export function markdownParser(create: CreateParser): MarkdownIt {
  const parser = create({ html: true });
  parser.core.ruler.before("block", "blocks", () => void parser.set({ maxNesting: DEEPEST.blocks }));
  parser.core.ruler.before("inline", "within-lines", () => void parser.set({ maxNesting: DEEPEST.inline }));
  // The targets are compared, not followed: one that is refused here would count as words.
  parser.validateLink = () => true;
  parser.normalizeLink = (target) => target;
  parser.block.ruler.before("reference", "note", noteRule, { alt: ["paragraph", "reference"] });
  parser.block.ruler.before("fence", "formula", formulaBlockRule, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
  parser.inline.ruler.before("link", "note", noteReferenceRule);
  parser.inline.ruler.before("escape", "formula", formulaRule);
  return parser;
}

const NOTE = /^\[\^([^\]\s]{1,200})\]:[ \t]*/;

/** `[^label]: text`, with what is indented below it. */
const noteRule: BlockRule = (state, startLine, endLine, silent) => {
  if (state.sCount[startLine]! - state.blkIndent >= 4) return false;
  const from = state.bMarks[startLine]! + state.tShift[startLine]!;
  const found = NOTE.exec(state.src.slice(from, Math.min(state.eMarks[startLine]!, from + 300)));
  if (found === null) return false;
  if (silent) return true;
  const open = state.push("note_open", "", 1);
  open.info = found[1]!;
  const saved = {
    bMark: state.bMarks[startLine]!,
    tShift: state.tShift[startLine]!,
    sCount: state.sCount[startLine]!,
    parent: state.parentType,
    indent: state.blkIndent,
  };
  const text = from + found[0].length;
  state.bMarks[startLine] = text;
  state.tShift[startLine] = 0;
  // The first line counts as indented like the lines below it.
  state.blkIndent += 4;
  state.sCount[startLine] = state.blkIndent;
  state.md.block.tokenize(state, startLine, endLine);
  state.bMarks[startLine] = saved.bMark;
  state.tShift[startLine] = saved.tShift;
  state.sCount[startLine] = saved.sCount;
  state.parentType = saved.parent;
  state.blkIndent = saved.indent;
  state.push("note_close", "", -1);
  return true;
};

/** In lines. */
const LONGEST_FORMULA = 100;

/** `$$`, lines, `$$`; or all of it on one line. */
const formulaBlockRule: BlockRule = (state, startLine, endLine, silent) => {
  if (state.sCount[startLine]! - state.blkIndent >= 4) return false;
  const lineOf = (line: number): string =>
    state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]).trim();
  const first = lineOf(startLine);
  if (!first.startsWith("$$")) return false;
  const lines = [first.slice(2)];
  let line = startLine;
  while (!/(?<!\\)\$\$$/.test(lines.at(-1)!)) {
    line++;
    // A formula has no empty line and an end: without this every `$$` of a text would look for it to the end of all.
    if (
      line >= endLine ||
      line - startLine > LONGEST_FORMULA ||
      state.isEmpty(line) ||
      state.sCount[line]! < state.blkIndent
    )
      return false;
    lines.push(lineOf(line));
  }
  if (silent) return true;
  const token = state.push("formula", "", 0);
  token.content = lines.join(" ").replace(/\$\$$/, "").trim();
  state.line = line + 1;
  return true;
};

const noteReferenceRule: InlineRule = (state, silent) => {
  if (!state.src.startsWith("[^", state.pos)) return false;
  const found = /^\[\^([^\]\s]{1,200})\]/.exec(state.src.slice(state.pos, state.pos + 210));
  if (found === null) return false;
  if (!silent) state.push("note_reference", "", 0).info = found[1]!;
  state.pos += found[0].length;
  return true;
};

/** Closing dollars of a text, found once: `$` after something that is no blank, and not before a digit. */
const closings = new WeakMap<object, { readonly source: string; readonly at: readonly number[] }>();

function closingDollars(env: object, source: string): readonly number[] {
  const known = closings.get(env);
  if (known?.source === source) return known.at;
  const at = Array.from(source.matchAll(/(?<=[^\s\\])\$(?!\d)/g), ({ index }) => index);
  closings.set(env, { source, at });
  return at;
}

const formulaRule: InlineRule = (state, silent) => {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== 0x24) return false;
  const double = src.startsWith("$$", pos);
  const from = pos + (double ? 2 : 1);
  if (from >= state.posMax || /\s/.test(src[from]!)) return false;
  const end = firstFrom(closingDollars(state.env, src), from + (double ? 0 : 1));
  if (end === undefined || end >= state.posMax || (double && src[end + 1] !== "$")) return false;
  if (!silent) state.push("formula", "", 0).content = src.slice(from, end);
  state.pos = end + (double ? 2 : 1);
  return true;
};

function firstFrom(sorted: readonly number[], from: number): number | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}
