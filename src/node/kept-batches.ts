import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { chunkNonce, TAG } from "../format/chunked.js";
import { H, labelled, X } from "../format/derive.js";
import { ENVELOPE_LIMITS, parseEnvelope, writeEnvelope } from "../format/envelope.js";
import type { Aead, Primitives } from "../format/primitives.js";
import type { Secret } from "../format/secret.js";
import { openSlot, requireAffordable, wrapFileKey, type NewSlot, type Slot } from "../format/slots.js";
import { MdcxError } from "../errors.js";
import type { EncoderDescription } from "../meaning/encoder.js";
import { MOST_DIMENSIONS } from "../meaning/description.js";

/** What a file of kept vectors is made of, as bytes (spec/kept-vectors.md): the disk is the business of kept-vectors.ts. */

/** "MDCXKV", 0, and the version. */
const MAGIC = Uint8Array.of(0x4d, 0x44, 0x43, 0x58, 0x4b, 0x56, 0, 1);
/** Bytes before the slots: magic and their length. */
export const KEPT_FIXED = MAGIC.length + 4;
const RUN = 0x53;
const BATCH = 0x42;
const SALT = 32;
const COMMITMENT = 32;
/** Bytes that begin a run: its mark, salt and commitment. */
export const RUN_HEADER = 1 + SALT + COMMITMENT;
/** Bytes before a sealed batch: its mark and length. */
export const BATCH_HEADER = 5;
const DIGEST = 32;
/** Vectors in one batch, at most. */
export const MOST_ROWS = 1_024;
/** Bytes of the longest sealed batch that is read: what a reader allocates before it knows whose file it is. */
const MOST_SEALED = MOST_ROWS * (DIGEST + 2 * MOST_DIMENSIONS) + TAG;

/** Digest of what makes a vector: vectors of two models that differ in it are never mixed. */
export function modelDigest(p: Primitives, { sha256, dimensions, pooling, prefixes }: EncoderDescription): Uint8Array {
  const stated = JSON.stringify([sha256, dimensions, pooling, prefixes.query, prefixes.passage]);
  return H(p, "mdcx kept vectors", utf8ToBytes(stated));
}

/** The beginning of a new file: the key, wrapped for each secret and bound to the model. */
export async function writeKeptHeader(
  p: Primitives,
  key: Uint8Array,
  slots: readonly Omit<NewSlot, "label">[],
  model: Uint8Array,
): Promise<Uint8Array> {
  const wrapped = [];
  // One after the other: side by side they would take their memory together.
  for (const slot of slots) wrapped.push(await wrapFileKey(p, slot, key, model));
  const envelope = writeEnvelope(wrapped);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, envelope.length, true);
  return concatBytes(MAGIC, length, envelope);
}

/** Bytes of the slots, from the fixed beginning of a file; undefined where it is no file of kept vectors. */
export function slotsLength(fixed: Uint8Array): number | undefined {
  if (!MAGIC.every((byte, i) => fixed[i] === byte)) return undefined;
  const length = new DataView(fixed.buffer, fixed.byteOffset).getUint32(MAGIC.length, true);
  return length < ENVELOPE_LIMITS.min || length > ENVELOPE_LIMITS.max ? undefined : length;
}

/**
 * The key of a file, where *every* slot opens with one of the secrets: whoever could read what is there will be able to
 * read the package, and what is added is for nobody else. Undefined otherwise, for another model, and for what is damaged
 * or would cost more than a package may.
 */
export async function openKeptHeader(
  p: Primitives,
  envelope: Uint8Array,
  secrets: readonly Secret[],
  model: Uint8Array,
): Promise<Uint8Array | undefined> {
  let key: Uint8Array | undefined;
  try {
    const { slots } = parseEnvelope(envelope);
    if (slots.length > secrets.length) return undefined;
    requireAffordable(slots);
    for (const slot of slots) {
      const opened = await openWithAny(p, slot, secrets, model);
      if (opened === undefined || (key !== undefined && !p.equal(key, opened))) return undefined;
      key = opened;
    }
    return key;
  } catch (error) {
    if (error instanceof MdcxError) return undefined;
    throw error;
  }
}

