import { textOf } from "./document.js";
import type { HeldDocument } from "./folder-document.js";
import { indexableText } from "./text/markers.js";
import { phraseUnits } from "./text/words.js";
import { lengthNorms } from "./words/bm25.js";
import type { WordIndex } from "./words/dictionary.js";
import { newAccumulator } from "./words/postings.js";
import { RANKING } from "./words/search.js";

/** A passage with a phrase. */
export interface Occurrence {
  /** Its place in the document, from 0. */
  readonly ordinal: number;
  readonly score: number;
}

/** Phrases in the documents of a folder. A document holds one also where it runs from one passage into the next. */
export class FolderPhrases {
  readonly #norms: Float32Array;

  constructor(
    private readonly documents: readonly HeldDocument[],
    /** By document: the number of its first passage. */
    private readonly firsts: readonly number[],
    private readonly documentOf: Uint32Array,
    private readonly index: WordIndex,
  ) {
    this.#norms = lengthNorms([index.lengths], index.words, RANKING.stem.b);
  }

  /** Numbers of the documents that hold every one of some phrases, all of them where there is none; ascending. */
  holders(phrases: readonly (readonly string[])[]): number[] {
    let numbers = Array.from(this.documents.keys());
    // A unit of a phrase is a form of the index, but for Korean, whose syllables are none.
    for (const unit of new Set(phrases.flat().filter((one) => !/\p{Script=Hangul}/u.test(one)))) {
      const having = this.#documentsWith(unit);
      numbers = numbers.filter((number) => having.has(number));
    }
    return numbers.filter((number) => phrases.every((phrase) => this.occurrences(number, phrase).length > 0));
  }

  /** Passages of a document in which a phrase begins, best first: scored as BM25 scores a word that occurs as often. */
  occurrences(number: number, phrase: readonly string[]): Occurrence[] {
    const { bytes, passages } = this.documents[number]!;
    const units: string[] = [];
    const ordinals: number[] = [];
    passages.forEach(({ start, end }, ordinal) => {
      const text = indexableText(textOf(bytes.subarray(start, end)), { atStart: ordinal === 0 });
      for (const unit of phraseUnits(text)) {
        units.push(unit);
        ordinals.push(ordinal);
      }
    });
    const counts = new Map<number, number>();
    for (let at = units.indexOf(phrase[0]!); at >= 0; at = units.indexOf(phrase[0]!, at + 1)) {
      const ordinal = ordinals[at]!;
      if (phrase.every((unit, i) => units[at + i] === unit)) counts.set(ordinal, (counts.get(ordinal) ?? 0) + 1);
    }
    const { k1 } = RANKING.stem;
    const norm = (ordinal: number): number => this.#norms[this.firsts[number]! + ordinal]!;
    return Array.from(counts, ([ordinal, count]) => ({
      ordinal,
      score: ((k1 + 1) * count) / (count + k1 * norm(ordinal)),
    })).sort((a, b) => b.score - a.score || a.ordinal - b.ordinal);
  }

  #documentsWith(unit: string): Set<number> {
    const form = this.index.findForm(unit);
    const term = newAccumulator(this.index.passages);
    if (form >= 0) this.index.addPostings(this.index.postingsOf(form), 0, 1, term);
    return new Set(Array.from(term.touched.subarray(0, term.count), (passage) => this.documentOf[passage]!));
  }
}
