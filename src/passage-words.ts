import type { PassageTexts } from "./passage-texts.js";
import { FormList } from "./text/forms.js";
import { WordIndexBuilder, type BuiltWordIndex } from "./words/builder.js";

/**
 * The word index of passages in the making: of each its title, the headings over it, its table's header and its text are
 * indexed (DESIGN §4). Neighbours have title and headings in common, so these are read once.
 */
export class PassageWords {
  readonly #builder = new WordIndexBuilder();
  readonly #title = new Remembered(this.#builder);
  readonly #headings = new Remembered(this.#builder);
  readonly #own = new FormList();

  /**
   * Adds a passage.
   * @param passage its number; passages are added in ascending order, from 0, without a gap
   * @param language of its document: BCP 47 primary subtag, or "und"
   */
  add(passage: number, { title, headings, header, own }: PassageTexts, language: string): void {
    const { forms } = this.#builder;
    forms.read(header, this.#own.clear());
    forms.read(own, this.#own);
    const parts = [this.#title.formsOf(title), this.#headings.formsOf(headings.join("\n")), this.#own];
    this.#builder.add(passage, parts, language);
  }

  /** Writes the streams of the index. Nothing can be added afterwards. */
  build(): Promise<BuiltWordIndex> {
    return this.#builder.build();
  }
}

/** The forms of the text that was asked for last. */
class Remembered {
  readonly #forms = new FormList();
  #text = "";

  constructor(private readonly builder: WordIndexBuilder) {}

  formsOf(text: string): FormList {
    if (text !== this.#text) {
      this.builder.forms.read(text, this.#forms.clear());
      this.#text = text;
    }
    return this.#forms;
  }
}
