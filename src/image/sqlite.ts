import initSqlJs, { type Database, type SqlJsStatic } from "sql.js";
import { MdcxError } from "../errors.js";
import { PAGE } from "../format/pages.js";

export type { Database, SqlValue, Statement } from "sql.js";

/** Where SQLite's WebAssembly comes from. Node finds it in the package of sql.js and needs neither. */
export interface WasmLocation {
  /** Address of `sql-wasm.wasm` (Node) or `sql-wasm-browser.wasm` (browsers). */
  readonly url?: string;
  /** The bytes of that file, where a page carries them itself. */
  readonly bytes?: Uint8Array;
}

/**
 * Bytes that stand for a file without being held: what sql.js asks of the object it is given. Its in-memory file system
 * takes the object over by `slice`, reads by `subarray` and writes by `set`.
 */
export interface FileContents {
  readonly length: number;
  subarray(start: number, end: number): Uint8Array;
  slice(start: number, end: number): FileContents | Uint8Array;
  set?(bytes: Uint8Array, position: number): void;
}

/** SQLite, loaded once in a process. */
export interface Sqlite {
  /** Opens a database over `contents`; without, an empty one in memory. */
  open(contents?: FileContents): Database;
  /** True when the self-test found that contents are handed over without a copy, and that a failing read is survived. */
  readonly lazy: boolean;
}

let loading: Promise<Sqlite> | undefined;

/**
 * Loads SQLite and tests how it treats the contents it is given. Later calls return the first call's result.
 *
 * @throws MdcxError "io" when the WebAssembly file cannot be loaded
 */
export function loadSqlite(wasm: WasmLocation = {}): Promise<Sqlite> {
  loading ??= load(wasm).catch((cause: unknown) => {
    loading = undefined;
    throw new MdcxError(
      "io",
      "SQLite could not be loaded: its WebAssembly file was not found or is not the right one.",
      {
        cause,
      },
    );
  });
  return loading;
}

async function load(wasm: WasmLocation): Promise<Sqlite> {
  const config: Record<string, unknown> = { useOldExtensionFunctions: false };
  const bytes = wasm.bytes ?? (wasm.url === undefined ? undefined : await fetchBytes(wasm.url));
  if (bytes !== undefined) {
    // Compiled before sql.js is begun with: it can be begun once only, and a failure of its own loading cannot be caught.
    const module = await webAssembly().compile(bytes);
    config.instantiateWasm = (imports: object, done: (instance: object) => void) => {
      void webAssembly().instantiate(module, imports).then(done);
      return {};
    };
  }
  const module = await initSqlJs(config);
  const open = (contents?: FileContents) => openDatabase(module, contents);
  return { open, lazy: handsOverWithoutCopy(open) };
}

async function fetchBytes(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** What is used here of WebAssembly, typed because the project compiles without the DOM library. */
interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<object>;
}

function webAssembly(): WebAssemblyApi {
  return (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
}

function openDatabase(module: SqlJsStatic, contents?: FileContents): Database {
  // sql.js is typed for arrays of numbers; what it really asks for is FileContents, which the self-test proves.
  return new module.Database(contents as unknown as Uint8Array | undefined);
}

/**
 * Thrown out of `subarray`, it makes a read of SQLite fail as a bad disk would. sql.js's file system recognises its own
 * errors by `name` and returns their number, whose property has a minified name: so every other property is EIO (29).
 * Any other exception would unwind through SQLite's frames and leave its locks and stack as they were.
 */
export const READ_FAILURE: Error = new Proxy(new Error("read failure"), {
  get: (_target, property) => (property === "name" ? "ErrnoError" : 29),
});

/**
 * The start-up self-test: a database of two pages is opened over contents that count and fail on demand. It holds when
 * only single pages are asked for, when a failing read becomes an error of the statement, and when the next one works.
 */
export function handsOverWithoutCopy(open: (contents?: FileContents) => Database): boolean {
  const bytes = tinyDatabase();
  let failing = false;
  let largest = 0;
  const contents: FileContents = {
    length: bytes.length,
    slice: () => contents,
    subarray(start, end) {
      if (failing) throw READ_FAILURE;
      largest = Math.max(largest, end - start);
      return bytes.subarray(start, end);
    },
  };
  let database: Database | undefined;
  try {
    database = open(contents);
    database.exec("SELECT count(*) FROM sqlite_schema");
    failing = true;
    try {
      database.exec("SELECT a FROM t");
      return false;
    } catch {
      failing = false;
    }
    const value = database.exec("SELECT a FROM t")[0]?.values[0]?.[0];
    return value === 7 && largest < bytes.length;
  } catch {
    return false;
  } finally {
    failing = false;
    database?.close();
  }
}

/**
 * A database of two pages of 512 bytes, whose table `t(a)` has the row 7 (sqlite.org/fileformat2.html). It is put together
 * here because making it with SQL costs a process 50 ms more at its start, most of it for compiling what only writes need.
 */
function tinyDatabase(): Uint8Array {
  const bytes = new Uint8Array(1_024);
  const ascii = (at: number, text: string) => {
    bytes.set(new TextEncoder().encode(text), at);
  };
  ascii(0, "SQLite format 3");
  bytes.set([2, 0, 1, 1, 0, 64, 32, 32], 16); // page size 512, no write-ahead log, payload fractions
  bytes[27] = bytes[95] = 1; // change counter, and version-valid-for
  bytes[31] = 2; // pages
  bytes[43] = bytes[59] = 1; // schema cookie, UTF-8
  bytes[47] = 4; // schema format
  // Page 1: a leaf with one cell at 479, the row of sqlite_schema: "table", "t", "t", root page 2, SQL.
  bytes.set([13, 0, 0, 0, 1, 1, 223, 0, 1, 223], 100);
  bytes.set([31, 1, 6, 23, 15, 15, 1, 47], 479);
  ascii(487, "tablett\x02CREATE TABLE t(a)");
  // Page 2: a leaf with one cell at 1,019, the row 7.
  bytes.set([13, 0, 0, 0, 1, 1, 251, 0, 1, 251], 512);
  bytes.set([3, 1, 2, 1, 7], 1_019);
  return bytes;
}

/** The first page of an empty database of page size PAGE: what a new image starts from. */
export function emptyDatabase(sqlite: Sqlite): Uint8Array {
  const database = sqlite.open();
  try {
    // VACUUM is what makes SQLite write a file of the page size asked for when there is nothing in it.
    database.run(`PRAGMA page_size=${PAGE}; CREATE TABLE t(a); DROP TABLE t; VACUUM`);
    return database.export();
  } finally {
    database.close();
  }
}
