import { append, piecesToText, type Piece } from "./raw-pieces.js";

const MOST_COLUMNS = 1_000;

interface Cell {
  readonly pieces: Piece[];
}

interface OpenCell {
  readonly cell: Cell;
  span: number;
  /** It is the lower part of a merged cell. */
  continues: boolean;
}

interface Table {
  readonly rows: Cell[][];
  cells: number;
  /** Cells that are merged downwards by the column of the grid in which they stand: from the row above, and from this one. */
  above: Map<number, Cell>;
  below: Map<number, Cell>;
  column: number;
  deletedRow: boolean;
  readonly openCells: OpenCell[];
}

/** The tables of a part, from the events of its XML. */
export class RawTables {
  readonly #open: Table[] = [];
  readonly #finished: Table[] = [];

  /** Rows of the texts of cells. A table of one cell is a frame. */
  get texts(): (readonly (readonly string[])[])[] {
    return this.#finished
      .filter(({ cells }) => cells > 1)
      .map(({ rows }) => rows.map((row) => row.map(({ pieces }) => piecesToText(pieces).trim())));
  }

  /** Whether the place is in a table, and in none of its cells. */
  get betweenCells(): boolean {
    return this.#open.at(-1)?.openCells.length === 0;
  }

  get rowIsDeleted(): boolean {
    return this.#open.at(-1)?.deletedRow === true;
  }

  openTable(): void {
    this.#open.push({
      rows: [],
      cells: 0,
      above: new Map(),
      below: new Map(),
      column: 0,
      deletedRow: false,
      openCells: [],
    });
  }

  closeTable(): void {
    const table = this.#open.pop();
    if (table !== undefined) this.#finished.push(table);
  }

  openRow(): void {
    const table = this.#open.at(-1);
    if (table === undefined) return;
    table.rows.push([]);
    table.below = new Map();
    table.column = 0;
    table.deletedRow = false;
  }

  closeRow(): void {
    const table = this.#open.at(-1);
    if (table === undefined) return;
    if (!table.deletedRow) table.above = table.below;
    else table.cells -= table.rows.pop()?.length ?? 0;
  }

  deleteRow(): void {
    const table = this.#open.at(-1);
    if (table !== undefined) table.deletedRow = true;
  }

  /** Columns that a row leaves free at its beginning. */
  skip(columns: number): void {
    const table = this.#open.at(-1);
    const row = table?.rows.at(-1);
    if (table === undefined || row === undefined || !(columns > 0)) return;
    row.push({ pieces: [] });
    table.cells++;
    table.column += Math.min(MOST_COLUMNS, columns);
  }

  /** @returns where the text of the cell goes */
  openCell(): Piece[] {
    const cell = { pieces: [] };
    this.#open.at(-1)?.openCells.push({ cell, span: 1, continues: false });
    return cell.pieces;
  }

  span(columns: number): void {
    const open = this.#open.at(-1)?.openCells.at(-1);
    if (open !== undefined) open.span = Math.min(MOST_COLUMNS, Math.max(1, columns || 1));
  }

  merge(begins: boolean): void {
    const table = this.#open.at(-1);
    const open = table?.openCells.at(-1);
    if (table === undefined || open === undefined) return;
    const above = begins ? undefined : table.above.get(table.column);
    open.continues = above !== undefined;
    table.below.set(table.column, above ?? open.cell);
  }

  closeCell(outside: Piece[]): void {
    const table = this.#open.at(-1);
    const open = table?.openCells.pop();
    if (table === undefined || open === undefined) return;
    append(outside, open.cell.pieces);
    outside.push({ text: "\n" });
    table.column += open.span;
    if (open.continues) return;
    if (table.rows.length === 0) table.rows.push([]);
    table.rows.at(-1)!.push(open.cell);
    table.cells++;
  }
}
