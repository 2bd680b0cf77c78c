import { FormTable, type FormList } from "../text/forms.js";

/**
 * Counts the words of passages, for an index that is built elsewhere: passage by passage its words in all, its distinct
 * forms, then each form with its occurrences.
 */
export class WordCounter {
  #occurrences = new Int32Array(1 << 12);
  #counts = new Int32Array(1 << 12);
  #used = 0;
  /** Forms that were told of before. */
  #told = 0;

  constructor(readonly forms: FormTable = new FormTable()) {}

  /** Counts a passage: `parts` are its forms by their numbers in `forms`. */
  add(parts: readonly FormList[]): void {
    const words = parts.reduce((sum, part) => sum + part.length, 0);
    this.#reserve(2 + 2 * words);
    const counts = this.#counts;
    const occurrences = this.#occurrences;
    const head = this.#used;
    let at = head + 2;
    for (const part of parts) {
      for (const form of part.numbers) {
        if (occurrences[form]!++ > 0) continue;
        counts[at] = form;
        at += 2;
      }
    }
    for (let pair = head + 2; pair < at; pair += 2) {
      const form = counts[pair]!;
      counts[pair + 1] = occurrences[form]!;
      occurrences[form] = 0;
    }
    counts[head] = words;
    counts[head + 1] = (at - head - 2) / 2;
    this.#used = at;
  }

  /** What has been counted since the last time. */
  take(): Int32Array<ArrayBuffer> {
    const counts = this.#counts.slice(0, this.#used);
    this.#used = 0;
    return counts;
  }

  /** The forms that are new since the last time; their numbers follow those before. */
  takeForms(): string[] {
    const forms = this.forms.list.slice(this.#told);
    this.#told += forms.length;
    return forms;
  }

  #reserve(more: number): void {
    if (this.forms.count > this.#occurrences.length) this.#occurrences = new Int32Array(2 * this.forms.count);
    if (this.#used + more <= this.#counts.length) return;
    const larger = new Int32Array(2 * (this.#used + more));
    larger.set(this.#counts.subarray(0, this.#used));
    this.#counts = larger;
  }
}
