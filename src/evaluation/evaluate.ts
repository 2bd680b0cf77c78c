import { bytesToHex } from "@noble/hashes/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { MdcxError } from "../errors.js";
import { whenHere } from "../format/not-here-yet.js";
import type { Package } from "../package.js";
import { MOST_HITS, type SearchMode } from "../search.js";
import { KINDS, unusable, type GoldenQuestion, type Kind } from "./golden.js";
import { average, measure, type Figures, type Measures, type Warnings } from "./measures.js";

/** How one way of searching does: over all answerable questions, and by their kind. */
export interface ModeFigures {
  readonly all: Figures;
  readonly kinds: Readonly<Partial<Record<Kind, Figures>>>;
}

/** What became of one question. */
export interface Outcome {
  readonly id: string;
  readonly mode: SearchMode;
  /** Of the first document that answers; null where none was found, or none is there. */
  readonly rank: number | null;
  readonly warned: boolean;
}

export interface Evaluation {
  /** SHA-256 of the questions: figures of other questions cannot be compared. */
  readonly golden: string;
  readonly modes: Readonly<Partial<Record<SearchMode, ModeFigures>>>;
  /** Null for a package without meaning, which never warns. */
  readonly warnings: Warnings | null;
  readonly outcomes: readonly Outcome[];
}

/**
 * Puts golden questions to a package in every way that it can be asked: by words, and where it has vectors by meaning
 * and by both. Whether it warns is what it says when asked by both, as its readers ask.
 *
 * @throws MdcxError `not-found` for a label that names no document which can be found; `no-meaning` where the package has
 * vectors and their model is not at hand
 */
export async function evaluate(
  pkg: Package,
  questions: readonly GoldenQuestion[],
  onProgress?: (done: number, total: number) => void,
): Promise<Evaluation> {
  await whenHere(() => {
    requireLabels(pkg, questions);
  });
  const modes: readonly SearchMode[] = pkg.meaning.description === undefined ? ["words"] : ["words", "meaning", "auto"];
  const outcomes: Outcome[] = [];
  const figures: Partial<Record<SearchMode, ModeFigures>> = {};
  for (const [at, mode] of modes.entries()) {
    const measured = new Map<GoldenQuestion, Measures>();
    for (const [done, question] of questions.entries()) {
      onProgress?.(at * questions.length + done, modes.length * questions.length);
      const { documents, warned } = await ask(pkg, question, mode);
      const rank = documents.findIndex((document) => question.documents.includes(document)) + 1;
      outcomes.push({ id: question.id, mode, rank: rank === 0 ? null : rank, warned });
      if (question.kind !== "unanswerable") measured.set(question, measure(documents, question));
    }
    figures[mode] = byKind(measured);
  }
  return { golden: digestOf(questions), modes: figures, warnings: warningsOf(questions, outcomes), outcomes };
}

/** The documents of an answer, best first, and whether it comes with a warning. */
async function ask(pkg: Package, { query, line }: GoldenQuestion, mode: SearchMode) {
  try {
    const { passages, warning } = await pkg.search(query, { mode, limit: MOST_HITS });
    return { documents: [...new Set(passages.map(({ document }) => document))], warned: warning !== undefined };
  } catch (error) {
    if (!(error instanceof MdcxError) || error.code !== "bad-input") throw error;
    throw unusable(line, `it cannot be asked (${error.message.replace(/\.$/, "")})`);
  }
}

function warningsOf(questions: readonly GoldenQuestion[], outcomes: readonly Outcome[]): Warnings | null {
  const auto = outcomes.filter(({ mode }) => mode === "auto");
  if (auto.length === 0) return null;
  const warned = new Set(auto.flatMap((one) => (one.warned ? [one.id] : [])));
  const count = (answerable: boolean, only: (id: string) => boolean): number =>
    questions.filter(({ id, kind }) => (kind !== "unanswerable") === answerable && only(id)).length;
  return {
    unanswerable: count(false, () => true),
    flagged: count(false, (id) => warned.has(id)),
    answerable: count(true, () => true),
    wronglyFlagged: count(true, (id) => warned.has(id)),
  };
}

/** Of what is asked and expected, not of how the file is laid out. */
function digestOf(questions: readonly GoldenQuestion[]): string {
  const told = questions.map(({ id, query, kind, documents, needs }) => [id, query, kind, needs, documents]);
  return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(told))));
}

function byKind(measured: ReadonlyMap<GoldenQuestion, Measures>): ModeFigures {
  const kinds: Partial<Record<Kind, Figures>> = {};
  for (const kind of KINDS) {
    const ofKind = [...measured].flatMap(([question, one]) => (question.kind === kind ? [one] : []));
    if (ofKind.length > 0) kinds[kind] = average(ofKind);
  }
  return { all: average([...measured.values()]), kinds };
}

/** A label that nothing can meet would lower every figure in silence. */
function requireLabels(pkg: Package, questions: readonly GoldenQuestion[]): void {
  for (const { documents, line } of questions)
    for (const path of documents) {
      const document = pkg.image.documentByPath(path.slice(2));
      if (document?.indexed === true) continue;
      const nearest = document === undefined ? pkg.nearestNames(path) : [];
      const why =
        document === undefined
          ? `which ${pkg.name} does not hold${nearest.length === 0 ? "" : `; nearest are ${nearest.join(", ")}`}`
          : "which is not indexed, so that no search finds it";
      throw new MdcxError("not-found", `Line ${line} of the golden questions names ${path}, ${why}.`);
    }
}
