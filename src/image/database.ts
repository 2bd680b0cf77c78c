import { MdcxError } from "../errors.js";
import { PAGE, type PageReader } from "../format/pages.js";
import { badImage } from "./cells.js";
import { checkPageOne } from "./page-one.js";
import {
  READ_FAILURE,
  type Database,
  type FileContents,
  type SqlValue,
  type Sqlite,
  type Statement,
} from "./sqlite.js";

/** KiB of pages that SQLite keeps for one image. */
const CACHE_KIB = 512;

/** Bytes that SQLite may hold for all images of a process: a forged row cannot make it take more. */
const HEAP_LIMIT = 256 * 1024 * 1024;

/** Longest image that is held whole where it cannot be read in pages, unless the caller says otherwise. */
export const WHOLE_LIMIT = 512 * 1024 * 1024;

export interface DatabaseOptions {
  /** Hold the whole image in memory instead of reading pages as they are needed. */
  readonly whole?: boolean;
  /** Bytes of the longest image that may be held whole. */
  readonly wholeLimit?: number;
}

/**
 * The database of an image, read only: pages come from a PageReader as SQLite asks for them, statements are prepared
 * once, and one read transaction stays open, so that page 1 is not read again for every statement.
 *
 * Errors of the PageReader come out as they were thrown; everything SQLite says of the image is `bad-image`. After
 * either the database is usable: what failed may be asked again.
 */
export class ImageDatabase {
  private readonly statements = new Map<string, Statement>();
  private inTransaction = false;
  private open = true;

  constructor(
    private readonly database: Database,
    private readonly contents: PageContents | undefined,
    /** Root page of each table, numbered from 1. */
    readonly roots: ReadonlyMap<string, number>,
    /** Page `number` from 0 as it is, without SQLite; throws what the PageReader throws. */
    readonly readPage: (number: number) => Uint8Array,
  ) {}

  /**
   * @throws MdcxError "bad-image" for a first page that is not that of an image, "image-too-large" for an image that
   *   must be held whole and is over the limit, and what `pages` throws
   */
  static open(sqlite: Sqlite, pages: PageReader, options: DatabaseOptions = {}): ImageDatabase {
    if (pages.length < PAGE || pages.length % PAGE !== 0) badImage("its length is not in whole pages");
    const whole = options.whole === true || !sqlite.lazy;
    const limit = options.wholeLimit ?? WHOLE_LIMIT;
    if (whole && pages.length > limit) {
      throw new MdcxError(
        "image-too-large",
        `This package holds ${megabytes(pages.length)} MB and must be held in memory whole here, where ${megabytes(limit)} MB ` +
          "are allowed: split the folder and pack it as several packages.",
      );
    }
    const first = pages.readPages(0, 1).slice();
    const roots = checkPageOne(first, pages.length / PAGE);
    const database = whole ? openWhole(sqlite, pages, roots) : openLazily(sqlite, pages, first, roots);
    try {
      database.run(
        `PRAGMA trusted_schema=OFF; PRAGMA query_only=ON; PRAGMA cell_size_check=ON; PRAGMA hard_heap_limit=${HEAP_LIMIT}; ` +
          `PRAGMA cache_size=-${CACHE_KIB}`,
      );
      database.begin();
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  }

  /** The first row that `sql` gives, or nothing. */
  row(sql: string, ...values: (number | string)[]): SqlValue[] | undefined {
    return this.guard(() => {
      const statement = this.prepare(sql);
      try {
        statement.bind(values);
        return statement.step() ? statement.get() : undefined;
      } finally {
        statement.reset();
      }
    });
  }

  /**
   * Calls `take` for each row that `sql` gives, until it returns false. A forged table can give rows without end (its
   * pages may name one another in circles): `take` must refuse a row that is not the next one.
   */
  each(sql: string, values: (number | string)[], take: (row: SqlValue[]) => boolean): void {
    this.guard(() => {
      const statement = this.prepare(sql);
      try {
        statement.bind(values);
        while (statement.step() && take(statement.get()));
      } finally {
        statement.reset();
      }
    });
  }

  close(): void {
    if (!this.open) return;
    this.open = false;
    this.statements.clear();
    this.database.close();
  }

  private run(sql: string): void {
    this.guard(() => this.database.run(sql));
  }

  private begin(): void {
    if (this.inTransaction) return;
    this.database.run("BEGIN");
    this.inTransaction = true;
  }

  private prepare(sql: string): Statement {
    this.begin();
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  private guard<Result>(read: () => Result): Result {
    if (!this.open) throw new MdcxError("internal", "This package was closed: open it again.");
    try {
      return read();
    } catch (error) {
      this.endTransaction();
      const failure = this.contents?.takeFailure();
      if (failure !== undefined) throw failure.error;
      if (error instanceof MdcxError) throw error;
      return badImage("SQLite cannot read it", error);
    }
  }

  /** After a failed read SQLite may have ended the transaction itself, or not. */
  private endTransaction(): void {
    if (!this.inTransaction) return;
    this.inTransaction = false;
    try {
      this.database.run("ROLLBACK");
    } catch {
      // It had ended.
    }
  }
}

/** An image as the file that sql.js reads. The first page is the one that was checked, kept for as long as it is open. */
class PageContents implements FileContents {
  readonly length: number;
  private failure: { readonly error: unknown } | undefined;

  constructor(
    private readonly pages: PageReader,
    private readonly first: Uint8Array,
  ) {
    this.length = pages.length;
  }

  slice(): FileContents {
    return this;
  }

  subarray(start: number, end: number): Uint8Array {
    if (end <= PAGE) return this.first.subarray(start, end);
    try {
      const page = Math.floor(start / PAGE);
      const bytes = this.pages.readPages(page, Math.ceil(end / PAGE) - page);
      return bytes.subarray(start - page * PAGE, end - page * PAGE);
    } catch (error) {
      this.failure = { error };
      throw READ_FAILURE;
    }
  }

  /** What the last read threw, once. */
  takeFailure(): { readonly error: unknown } | undefined {
    const failure = this.failure;
    this.failure = undefined;
    return failure;
  }
}

function openLazily(
  sqlite: Sqlite,
  pages: PageReader,
  first: Uint8Array,
  roots: ReadonlyMap<string, number>,
): ImageDatabase {
  const contents = new PageContents(pages, first);
  return new ImageDatabase(sqlite.open(contents), contents, roots, (number) => pages.readPages(number, 1));
}

function openWhole(sqlite: Sqlite, pages: PageReader, roots: ReadonlyMap<string, number>): ImageDatabase {
  const bytes = readWhole(pages);
  const readPage = (number: number) => bytes.subarray(number * PAGE, (number + 1) * PAGE);
  return new ImageDatabase(sqlite.open(bytes), undefined, roots, readPage);
}

function readWhole(pages: PageReader): Uint8Array {
  const bytes = new Uint8Array(pages.length);
  const step = 64;
  const count = pages.length / PAGE;
  for (let page = 0; page < count; page += step) {
    bytes.set(pages.readPages(page, Math.min(step, count - page)), page * PAGE);
  }
  return bytes;
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}
