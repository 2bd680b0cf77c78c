import type { Statement } from "./sqlite.js";

type Row = Parameters<Statement["run"]>[0];

/**
 * Rows of one table that are inserted many at once. SQLite gives a table its next page when the last one is full: of tables
 * filled in turn, the pages would lie among those of the text, and whoever reads a package on the web leaf by leaf would be
 * brought three of these with each. Rows come out in the order in which they went in.
 */
export class RowRun {
  #rows: Row[] = [];

  /** @param most rows that are held back */
  constructor(
    private readonly insert: Statement,
    private readonly most: number,
  ) {}

  run(row: Row): void {
    this.#rows.push(row);
    if (this.#rows.length >= this.most) this.end();
  }

  /** Inserts those that are held back. */
  end(): void {
    for (const row of this.#rows) this.insert.run(row);
    this.#rows = [];
  }
}
