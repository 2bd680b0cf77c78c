import { scanScalar } from "./scalar.js";
import { SCAN_WASM } from "./scan-wasm.js";

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
  scan(question: ScanQuestion): Float32Array;
}

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
 */
export function newScanRows(rows: number, dimensions: number): ScanRows {
  return wasmRows(rows, dimensions) ?? scalarRows(rows, dimensions);
}

/** Rows that JavaScript scans. */
export function scalarRows(rows: number, dimensions: number): ScanRows {
  const stride = strideOf(dimensions);
  const scales = new Float32Array(rows);
  const reaches = new Float32Array(rows);
  const codes = new Int8Array(rows * stride);
  const upper = new Float32Array(rows);
  const query = new Int16Array(stride);
  return {
    scales,
    reaches,
    codes,
    stride,
    scan(question) {
      query.set(question.query);
      scanScalar({ codes, scales, reaches, query, upper }, question);
      return upper;
    },
  };
}

/** What is used here of WebAssembly, typed because the project compiles without the DOM library. */
interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: { readonly scan: Scan } };
  Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
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

let compiled: object | undefined;

/**
 * Rows that WebAssembly scans, in a memory of their own. Nothing where it cannot: there is none, or none with SIMD; a
 * page's policy forbids compiling; no address space is left.
 */
export function wasmRows(rows: number, dimensions: number): ScanRows | undefined {
  const api = (globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly;
  if (api === undefined) return undefined;
  const stride = strideOf(dimensions);
  const scalesAt = rows * stride;
  const reachesAt = scalesAt + rows * 4;
  const upperAt = reachesAt + rows * 4;
  // The query is loaded in vectors: aligned, no load spans two cache lines.
  const queryAt = Math.ceil((upperAt + rows * 4) / 64) * 64;
  const pages = Math.ceil((queryAt + stride * 2) / WASM_PAGE);
  let buffer: ArrayBuffer;
  let scan: Scan;
  try {
    // Under 4 KiB, so that browsers compile it at once on the main thread too.
    compiled ??= new api.Module(decode(SCAN_WASM));
    const memory = new api.Memory({ initial: pages, maximum: pages });
    ({ scan } = new api.Instance(compiled, { scan: { memory } }).exports);
    buffer = memory.buffer;
  } catch {
    return undefined;
  }
  const upper = new Float32Array(buffer, upperAt, rows);
  const query = new Int16Array(buffer, queryAt, stride);
  return {
    scales: new Float32Array(buffer, scalesAt, rows),
    reaches: new Float32Array(buffer, reachesAt, rows),
    codes: new Int8Array(buffer, 0, rows * stride),
    stride,
    scan({ query: asked, base, factor }) {
      query.set(asked);
      scan(0, scalesAt, reachesAt, queryAt, upperAt, rows, stride, base, factor);
      return upper;
    },
  };
}

function decode(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
