import { scanScalar } from "./scalar.js";
import { SCAN_WASM, SCAN_WASM_SHARED } from "./scan-wasm.js";

/** A question as the scan reads it: `upper = (base + scale × (f32(codes · query) × factor)) + reach`, all in float32. */
export interface ScanQuestion {
  /** As many numbers as a row has codes. No sum of products with codes may leave int32. */
  readonly query: Int16Array;
  readonly base: number;
  readonly factor: number;
}

/** Rows of codes in memory, ready to be scanned. What the owner has not written is 0. */
export interface ScanRows {
  /** One a row each, to be written by the owner. */
  readonly scales: Float32Array;
  readonly reaches: Float32Array;
  /** Places of codes, `stride` a row, to be written by the owner. */
  readonly codes: Int8Array;
  readonly stride: number;
  /** The result of every row, overwritten by the next scan. */
  readonly upper: Float32Array;
  /** The greatest result of every `GROUP` rows, overwritten likewise. */
  readonly greatest: Float32Array;
  /** Scans all rows. @returns `upper` */
  scan(question: ScanQuestion): Float32Array;
  /** Puts a question where another thread finds it with the rows; undefined where their memory is this thread's own. */
  readonly hand?: (question: ScanQuestion) => HandedScan;
}

/** A scan of rows in a memory that threads share: what `scanHanded` needs, in whatever thread. */
export interface HandedScan {
  readonly memory: WasmMemory;
  readonly rows: number;
  readonly stride: number;
  readonly base: number;
  readonly factor: number;
}

/** Rows whose greatest result is told: whoever looks for great ones passes over the others by the group. */
export const GROUP = 256;
/** Codes that the scan takes in one step; rows are filled up with zeros to a multiple. */
const STEP = 32;
const WASM_PAGE = 65_536;

/** Bytes of codes that a row takes in memory. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / STEP) * STEP;
}

/**
 * Room for `rows` rows, one at least: in WebAssembly with SIMD where the platform has it, else scanned by JavaScript. Both
 * give the same results, bit for bit. Nobody has to free it: it goes with the last reference.
 *
 * @param shared whether other threads are to scan it as well, where that is possible
 */
export function newScanRows(rows: number, dimensions: number, shared = false): ScanRows {
  return (
    (shared ? sharedRows(rows, dimensions) : undefined) ?? wasmRows(rows, dimensions) ?? scalarRows(rows, dimensions)
  );
}

/** Rows that JavaScript scans. */
export function scalarRows(rows: number, dimensions: number): ScanRows {
  const stride = strideOf(dimensions);
  const scales = new Float32Array(rows);
  const reaches = new Float32Array(rows);
  const codes = new Int8Array(rows * stride);
  const upper = new Float32Array(rows);
  const greatest = new Float32Array(groupsOf(rows));
  const query = new Int16Array(stride);
  return {
    scales,
    reaches,
    codes,
    stride,
    upper,
    greatest,
    scan(question) {
      query.set(question.query);
      scanScalar({ codes, scales, reaches, query, upper }, question);
      findGreatest(upper, greatest);
      return upper;
    },
  };
}

function groupsOf(rows: number): number {
  return Math.ceil(rows / GROUP);
}

function findGreatest(upper: Float32Array, greatest: Float32Array): void {
  for (let group = 0, row = 0; group < greatest.length; group++) {
    let most = -Infinity;
    for (const end = Math.min(upper.length, row + GROUP); row < end; row++) if (upper[row]! > most) most = upper[row]!;
    greatest[group] = most;
  }
}

/** What is used here of WebAssembly, typed because the project compiles without the DOM library. */
interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: { readonly scan: Scan } };
  Memory: new (size: { initial: number; maximum: number; shared: boolean }) => WasmMemory;
}
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}
type Scan = (
  codes: number,
  scales: number,
  reaches: number,
  query: number,
  upper: number,
  rows: number,
  stride: number,
  base: number,
  factor: number,
) => void;

/** Where things lie in the memory of so many rows, behind the codes: positions in bytes. */
function placesOf(rows: number, stride: number) {
  const scales = rows * stride;
  const reaches = scales + rows * 4;
  const upper = reaches + rows * 4;
  const greatest = upper + rows * 4;
  // The query is loaded in vectors: aligned, no load spans two cache lines.
  const query = Math.ceil((greatest + groupsOf(rows) * 4) / 64) * 64;
  return { scales, reaches, upper, greatest, query, pages: Math.ceil((query + stride * 2) / WASM_PAGE) };
}

const modules: { own?: object; shared?: object } = {};

/** The scan of what lies in a memory. */
function scanOf(memory: WasmMemory, kind: "own" | "shared"): Scan {
  const api = webAssembly()!;
  // Under 4 KiB, so that browsers compile it at once on the main thread too.
  const module = (modules[kind] ??= new api.Module(decode(kind === "own" ? SCAN_WASM : SCAN_WASM_SHARED)));
  return new api.Instance(module, { scan: { memory } }).exports.scan;
}

function webAssembly(): WebAssemblyApi | undefined {
  return (globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly;
}

/**
 * Rows that WebAssembly scans, in a memory of their own. Nothing where it cannot: there is none, or none with SIMD; a
 * page's policy forbids compiling; no address space is left.
 */
export function wasmRows(rows: number, dimensions: number): ScanRows | undefined {
  return rowsIn("own", rows, dimensions);
}

/** The same in a memory that threads share, which a platform may refuse. */
export function sharedRows(rows: number, dimensions: number): ScanRows | undefined {
  return rowsIn("shared", rows, dimensions);
}

function rowsIn(kind: "own" | "shared", rows: number, dimensions: number): ScanRows | undefined {
  const api = webAssembly();
  if (api === undefined) return undefined;
  const stride = strideOf(dimensions);
  const at = placesOf(rows, stride);
  let memory: WasmMemory;
  let run: Scan;
  try {
    memory = new api.Memory({ initial: at.pages, maximum: at.pages, shared: kind === "shared" });
    run = scanOf(memory, kind);
  } catch {
    return undefined;
  }
  const { buffer } = memory;
  const query = new Int16Array(buffer, at.query, stride);
  const upper = new Float32Array(buffer, at.upper, rows);
  const greatest = new Float32Array(buffer, at.greatest, groupsOf(rows));
  return {
    scales: new Float32Array(buffer, at.scales, rows),
    reaches: new Float32Array(buffer, at.reaches, rows),
    codes: new Int8Array(buffer, 0, rows * stride),
    stride,
    upper,
    greatest,
    scan({ query: asked, base, factor }) {
      query.set(asked);
      run(0, at.scales, at.reaches, at.query, at.upper, rows, stride, base, factor);
      findGreatest(upper, greatest);
      return upper;
    },
    ...(kind === "shared" && {
      hand({ query: asked, base, factor }: ScanQuestion): HandedScan {
        query.set(asked);
        return { memory, rows, stride, base, factor };
      },
    }),
  };
}

/** Scans what another thread handed over. */
export function scanHanded({ memory, rows, stride, base, factor }: HandedScan): void {
  const at = placesOf(rows, stride);
  scanOf(memory, "shared")(0, at.scales, at.reaches, at.query, at.upper, rows, stride, base, factor);
  const greatest = new Float32Array(memory.buffer, at.greatest, groupsOf(rows));
  findGreatest(new Float32Array(memory.buffer, at.upper, rows), greatest);
}

function decode(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
