import { givePieces, type ScoredPieces, type UnigramModel } from "./unigram.js";

/** The library's tokeniser, as far as it is used here. Its own types cannot be resolved by NodeNext. */
interface Library {
  readonly model: unknown;
  encode(text: string, options: { add_special_tokens: boolean }): { ids: number[] };
}
type LibraryConstructor = new (definition: object, config: object) => Library;

/** `tokenizer.json`, as far as it is read here; the rest is the library's. */
interface Definition {
  readonly model: { readonly type?: string; readonly vocab?: unknown; readonly unk_id?: number | null };
  readonly added_tokens?: readonly { readonly id: number; readonly content: string }[];
}

/**
 * Longer texts are cut at a blank before they are tokenised, and their tokens joined: the library passes a word's tokens
 * as arguments of a call, of which an engine takes some 100,000. In UTF-16 units.
 */
const MOST_AT_ONCE = 32_768;

export class Tokeniser {
  private constructor(private readonly library: Library) {}

  /**
   * @param definition `tokenizer.json`, parsed
   * @param config `tokenizer_config.json`, parsed
   * @throws the import's error where `@huggingface/tokenizers` is not installed, the library's where it cannot read the files
   */
  static async load(definition: object, config: object): Promise<Tokeniser> {
    const { Tokenizer } = (await import("@huggingface/tokenizers")) as { Tokenizer: LibraryConstructor };
    const { model } = definition as Definition;
    const unknown = model.unk_id;
    if (model.type !== "Unigram" || !Array.isArray(model.vocab) || typeof unknown !== "number")
      return new Tokeniser(new Tokenizer(definition, config));
    const pieces = model.vocab as ScoredPieces;
    const small = { ...definition, model: { ...model, vocab: [pieces[unknown]], unk_id: 0 } };
    const library = new Tokenizer(small, config);
    givePieces(library.model as UnigramModel, pieces, unknown);
    return new Tokeniser(library);
  }

  /** Token numbers of a text, without prefix; `special` adds those that begin and end what the model reads. */
  ids(text: string, special: boolean): number[] {
    return this.library.encode(text, { add_special_tokens: special }).ids;
  }

  /**
   * One text as the model reads it: token numbers, prefix and special tokens included, in one list, or in several windows
   * of equal length where the text is too long.
   *
   * @param text without prefix
   * @param prefix of its role; every window begins with it
   * @param window tokens that the model reads at once
   */
  tokenise(text: string, prefix: string, window: number): Int32Array[] {
    const whole = prefix + text;
    if (whole.length <= MOST_AT_ONCE) {
      const ids = this.ids(whole, true);
      if (ids.length <= window) return [Int32Array.from(ids)];
    }
    const plain = this.plainIds(whole);
    const { before, after } = this.special();
    const head = commonStart(this.ids(prefix.trimEnd(), false), plain);
    const room = window - before.length - after.length - head.length;
    const body = plain.slice(head.length);
    // A text of many units may still be of few tokens.
    const parts = Math.max(1, Math.ceil(body.length / Math.max(1, room)));
    return Array.from({ length: parts }, (_, part) => {
      const start = Math.floor((body.length * part) / parts);
      const end = Math.floor((body.length * (part + 1)) / parts);
      return Int32Array.from([...before, ...head, ...body.slice(start, end), ...after]);
    });
  }

  private plainIds(text: string): number[] {
    const ids: number[] = [];
    for (let start = 0; start < text.length;) {
      let end = Math.min(text.length, start + MOST_AT_ONCE);
      if (end < text.length) {
        // The blank begins the next part: tokenisers that see blanks hang them before a word.
        const blank = text.slice(start, end).search(/\s\S*$/);
        if (blank > 0) end = start + blank;
        else if (/[\uD800-\uDBFF]/.test(text[end - 1]!)) end--;
      }
      for (const id of this.ids(text.slice(start, end), false)) ids.push(id);
      start = end;
    }
    return ids;
  }

  /** What the model wants before and after a text, from what the library adds to one. */
  private special(): { before: number[]; after: number[] } {
    const plain = this.ids("a", false);
    const full = this.ids("a", true);
    const extra = full.length - plain.length;
    for (let start = 0; start <= extra; start++)
      if (plain.every((id, index) => full[start + index] === id))
        return { before: full.slice(0, start), after: full.slice(start + plain.length) };
    return { before: [], after: [] };
  }
}

/** The tokens with which both begin. */
function commonStart(a: readonly number[], b: readonly number[]): number[] {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}
