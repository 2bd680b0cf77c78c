import { describe, expect, it } from "vitest";
import {
  CHUNK,
  CHUNK_PLAINTEXT,
  ChunkOpener,
  ChunkSealer,
  deriveChunkKey,
  SEALED_PREFIX,
} from "../../src/format/chunked.js";
import { MdcxError } from "../../src/errors.js";
import type { Primitives } from "../../src/format/primitives.js";
import { bytes, hex, implementations, readVectors } from "./vectors.js";

interface Vectors {
  key: string;
  salt: string;
  good: {
    plaintext_bytes: number;
    context: string;
    derived_key: string;
    base_nonce: string;
    commitment: string;
    sealed_bytes: number;
    sealed_sha256: string;
    sealed?: string;
  }[];
  bad: {
    base_sha256: string;
    cases: { name: string; sealed_bytes: number; sealed_sha256: string; how: string }[];
  };
}

const vectors = readVectors("chunked-encryption/aes-256-gcm-sha512.json") as Vectors;
const key = bytes(vectors.key);
const salt = bytes(vectors.salt);
const NO_CONTEXT = new Uint8Array(0);

function plaintext(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (31 * i + 7 * (i >> 8) + 5) & 0xff);
}

/** A whole message by the sealer that seals images; an image is the case of an empty last chunk. */
function sealMessage(p: Primitives, message: Uint8Array, context: Uint8Array): Uint8Array {
  const sealer = new ChunkSealer(p, key, context, salt);
  const chunks: Uint8Array[] = [sealer.prefix];
  let at = 0;
  while (message.length - at >= CHUNK_PLAINTEXT) {
    chunks.push(sealer.seal(sealer.sealed, message.subarray(at, (at += CHUNK_PLAINTEXT))));
  }
  chunks.push(sealer.finish(message.subarray(at)));
  return Uint8Array.from(Buffer.concat(chunks));
}

/** Opens a message of unknown length. Of an image the length is known and signed, so that the container does the cutting. */
function openMessage(p: Primitives, sealed: Uint8Array, openKey: Uint8Array, context: Uint8Array): Uint8Array {
  const opener = new ChunkOpener(p, openKey, context, sealed.subarray(0, SEALED_PREFIX));
  const chunks: Uint8Array[] = [];
  for (let at = SEALED_PREFIX, number = 0; ; number++) {
    const chunk = sealed.subarray(at, (at += CHUNK));
    chunks.push(opener.open(number, chunk));
    if (chunk.length < CHUNK) return Uint8Array.from(Buffer.concat(chunks));
  }
}

describe.each(implementations)("chunked encryption by the $name primitives", (p) => {
  const sha256 = (value: Uint8Array) => hex(p.sha256(value));

  it.each(vectors.good)("gives the known bytes of a message of $plaintext_bytes bytes, context '$context'", (test) => {
    const context = bytes(test.context);
    const derived = deriveChunkKey(p, key, context, salt);
    expect([derived.key, derived.nonce, derived.commitment].map(hex)).toEqual([
      test.derived_key,
      test.base_nonce,
      test.commitment,
    ]);
    const message = plaintext(test.plaintext_bytes);
    const sealed = sealMessage(p, message, context);
    expect(sealed).toHaveLength(test.sealed_bytes);
    expect(sha256(sealed)).toBe(test.sealed_sha256);
    if (test.sealed !== undefined) expect(hex(sealed)).toBe(test.sealed);
    expect(hex(openMessage(p, sealed, key, context))).toBe(hex(message));
  });

  const good = sealMessage(p, plaintext(40_000), NO_CONTEXT);
  const chunk = (number: number) => good.subarray(SEALED_PREFIX + CHUNK * number, SEALED_PREFIX + CHUNK * (number + 1));
  const prefix = good.subarray(0, SEALED_PREFIX);
  const flipped = (at: number) => good.map((byte, i) => (i === at ? byte ^ 1 : byte));
  const join = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));

  const damaged: Record<string, { sealed: Uint8Array; code: string }> = {
    "cut-at-chunk-boundary": { sealed: good.subarray(0, SEALED_PREFIX + 2 * CHUNK), code: "chunk-damaged" },
    "cut-after-header": { sealed: prefix, code: "chunk-damaged" },
    "short-header": { sealed: good.subarray(0, 55), code: "bad-length" },
    "last-chunk-shorter-than-tag": { sealed: good.subarray(0, SEALED_PREFIX + 2 * CHUNK + 15), code: "chunk-damaged" },
    "last-chunk-cut": { sealed: good.subarray(0, -1), code: "chunk-damaged" },
    "chunks-swapped": { sealed: join(prefix, chunk(1), chunk(0), chunk(2)), code: "chunk-damaged" },
    "chunk-repeated": { sealed: join(prefix, chunk(0), chunk(0), chunk(1), chunk(2)), code: "chunk-damaged" },
    "chunk-dropped": { sealed: join(prefix, chunk(0), chunk(2)), code: "chunk-damaged" },
    "commitment-changed": { sealed: flipped(24), code: "bad-commitment" },
    "salt-changed": { sealed: flipped(0), code: "bad-commitment" },
    extended: { sealed: join(good, new Uint8Array(1)), code: "chunk-damaged" },
  };

  it.each(vectors.bad.cases)("refuses the damaged message '$name': $how", (test) => {
    const { sealed, code } = damaged[test.name]!;
    expect(sha256(good)).toBe(vectors.bad.base_sha256);
    expect(sealed).toHaveLength(test.sealed_bytes);
    expect(sha256(sealed)).toBe(test.sealed_sha256);
    expect(() => openMessage(p, sealed, key, NO_CONTEXT)).toThrow(expect.objectContaining({ code }));
  });

  it("has all eleven of them", () => {
    expect(vectors.bad.cases.map(({ name }) => name)).toEqual(Object.keys(damaged));
    expect(vectors.bad.cases).toHaveLength(11);
  });

  it("refuses another key and another context by the commitment", () => {
    const other = key.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
    const refused = expect.objectContaining({ code: "bad-commitment" }) as MdcxError;
    expect(() => openMessage(p, good, other, NO_CONTEXT)).toThrow(refused);
    expect(() => openMessage(p, good, key, new Uint8Array(32))).toThrow(refused);
  });

  it("refuses a chunk under every other number", () => {
    const opener = new ChunkOpener(p, key, NO_CONTEXT, prefix);
    for (const number of [0, 2, 257, 65_537, 2 ** 22]) expect(() => opener.open(number, chunk(1))).toThrow("damaged");
    expect(opener.open(1, chunk(1))).toHaveLength(CHUNK_PLAINTEXT);
  });
});
