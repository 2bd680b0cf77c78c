import { concatBytes } from "@noble/hashes/utils.js";
import { chunkNonce, deriveChunkKey, SALT } from "../../src/format/chunked.js";
import { H } from "../../src/format/derive.js";
import { digestClaims, headTag, imageKey, signedMessage } from "../../src/format/head.js";
import { LEAF_DIGEST, leafDigest, rootOf } from "../../src/format/leaves.js";
import { PAGE, type PageProducer } from "../../src/format/pages.js";
import { CHUNK, chunkCount, leafCount, leafRange, SEALED_PREFIX } from "../../src/format/seal.js";
import { sign } from "../../src/format/signature.js";
import { primitives as p } from "../../src/node/primitives.js";

/** A package taken apart: an attacker's view of it, each part to be replaced at will. */
export interface Parts {
  readonly magic: Uint8Array;
  /** What the file says the claims' length is, where it lies. */
  readonly n?: number;
  readonly claims: Uint8Array;
  readonly sealRecord: Uint8Array;
  readonly signature: Uint8Array;
  readonly m?: number;
  readonly envelope: Uint8Array;
  readonly tag: Uint8Array;
  readonly headDigest: Uint8Array;
  readonly table: Uint8Array;
  readonly sealed: Uint8Array;
}

export function takeApart(bytes: Uint8Array): Parts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  const take = (length: number): Uint8Array => bytes.slice(at, (at += length));
  const magic = take(8);
  const n = view.getUint32(at, true);
  at += 4;
  const [claims, sealRecord, signature] = [take(n), take(44), take(64)];
  const m = view.getUint32(at, true);
  at += 4;
  const [envelope, tag, headDigest] = [take(m), take(32), take(32)];
  const table = take(LEAF_DIGEST * leafCount(imageLengthOf(sealRecord)));
  return { magic, claims, sealRecord, signature, envelope, tag, headDigest, table, sealed: bytes.slice(at) };
}

export function putTogether(parts: Parts): Uint8Array {
  return concatBytes(beforeTag(parts), parts.tag, parts.headDigest, parts.table, parts.sealed);
}

/** What anyone can do after an edit: make the head digest right again. */
export function redigest(parts: Parts): Parts {
  return { ...parts, headDigest: H(p, "mdcx/2 head", beforeTag(parts), parts.tag) };
}

/** What a holder of the file key can do: make tag and head digest right again. */
export function retag(parts: Parts, fileKey: Uint8Array): Parts {
  const { claims, sealRecord, signature, envelope } = parts;
  const head = { claimsBytes: claims, claimsDigest: digestClaims(p, claims), sealRecord, signature };
  return redigest({ ...parts, tag: headTag(p, fileKey, { ...head, envelopeBytes: envelope }) });
}

/** Makes the table right for the sealed image, without touching the root. */
export function retable(parts: Parts): Parts {
  const length = imageLengthOf(parts.sealRecord);
  const digests = Array.from({ length: leafCount(length) }, (_, leaf) => {
    const { start, end } = leafRange(leaf, length);
    return leafDigest(p, leaf, parts.sealed.subarray(start, end));
  });
  return { ...parts, table: concatBytes(...digests) };
}

/** Makes the root in the seal record right for the table. */
export function reroot(parts: Parts): Parts {
  return { ...parts, sealRecord: concatBytes(parts.sealRecord.subarray(0, 12), rootOf(p, parts.table)) };
}

/** Signs what is there with a key of one's own, or takes the signature away. */
export function resign(parts: Parts, signingKey: Uint8Array | undefined): Parts {
  const message = signedMessage(digestClaims(p, parts.claims), parts.sealRecord);
  return { ...parts, signature: signingKey ? sign(signingKey, message) : new Uint8Array(64) };
}

/** Seals another page into the place of one, under the key and the nonce of that place. */
export function replacePage(parts: Parts, fileKey: Uint8Array, number: number, page: Uint8Array): Parts {
  const { key, nonce } = chunkKeys(parts, fileKey);
  const sealed = parts.sealed.slice();
  sealed.set(p.aesGcm(key).seal(chunkNonce(nonce, number), page), SEALED_PREFIX + CHUNK * number);
  return { ...parts, sealed };
}

/** Seals a whole image under a file key and the claims as they are now, with table and root to match. */
export function sealAnew(parts: Parts, fileKey: Uint8Array, image: PageProducer): Parts {
  const salt = p.sha256(parts.claims).slice(0, SALT);
  const { key, nonce, commitment } = deriveChunkKey(p, imageKey(p, fileKey), digestClaims(p, parts.claims), salt);
  const aead = p.aesGcm(key);
  const chunks = Array.from({ length: chunkCount(image.length) }, (_, number) =>
    aead.seal(chunkNonce(nonce, number), number * PAGE === image.length ? new Uint8Array(0) : image.takePage(number)),
  );
  const sealed = concatBytes(salt, commitment, ...chunks);
  return reroot(retable({ ...parts, sealRecord: withImageLength(parts, BigInt(image.length)).sealRecord, sealed }));
}

/** Claims edited as text. */
export function editClaims(parts: Parts, edit: (text: string) => string): Parts {
  return { ...parts, claims: encode(edit(decode(parts.claims))) };
}

/** Envelope edited as JSON. */
export function editEnvelope(parts: Parts, edit: (envelope: LooseEnvelope) => unknown): Parts {
  const envelope = JSON.parse(decode(parts.envelope)) as LooseEnvelope;
  return { ...parts, envelope: encode(JSON.stringify(edit(envelope) ?? envelope)) };
}
export interface LooseEnvelope {
  slots: Record<string, unknown>[];
}

export function withImageLength(parts: Parts, length: bigint): Parts {
  const sealRecord = parts.sealRecord.slice();
  new DataView(sealRecord.buffer).setBigUint64(4, length, true);
  return { ...parts, sealRecord };
}

/** One byte of a part set to another value. */
export function setByte(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const changed = bytes.slice();
  changed[at] = value;
  return changed;
}

/** One byte with its lowest bit flipped; a negative position counts from the end. */
export function flip(bytes: Uint8Array, at: number): Uint8Array {
  const position = at < 0 ? bytes.length + at : at;
  return setByte(bytes, position, bytes[position]! ^ 1);
}

export function imageLengthOf(sealRecord: Uint8Array): number {
  return Number(new DataView(sealRecord.buffer, sealRecord.byteOffset).getBigUint64(4, true));
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The chunk at this place of the sealed image. */
export function chunkOf(parts: Parts, number: number): Uint8Array {
  return parts.sealed.slice(SEALED_PREFIX + CHUNK * number, SEALED_PREFIX + CHUNK * (number + 1));
}

function chunkKeys(parts: Parts, fileKey: Uint8Array): ReturnType<typeof deriveChunkKey> {
  const salt = parts.sealed.subarray(0, SALT);
  return deriveChunkKey(p, imageKey(p, fileKey), digestClaims(p, parts.claims), salt);
}

function beforeTag(parts: Parts): Uint8Array {
  const { magic, claims, sealRecord, signature, envelope } = parts;
  const n = u32(parts.n ?? claims.length);
  return concatBytes(magic, n, claims, sealRecord, signature, u32(parts.m ?? envelope.length), envelope);
}

function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}
