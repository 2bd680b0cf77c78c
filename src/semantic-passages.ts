import type { Encoder } from "./meaning/encoder.js";
import {
  bySize,
  CEILING_TOKENS,
  cutUnits,
  FLOOR_CHARACTERS,
  PASSAGES_VERSION,
  TABLE_TOKENS,
  TARGET_TOKENS,
  type DocumentCuts,
  type Open,
} from "./text/passages.js";
import { DocumentUnits, part, SENTENCE_END, type Unit } from "./text/units.js";
import { product } from "./meaning/product.js";

/** Version of the rule below, kept in a package that it cut. */
export const SEMANTIC_VERSION = 1;

/**
 * A sentence joins while its nearness to the passage's centroid is at least this: 0 is as near as two sentences of the
 * document are in the mean, 1 is the same. See spec/text.md §7.5 for how it was found.
 */
export const LEAST_NEARNESS = 0.35;
/** UTF-16 units that a passage never passes; the ceiling of tokens, which the model's window needs, mostly comes first. */
export const CEILING_CHARACTERS = 3_000;
/** A shorter piece is a number or an abbreviation rather than a sentence, and stays with what follows. */
const SHORTEST_SENTENCE = 30;
/** Mean cosine of sentences that say the same: there is no range to be relative to. */
const ALL_ALIKE = 0.999;

/**
 * Cuts `markdown` where its meaning changes (spec/text.md §7.5): sentence by sentence within what the structure leaves
 * together. Headings, markers, tables and code count as in `cutDocument`, and passages tile the document as there.
 *
 * @param nearness for measuring; packages are cut with the one that the rule states
 * @throws what the encoder throws
 */
export async function cutBySense(markdown: string, encoder: Encoder, nearness = LEAST_NEARNESS): Promise<DocumentCuts> {
  const document = new DocumentUnits(markdown);
  const units = [...document].flatMap((unit) => sentences(markdown, unit));
  const senses = await Senses.of(markdown, units, encoder);
  const passages = cutUnits(markdown, units, (open, unit) => {
    const near = senses.nearness(open, unit);
    if (near === undefined) return bySize(open, unit);
    return near >= nearness && open.characters + unit.characters <= CEILING_CHARACTERS;
  });
  const { frontMatter, title } = document;
  return { frontMatter, passages, ...(title === undefined ? {} : { title }) };
}

/** Whether a unit is put together with others by its sense: prose, not a table, code or a heading. */
function isProse({ kind, leads, tile }: Unit): boolean {
  return (kind === "text" || kind === "ocr") && !leads && tile === undefined;
}

/** The sentences of a unit of prose; another is left whole. */
function sentences(markdown: string, unit: Unit): Unit[] {
  if (!isProse(unit)) return [unit];
  const ends: number[] = [];
  let start = unit.start;
  for (const found of markdown.slice(unit.start, unit.end).matchAll(SENTENCE_END)) {
    const end = unit.start + found.index + found[0].length;
    if (end - start < SHORTEST_SENTENCE || unit.end - end < SHORTEST_SENTENCE) continue;
    ends.push(end);
    start = end;
  }
  if (ends.length === 0) return [unit];
  return [...ends, unit.end].map((end, at) => part(markdown, unit, at === 0 ? unit.start : ends[at - 1]!, end));
}

/** The vectors of a document's sentences, and how near any two of them are in the mean. */
class Senses {
  private constructor(
    private readonly vectors: ReadonlyMap<Unit, Float32Array>,
    /** Mean cosine of all pairs: models differ in it, and so do languages and documents. */
    private readonly base: number,
  ) {}

  static async of(markdown: string, units: readonly Unit[], encoder: Encoder): Promise<Senses> {
    const prose = units.filter(isProse);
    const texts = prose.map(({ start, end }) => markdown.slice(start, end).trim());
    if (prose.length < 2) return new Senses(new Map(), 0);
    const { vectors } = await encoder.encode(texts, "passage");
    const dimensions = vectors.length / prose.length;
    const rows = prose.map((_, at) => vectors.subarray(at * dimensions, (at + 1) * dimensions));
    const sum = sumOf(rows);
    // Of unit vectors: the square of their sum is all pairs both ways, and each with itself.
    const base = (product(sum, sum) - rows.length) / (rows.length * (rows.length - 1));
    return new Senses(new Map(prose.map((unit, at) => [unit, rows[at]!])), base);
  }

  /** How near a unit is to the centroid of what is open; undefined where one of them has no sentence. */
  nearness({ units }: Open, unit: Unit): number | undefined {
    const vector = this.vectors.get(unit);
    const open = units.flatMap((one) => this.vectors.get(one) ?? []);
    if (vector === undefined || open.length === 0) return undefined;
    if (this.base > ALL_ALIKE) return 1;
    const sum = sumOf(open);
    return (product(sum, vector) / Math.sqrt(product(sum, sum)) - this.base) / (1 - this.base);
  }
}

function sumOf(rows: readonly Float32Array[]): Float64Array {
  const sum = new Float64Array(rows[0]!.length);
  for (const row of rows) for (let i = 0; i < sum.length; i++) sum[i]! += row[i]!;
  return sum;
}

/** How documents are cut. */
export type PassageRule = "structure" | "semantic";

/** What an image's `meta` says of the rule that made its passages (spec/text.md §9): name, version and figures. */
export function passageRuleMeta(rule: PassageRule): Record<string, string> {
  const shared = `ceiling ${CEILING_TOKENS} tokens, table ${TABLE_TOKENS} tokens, floor ${FLOOR_CHARACTERS} characters`;
  return rule === "structure"
    ? {
        "rule:passages": String(PASSAGES_VERSION),
        "passages:rule": rule,
        "passages:figures": `target ${TARGET_TOKENS} tokens, ${shared}`,
      }
    : {
        "rule:passages": `${rule} ${SEMANTIC_VERSION}`,
        "passages:rule": rule,
        "passages:figures": `nearness ${LEAST_NEARNESS}, ceiling ${CEILING_CHARACTERS} characters, ${shared}`,
      };
}
