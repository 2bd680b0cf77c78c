import { UNDETERMINED } from "./text/languages.js";

/** Documents of a package by language, as its claims count them. */
export interface LanguageCounts {
  readonly languageCounts: readonly { readonly code: string; readonly documents: number }[];
}

/**
 * The languages of all documents together, most frequent first, equally frequent ones by their code: however the documents are
 * split into packages. Without those that nobody could tell.
 */
export function corpusLanguages(packages: readonly LanguageCounts[]): string[] {
  const documents = new Map<string, number>();
  for (const { languageCounts } of packages)
    for (const one of languageCounts) documents.set(one.code, (documents.get(one.code) ?? 0) + one.documents);
  documents.delete(UNDETERMINED);
  return [...documents].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([code]) => code);
}
