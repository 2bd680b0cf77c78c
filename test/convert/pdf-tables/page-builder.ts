import type { FoundTable, PageContents, Rule, TextItem } from "../../../src/convert/pdf/page.js";

const SIZE = 10;
/** A letter is about half as wide as it is high. */
const LETTER = 5;

/** A page to which words and lines are added, as the engine's reading of a PDF gives them. */
export class PageBuilder {
  readonly items: TextItem[] = [];
  readonly rules: Rule[] = [];
  readonly #fills: PageContents["fills"][number][] = [];

  /** Words from `x` on the line whose baseline is `y`. */
  text(x: number, y: number, text: string, style: Partial<TextItem> = {}): this {
    let left = x;
    for (const word of text.split(" ")) {
      this.items.push({
        text: word,
        x: left,
        y: y - 8,
        width: word.length * LETTER,
        height: SIZE,
        baseline: y,
        fontSize: SIZE,
        font: "Test",
        bold: false,
        italic: false,
        monospaced: false,
        rotation: 0,
        vertical: false,
        rtl: false,
        blankBefore: left > x,
        order: this.items.length,
        ...style,
      });
      left += (word.length + 0.6) * LETTER;
    }
    return this;
  }

  /** One line of cells, each from the place of its column; empty ones are left out. */
  row(y: number, columns: readonly number[], cells: readonly string[]): this {
    for (const [index, cell] of cells.entries()) if (cell !== "") this.text(columns[index]!, y, cell);
    return this;
  }

  line(x1: number, y1: number, x2: number, y2: number): this {
    this.rules.push({ x1, y1, x2, y2, thickness: 0.5 });
    return this;
  }

  fill(left: number, top: number, right: number, bottom: number): this {
    this.#fills.push({ left, top, right, bottom, colour: "#dddddd" });
    return this;
  }

  page(): PageContents {
    return {
      number: 1,
      width: 612,
      height: 792,
      items: this.items,
      rules: this.rules,
      fills: this.#fills,
      pictures: [],
    };
  }
}

/** A table as rows of texts; a merged cell says how far it goes: `Total [2x1]`. */
export function textsOf(table: FoundTable): string[][] {
  return table.rows.map(({ cells }) =>
    cells.map(({ items, colspan, rowspan }) => {
      const text = items.map((item) => item.text).join(" ");
      return colspan === 1 && rowspan === 1 ? text : `${text} [${colspan}x${rowspan}]`;
    }),
  );
}
