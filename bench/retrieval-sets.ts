import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A document of a retrieval collection. */
export interface SetDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** A question with the documents that answer it and their grades (1 and more). */
export interface SetQuestion {
  readonly id: string;
  readonly text: string;
  readonly relevant: ReadonlyMap<string, number>;
}

/** A retrieval collection: documents, and the questions that somebody judged. */
export interface RetrievalSet {
  readonly name: string;
  /** BCP 47 primary subtag of documents and questions. */
  readonly language: string;
  readonly documents: readonly SetDocument[];
  readonly questions: readonly SetQuestion[];
}

/** The collections with human judgements, graded or not. */
export const JUDGED_SETS = ["scifact-train", "cranfield", "med", "cacm", "npl"] as const;

/** XQuAD's languages here; one paragraph is one document. */
export const XQUAD_LANGUAGES = ["en", "de", "es", "zh", "ar", "hi", "ru", "tr"] as const;

/** The folder with the shared data: `MDCX_DATA`, else `../shared/data` beside the checkout; undefined where there is none. */
export function dataFolder(): string | undefined {
  const folder = process.env.MDCX_DATA ?? new URL("../../shared/data", import.meta.url).pathname;
  const fromBuild = new URL("../../../shared/data", import.meta.url).pathname;
  return [folder, fromBuild].find((candidate) => existsSync(join(candidate, "retrieval")));
}

interface DocumentLine {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
}

function lines<T>(file: string): T[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

/**
 * Reads a collection.
 * @param name folder under `retrieval`: "cranfield", "xquad/de" …
 * @param withTitles false where the title would give the answer away (debref)
 */
export function readSet(data: string, name: string, withTitles = true): RetrievalSet {
  const folder = join(data, "retrieval", name);
  const relevant = new Map<string, Map<string, number>>();
  for (const line of readFileSync(join(folder, "qrels.tsv"), "utf8").split("\n")) {
    const [question, document, grade] = line.split("\t");
    if (question === undefined || document === undefined || Number(grade) < 1) continue;
    const known = relevant.get(question);
    if (known === undefined) relevant.set(question, new Map([[document, Number(grade)]]));
    else known.set(document, Number(grade));
  }
  return {
    name,
    language: name.includes("/") ? name.slice(name.indexOf("/") + 1) : "en",
    documents: lines<DocumentLine>(join(folder, "docs.jsonl")).map(({ id, title, text }) => ({
      id,
      title: withTitles ? (title ?? "") : "",
      text,
    })),
    questions: lines<DocumentLine>(join(folder, "queries.jsonl")).flatMap(({ id, text }) => {
      const judged = relevant.get(id);
      return judged === undefined ? [] : [{ id, text, relevant: judged }];
    }),
  };
}
