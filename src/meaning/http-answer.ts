import { MdcxError } from "../errors.js";
import { fromBase64 } from "./base64.js";
import { MOST_DIMENSIONS } from "./description.js";

/** What a server answers to a list of texts, checked. */
export interface HttpAnswer {
  /** Unit vectors in the order of the texts. */
  readonly vectors: readonly Float32Array[];
  /** Tokens that it says to have read; 0 where it does not say. */
  readonly tokens: number;
}

/**
 * Reads the body of a successful answer of `/v1/embeddings`: one vector a text, put in order by `index`, as an array of
 * numbers or as base64 of little-endian float32. Nothing in it is trusted, for a vector in the wrong place would make
 * wrong answers for as long as the package lives.
 *
 * @param texts how many were sent
 * @param dimensions what the server's vectors had before; undefined for the first
 * @throws MdcxError `encoder-failed`
 */
export function readAnswer(body: string, texts: number, dimensions: number | undefined, host: string): HttpAnswer {
  const fail = (what: string): never => {
    throw new MdcxError("encoder-failed", `${host} ${what}.`);
  };
  if (/^\s*</.test(body))
    fail("answers with a web page, not with vectors: its address must lead to the server's interface, mostly /v1");
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    fail("answers with something that is not JSON: is it an OpenAI-compatible embeddings server?");
  }
  const { data, usage } = fieldsOf(answer);
  if (!Array.isArray(data))
    return fail("answers without a list of vectors: is it an OpenAI-compatible embeddings server?");
  if (data.length !== texts) fail(`gave ${data.length} vectors for ${texts} texts: nothing of it can be used`);
  const vectors = new Array<Float32Array | undefined>(texts).fill(undefined);
  let width = dimensions;
  for (const entry of data as unknown[]) {
    const { index, embedding } = fieldsOf(entry);
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= texts || vectors[index])
      return fail("does not say which vector belongs to which text: nothing of it can be used");
    const vector = numbersOf(embedding) ?? fail("gave a vector that is neither a list of numbers nor base64");
    if (vector.length === 0 || vector.length > MOST_DIMENSIONS)
      fail(`gave a vector of ${vector.length} numbers: 1 to ${MOST_DIMENSIONS.toLocaleString("en")} can be kept`);
    width ??= vector.length;
    if (vector.length !== width)
      fail(`gave a vector of ${vector.length} numbers after others of ${width}: its model must have changed`);
    vectors[index] = toUnit(vector) ?? fail("gave a vector that has no direction: its numbers are zero or not finite");
  }
  return { vectors: vectors as Float32Array[], tokens: tokensOf(usage) };
}

/** The members of a JSON object; none of anything else. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function numbersOf(embedding: unknown): Float32Array | undefined {
  if (typeof embedding === "string") return base64Floats(embedding);
  if (!Array.isArray(embedding)) return undefined;
  const numbers = embedding as unknown[];
  return numbers.every((x) => typeof x === "number") ? Float32Array.from(numbers) : undefined;
}

function base64Floats(text: string): Float32Array | undefined {
  const bytes = fromBase64(text);
  if (bytes === undefined || bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

function tokensOf(usage: unknown): number {
  const { prompt_tokens: tokens } = fieldsOf(usage);
  return typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
}

/** The vector at unit length; undefined where it has none. Summed in double precision: float32 squares overflow at 2^64. */
export function toUnit(vector: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const x of vector) squares += x * x;
  const length = Math.sqrt(squares);
  return length > 0 && Number.isFinite(length) ? vector.map((x) => x / length) : undefined;
}