async function openWithAny(
  p: Primitives,
  slot: Slot,
  secrets: readonly Secret[],
  model: Uint8Array,
): Promise<Uint8Array | undefined> {
  for (const secret of secrets) {
    const key = await openSlot(p, slot, secret, model);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** Vectors with the digests of their texts. */
export interface KeptRow {
  readonly digest: Uint8Array;
  readonly halves: Uint8Array;
}

/**
 * One run of a program that appends batches, under a key of its own. Its salt is random and its batches are counted, so no
 * nonce is used twice, however often a file is taken up again or copied in between.
 */
class Run {
  readonly commitment: Uint8Array;
  private readonly aead: Aead;
  private readonly key: Uint8Array;
  private readonly nonce: Uint8Array;
  private next = 0;

  constructor(p: Primitives, key: Uint8Array, model: Uint8Array, salt: Uint8Array) {
    const derived = X(p, key, labelled("mdcx kept vectors run", model, salt));
    this.aead = p.aesGcm(derived.key);
    this.key = derived.key;
    this.nonce = derived.nonce;
    this.commitment = derived.commitment;
  }

  seal(header: Uint8Array, rows: Uint8Array): Uint8Array {
    return this.aead.seal(this.#nonce(), rows, header);
  }

  open(header: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
    return this.aead.open(this.#nonce(), sealed, header);
  }

  /** Nothing can be sealed or opened afterwards: the cipher reads this key, and zeros would be a key as well. */
  end(): void {
    this.key.fill(0);
    this.next = Infinity;
  }

  #nonce(): Uint8Array {
    if (this.next >= 2 ** 32) throw new MdcxError("internal", "A run of kept vectors has ended, or is full.");
    return chunkNonce(this.nonce, this.next++);
  }
}

/** Seals the batches of one run, in the order in which they are to stand in the file. */
export class RunSealer {
  /** What stands before the first of them. */
  readonly header: Uint8Array;
  readonly #run: Run;

  constructor(p: Primitives, key: Uint8Array, model: Uint8Array) {
    const salt = p.randomBytes(SALT);
    this.#run = new Run(p, key, model, salt);
    this.header = concatBytes(Uint8Array.of(RUN), salt, this.#run.commitment);
  }

  /** @param rows 1 to MOST_ROWS, all of one length */
  seal(rows: readonly KeptRow[]): Uint8Array {
    const plain = concatBytes(...rows.flatMap(({ digest, halves }) => [digest, halves]));
    const header = new Uint8Array(BATCH_HEADER);
    header[0] = BATCH;
    new DataView(header.buffer).setUint32(1, plain.length + TAG, true);
    return concatBytes(header, this.#run.seal(header, plain));
  }

  /** Wipes the key of the run. */
  end(): void {
    this.#run.end();
  }
}

/** Opens the batches of one run, one after the other from its first. */
export class RunOpener {
  readonly #run: Run;

  private constructor(
    run: Run,
    private readonly dimensions: number,
  ) {
    this.#run = run;
  }

  /** @param header RUN_HEADER bytes @returns undefined where they begin no run under this key and model */
  static begin(
    p: Primitives,
    key: Uint8Array,
    model: Uint8Array,
    dimensions: number,
    header: Uint8Array,
  ): RunOpener | undefined {
    if (header[0] !== RUN) return undefined;
    const run = new Run(p, key, model, header.subarray(1, 1 + SALT));
    return p.equal(run.commitment, header.subarray(1 + SALT, RUN_HEADER)) ? new RunOpener(run, dimensions) : undefined;
  }

  /** Bytes of the sealed batch that a header announces; undefined where it announces none that could be whole. */
  sealedLength(header: Uint8Array): number | undefined {
    const length = new DataView(header.buffer, header.byteOffset).getUint32(1, true);
    const rows = (length - TAG) / this.#rowLength;
    const fits = Number.isInteger(rows) && rows >= 1 && rows <= MOST_ROWS && length <= MOST_SEALED;
    return header[0] === BATCH && fits ? length : undefined;
  }

  /** The rows of the next batch; undefined where it is damaged. */
  open(header: Uint8Array, sealed: Uint8Array): KeptRow[] | undefined {
    const plain = this.#run.open(header, sealed);
    if (plain === undefined) return undefined;
    return Array.from({ length: plain.length / this.#rowLength }, (_, i) => {
      const row = plain.subarray(i * this.#rowLength, (i + 1) * this.#rowLength);
      return { digest: row.subarray(0, DIGEST), halves: row.subarray(DIGEST) };
    });
  }

  get #rowLength(): number {
    return DIGEST + 2 * this.dimensions;
  }
}
