import { scanScalar } from "./scalar.js";
import { SCAN_WASM } from "./scan-wasm.js";

/** A question as the scan reads it: `upper = (base + scale × (f32(codes · query) × factor)) + reach`, all in float32. */
export interface ScanQuestion {
  /** As many numbers as a row has codes. No sum of products with codes may leave int32. */
  readonly query: Int16Array;
  readonly base: number;
  readonly factor: number;
}

/** Rows of codes in memory, ready to be scanned. */
export interface ScanRows {
  /** Places for rows, a multiple of four; what is not filled is 0. */
  readonly capacity: number;
  /** One a row each, to be written by the owner. */
  readonly scales: Float32Array;
  readonly reaches: Float32Array;
  /** Places of codes, `stride` a row, to be written by the owner. */
  readonly codes: Int8Array;
  readonly stride: number;
  /** The result of every row, overwritten by the next scan. */
  scan(question: ScanQuestion): Float32Array;
}

/** Codes that the vector unit takes at once; rows are filled up with zeros to a multiple. */
const LANES = 16;
/** Rows that are scanned together. */
const ROWS = 4;
const WASM_PAGE = 65_536;

export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / LANES) * LANES;
}

/**
 * Room for `rows` rows, in WebAssembly with SIMD where the platform has it, scanned by JavaScript otherwise. Both give the
 * same results, bit for bit. Nobody has to free it: it goes with the last reference.
 */
export function newScanRows(rows: number, dimensions: number): ScanRows {
  const capacity = Math.ceil(rows / ROWS) * ROWS;
  return wasmRows(capacity, strideOf(dimensions)) ?? scalarRows(capacity, strideOf(dimensions));
}

/** Rows that JavaScript scans. */
export function scalarRows(capacity: number, stride: number): ScanRows {
  const scales = new Float32Array(capacity);
  const reaches = new Float32Array(capacity);
  const codes = new Int8Array(capacity * stride);
  const upper = new Float32Array(capacity);
  const query = new Int16Array(stride);
  return {
    capacity,
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

/** The compiled scan; null where this platform has no WebAssembly, no SIMD, or a policy against compiling. */
let compiled: object | null | undefined;

/** Rows that WebAssembly scans, in a memory of their own; nothing where it cannot. */
export function wasmRows(capacity: number, stride: number): ScanRows | undefined {
  const api = (globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly;
  if (api === undefined) return undefined;
  try {
    compiled ??= compiled === undefined ? new api.Module(decode(SCAN_WASM)) : null;
  } catch {
    compiled = null;
  }
  if (compiled === null) return undefined;
  const scalesAt = capacity * stride;
  const reachesAt = scalesAt + capacity * 4;
  const upperAt = reachesAt + capacity * 4;
  const queryAt = upperAt + capacity * 4;
  const pages = Math.ceil((queryAt + stride * 2) / WASM_PAGE);
  const memory = new api.Memory({ initial: pages, maximum: pages });
  const { scan } = new api.Instance(compiled, { scan: { memory } }).exports;
  const upper = new Float32Array(memory.buffer, upperAt, capacity);
  const query = new Int16Array(memory.buffer, queryAt, stride);
  return {
    capacity,
    scales: new Float32Array(memory.buffer, scalesAt, capacity),
    reaches: new Float32Array(memory.buffer, reachesAt, capacity),
    codes: new Int8Array(memory.buffer, 0, capacity * stride),
    stride,
    scan({ query: asked, base, factor }) {
      query.set(asked);
      scan(0, scalesAt, reachesAt, queryAt, upperAt, capacity, stride, base, factor);
      return upper;
    },
  };
}

function decode(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
