import { badImage } from "../image/cells.js";
import type { EncoderDescription, Pooling } from "./encoder.js";

const POOLINGS: readonly string[] = ["mean", "cls", "last"] satisfies Pooling[];
/** Numbers of a vector, at most: no known model has as many, and a forged image must not make a reader allocate more. */
export const MOST_DIMENSIONS = 4_096;
/** UTF-16 units of a name or a prefix. */
const LONGEST = 256;

/** The description of the encoder as an image states it (`encoder` in meta). @throws MdcxError `bad-image` */
export function readDescription(json: string): EncoderDescription {
  const stated = parse(json);
  const { id, revision, sha256, dtype, dimensions, pooling, prefixes, window } = stated;
  if (!isShort(id) || id === "") return badImage("its encoder has no id");
  if (revision !== null && !isShort(revision)) return badImage("the revision of its encoder is no text");
  if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256)) return badImage("its encoder has no digest");
  if (!isShort(dtype)) return badImage("its encoder has no dtype");
  if (!isCount(dimensions) || dimensions < 1 || dimensions > MOST_DIMENSIONS)
    return badImage("the dimensions of its encoder are out of range");
  if (typeof pooling !== "string" || !POOLINGS.includes(pooling)) return badImage("its encoder pools in no known way");
  const { query, passage } = (typeof prefixes === "object" && prefixes !== null ? prefixes : {}) as Record<
    string,
    unknown
  >;
  if (!isShort(query) || !isShort(passage)) return badImage("its encoder has no prefixes");
  if (!isCount(window)) return badImage("its encoder has no window");
  return {
    id,
    revision,
    sha256,
    dtype,
    dimensions,
    pooling: pooling as Pooling,
    prefixes: { query, passage },
    window,
  };
}

function parse(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Said below.
  }
  return badImage("its encoder is not described");
}

function isShort(value: unknown): value is string {
  return typeof value === "string" && value.length <= LONGEST;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= 2 ** 31;
}
