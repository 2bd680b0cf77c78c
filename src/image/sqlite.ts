import initSqlJs, { type Database, type SqlJsStatic } from "sql.js";
import { MdcxError } from "../errors.js";
import { PAGE } from "../format/pages.js";

export type { Database, SqlValue, Statement } from "sql.js";

/** Where SQLite's WebAssembly comes from. Node finds it in the package of sql.js and needs neither. */
export interface WasmLocation {
  /** Address of `sql-wasm.wasm` (Node) or `sql-wasm-browser.wasm` (browsers). */
  readonly url?: string;
  /** The bytes of that file, where a page carries them itself. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
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
  const { url, bytes } = wasm;
  const config: Record<string, unknown> = { useOldExtensionFunctions: false };
  if (url !== undefined) config.locateFile = () => url;
  if (bytes !== undefined) {
    config.instantiateWasm = (imports: WebAssemblyImports, done: (instance: unknown) => void) => {
      void webAssembly()
        .instantiate(bytes, imports)
        .then((result) => {
          done(result.instance);
        });
      return {};
    };
  }
  const module = await initSqlJs(config);
  const open = (contents?: FileContents) => openDatabase(module, contents);
  return { open, lazy: handsOverWithoutCopy(open) };
}

type WebAssemblyImports = Record<string, Record<string, unknown>>;

/** The one function of WebAssembly used here, typed because the project compiles without the DOM library. */
function webAssembly(): {
  instantiate(bytes: Uint8Array, imports: WebAssemblyImports): Promise<{ instance: unknown }>;
} {
  return (globalThis as unknown as { WebAssembly: ReturnType<typeof webAssembly> }).WebAssembly;
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
  const made = open();
  made.run("CREATE TABLE t(a); INSERT INTO t VALUES(7)");
  const bytes = made.export();
  made.close();
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
