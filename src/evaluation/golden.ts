import { MdcxError } from "../errors.js";

/** What a question puts to the test. `unanswerable`: nothing in the package answers it, and a warning is the right answer. */
export const KINDS = [
  "paraphrase",
  "exact term",
  "keyword",
  "multi-hop",
  "table",
  "cross-language",
  "unanswerable",
] as const;

export type Kind = (typeof KINDS)[number];

/** A question with the documents that answer it, judged by a person. */
export interface GoldenQuestion {
  readonly id: string;
  readonly query: string;
  readonly kind: Kind;
  /** Paths of documents (`@/folder/name.md`); none for an unanswerable question, else at least one. */
  readonly documents: readonly string[];
  /** Whether one of the documents answers, or only all of them together. */
  readonly needs: "any" | "all";
  /** Its line in the file, from 1. */
  readonly line: number;
}

/**
 * Reads golden questions: JSON Lines of `{ id, query, kind, any | all }`, where `any` and `all` are lists of documents'
 * paths; other members are left alone, for notes (bench/golden/README.md).
 *
 * @throws MdcxError `bad-input` naming the first line that cannot be used
 */
export function readGolden(text: string): GoldenQuestion[] {
  const questions: GoldenQuestion[] = [];
  const ids = new Set<string>();
  for (const [index, content] of text
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    if (content.trim() === "") continue;
    const question = readLine(content, index + 1);
    if (ids.has(question.id))
      throw unusable(question.line, `the id ${JSON.stringify(question.id)} occurs a second time`);
    ids.add(question.id);
    questions.push(question);
  }
  if (questions.length === 0)
    throw new MdcxError("bad-input", "There is no golden question in the file: it needs one JSON object a line.");
  return questions;
}

function readLine(content: string, line: number): GoldenQuestion {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw unusable(line, "it is not a JSON object on one line");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw unusable(line, "it is not a JSON object");
  const given = value as Record<string, unknown>;
  const kind = KINDS.find((one) => one === given.kind);
  if (kind === undefined) throw unusable(line, `"kind" must be one of ${KINDS.join(", ")}`);
  const labels = (["any", "all"] as const).filter((name) => given[name] !== undefined);
  if (labels.length > 1) throw unusable(line, 'it has both "any" and "all": one of them says which documents answer');
  const [needs] = labels;
  if (kind === "unanswerable" && needs !== undefined)
    throw unusable(line, `it is unanswerable and yet has "${needs}": one of the two is wrong`);
  if (kind !== "unanswerable" && needs === undefined)
    throw unusable(line, '"any" or "all" is missing: the list of documents that answer');
  return {
    id: filled(given, "id", line),
    query: filled(given, "query", line),
    kind,
    documents: needs === undefined ? [] : paths(given[needs], needs, line),
    needs: needs ?? "any",
    line,
  };
}

function filled(given: Record<string, unknown>, name: string, line: number): string {
  const value = given[name];
  if (typeof value !== "string" || value.trim() === "")
    throw unusable(line, `"${name}" must be a text that is not empty`);
  return value;
}

function paths(value: unknown, name: string, line: number): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const found = list.filter((path): path is string => typeof path === "string" && path !== "");
  if (found.length === 0 || found.length < list.length)
    throw unusable(line, `"${name}" must be a list of documents such as ["@/folder/name.md"]`);
  return [...new Set(found.map((path) => (path.startsWith("@/") ? path : `@/${path}`)))];
}

/** The refusal of a line, with the reason. */
export function unusable(line: number, what: string): MdcxError {
  return new MdcxError("bad-input", `Line ${line} of the golden questions cannot be used: ${what}.`);
}
