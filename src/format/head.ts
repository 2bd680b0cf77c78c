import { concatBytes } from "@noble/hashes/utils.js";
import { MdcxError } from "../errors.js";
import { CLAIMS_LIMITS, parseClaims, type Claims } from "./claims.js";
import { expand, H, labelled } from "./derive.js";
import { ENVELOPE_LIMITS, parseEnvelope, type Envelope } from "./envelope.js";
import { LEAF_DIGEST, rootOf } from "./leaves.js";
import type { Primitives } from "./primitives.js";
import { leafCount, sealedLength } from "./seal.js";
import { readImageLength, requireSuite, SEAL_RECORD, writeSealRecord } from "./seal-record.js";
import { SIGNATURE, sign, verifySignature } from "./signature.js";
import type { Source } from "./source.js";
import { MAGIC, requireVersion2 } from "./version.js";

const TAG = 32;
const HEAD_DIGEST = 32;
/** Bytes of the head beside claims and envelope: magic, two lengths, seal record, signature, tag, head digest. */
export const HEAD_FIXED = 188;

/** What a reader insists on before it opens anything. Without `issuerKey` no signature proves who wrote a package. */
export interface Pins {
  /** The issuer's Ed25519 public key, 32 bytes, from elsewhere than the package. */
  readonly issuerKey?: Uint8Array;
  /** 32 hex digits. */
  readonly packageId?: string;
  /** The least revision accepted: an older package put back is refused. */
  readonly minRevision?: number;
}

/** What the signature proves: see `signatureSentence`. */
export type SignatureState = "signed-by-pinned-issuer" | "signed-by-named-key" | "unsigned";

/** The head of a package and its leaf table: all that can be read and checked without a key. */
export interface Head {
  /** What to call the package in messages. */
  readonly name: string;
  readonly claims: Claims;
  /** The claims byte for byte as written. */
  readonly claimsBytes: Uint8Array;
  /** `C`, 32 bytes. */
  readonly claimsDigest: Uint8Array;
  readonly sealRecord: Uint8Array;
  /** 64 bytes; zeros when the package is unsigned. */
  readonly signature: Uint8Array;
  readonly signatureState: SignatureState;
  readonly envelope: Envelope;
  readonly envelopeBytes: Uint8Array;
  readonly tag: Uint8Array;
  /** Bytes before the leaf table: 188 + n + m. */
  readonly headLength: number;
  /** Digests of the leaves, 32 bytes each, already checked against the root. */
  readonly table: Uint8Array;
  /** 32 bytes: the identity of the image. */
  readonly root: Uint8Array;
  /** Bytes of the image. */
  readonly imageLength: number;
  /** Leaves of the sealed image. */
  readonly leaves: number;
  /** Where the sealed image begins in the file. */
  readonly sealedStart: number;
}

/**
 * Reads the head and the leaf table and checks all that needs no key, in the order of spec/container.md; nothing
 * behind the table is read.
 *
 * @throws MdcxError with the name of the first check that fails
 */
export async function readHead(source: Source, p: Primitives, pins: Pins = {}): Promise<Head> {
  const { name } = source;
  const start = await source.read(0, Math.min(source.length, MAGIC.length));
  requireVersion2(start, name);
  // Every length is checked against the file before anything of that length is read.
  const upToClaims = await readWithin(source, MAGIC.length, 4);
  const n = requireLength(u32(upToClaims), CLAIMS_LIMITS, "a statement", name);
  const statement = await readWithin(source, MAGIC.length + 4, n + SEAL_RECORD + SIGNATURE + 4);
  const [claimsBytes, sealRecord, signature, envelopeLength] = cut(statement, n, SEAL_RECORD, SIGNATURE, 4);
  const m = requireLength(u32(envelopeLength!), ENVELOPE_LIMITS, "an envelope", name);
  const imageLength = readImageLength(sealRecord!, name);
  const leaves = leafCount(imageLength);
  const headLength = HEAD_FIXED + n + m;
  const sealedStart = headLength + LEAF_DIGEST * leaves;
  const expected = sealedStart + sealedLength(imageLength);
  if (source.length !== expected) {
    const how = source.length < expected ? "cut short: get it again" : "longer than it states: something was added";
    throw new MdcxError("bad-length", `${name} has ${source.length} bytes where it states ${expected}; it is ${how}.`);
  }
  const rest = await source.read(MAGIC.length + 4 + statement.length, m + TAG + HEAD_DIGEST);
  const [envelopeBytes, tag, headDigest] = cut(rest, m, TAG, HEAD_DIGEST);
  const before = rest.subarray(0, m + TAG);
  if (!p.equal(H(p, "mdcx/2 head", start, upToClaims, statement, before), headDigest!)) {
    throw new MdcxError("head-damaged", `The head of ${name} is damaged: get the file again.`);
  }
  const claims = parseClaims(claimsBytes!);
  const envelope = parseEnvelope(envelopeBytes!);
  requireSuite(sealRecord!, name);
  const claimsDigest = digestClaims(p, claimsBytes!);
  const signatureState = checkSignature(p, claims, signedMessage(claimsDigest, sealRecord!), signature!, pins, name);
  checkPins(claims, pins, name);
  const table = await source.read(headLength, LEAF_DIGEST * leaves);
  const root = sealRecord!.subarray(12);
  if (!p.equal(rootOf(p, table), root)) {
    throw new MdcxError("table-damaged", `The leaf table of ${name} is damaged: get the file again.`);
  }
  return {
    name,
    claims,
    claimsBytes: claimsBytes!,
    claimsDigest,
    sealRecord: sealRecord!,
    signature: signature!,
    signatureState,
    envelope,
    envelopeBytes: envelopeBytes!,
    tag: tag!,
    headLength,
    table,
    root,
    imageLength,
    leaves,
    sealedStart,
  };
}

/** `C`: H("mdcx/2 claims", claims). */
export function digestClaims(p: Primitives, claims: Uint8Array): Uint8Array {
  return H(p, "mdcx/2 claims", claims);
}

/** The key that seals the image, from the file key. */
export function imageKey(p: Primitives, fileKey: Uint8Array): Uint8Array {
  return expand(p, fileKey, "mdcx/2 image key", 32);
}

/** The tag: HMAC-SHA-256 over all of the head that a holder of the file key vouches for. */
export function headTag(p: Primitives, fileKey: Uint8Array, head: HeadParts): Uint8Array {
  const key = expand(p, fileKey, "mdcx/2 envelope key", 32);
  const { claimsDigest, sealRecord, signature, envelopeBytes } = head;
  const tag = p.hmacSha256(key, labelled("mdcx/2 tag"), claimsDigest, sealRecord, signature, envelopeBytes);
  key.fill(0);
  return tag;
}

/** The parts that make a head, in the order of the file. */
export interface HeadParts {
  readonly claimsBytes: Uint8Array;
  readonly claimsDigest: Uint8Array;
  readonly sealRecord: Uint8Array;
  readonly signature: Uint8Array;
  readonly envelopeBytes: Uint8Array;
}

/** The bytes of a head, tag and digest included. */
export function writeHead(p: Primitives, fileKey: Uint8Array, parts: HeadParts): Uint8Array {
  const { claimsBytes, sealRecord, signature, envelopeBytes } = parts;
  const before = concatBytes(
    MAGIC,
    u32Bytes(claimsBytes.length),
    claimsBytes,
    sealRecord,
    signature,
    u32Bytes(envelopeBytes.length),
    envelopeBytes,
    headTag(p, fileKey, parts),
  );
  return concatBytes(before, H(p, "mdcx/2 head", before));
}

/** Seal record and signature of a finished image; 64 zero bytes where there is no signing key. */
export function signImage(
  claimsDigest: Uint8Array,
  image: { readonly imageLength: number; readonly root: Uint8Array },
  signingKey: Uint8Array | undefined,
): { readonly sealRecord: Uint8Array; readonly signature: Uint8Array } {
  const sealRecord = writeSealRecord(image);
  const signature = signingKey ? sign(signingKey, signedMessage(claimsDigest, sealRecord)) : new Uint8Array(SIGNATURE);
  return { sealRecord, signature };
}

/** What a signature covers, 93 bytes. */
export function signedMessage(claimsDigest: Uint8Array, sealRecord: Uint8Array): Uint8Array {
  return labelled("mdcx/2 signature", claimsDigest, sealRecord);
}

/** What a reader may say about the signature: exactly one of three sentences. */
export function signatureSentence(state: SignatureState): string {
  switch (state) {
    case "signed-by-pinned-issuer":
      return "signed by the pinned issuer";
    case "signed-by-named-key":
      return "signed by the key it names, which proves no person";
    case "unsigned":
      return "unsigned: agrees with itself only";
  }
}

function checkSignature(
  p: Primitives,
  claims: Claims,
  message: Uint8Array,
  signature: Uint8Array,
  pins: Pins,
  name: string,
): SignatureState {
  const named = claims.issuer?.publicKey;
  if (!named) {
    if (signature.some((byte) => byte !== 0)) {
      throw new MdcxError("bad-signature", `${name} carries a signature but names no key: it was changed.`);
    }
    if (pins.issuerKey) {
      throw new MdcxError("unsigned", `${name} is not signed, and you asked for a package of a known issuer.`);
    }
    return "unsigned";
  }
  if (!verifySignature(named, message, signature)) {
    throw new MdcxError(
      "bad-signature",
      `The signature of ${name} does not hold: it was changed or not signed properly.`,
    );
  }
  if (!pins.issuerKey) return "signed-by-named-key";
  if (!p.equal(named, pins.issuerKey)) {
    throw new MdcxError("wrong-issuer", `${name} is signed by another key than that of the issuer you asked for.`);
  }
  return "signed-by-pinned-issuer";
}

function checkPins(claims: Claims, pins: Pins, name: string): void {
  if (pins.packageId !== undefined && pins.packageId !== claims.packageId) {
    throw new MdcxError("wrong-package", `${name} is package ${claims.packageId}, not ${pins.packageId}.`);
  }
  if (pins.minRevision !== undefined && claims.revision < pins.minRevision) {
    throw new MdcxError(
      "older-revision",
      `${name} is revision ${claims.revision}, older than the ${pins.minRevision} you asked for.`,
    );
  }
}

async function readWithin(source: Source, offset: number, length: number): Promise<Uint8Array> {
  if (offset + length <= source.length) return source.read(offset, length);
  throw new MdcxError("bad-length", `${source.name} ends within its head: it is cut short or damaged, get it again.`);
}

function requireLength(
  length: number,
  limits: { readonly min: number; readonly max: number },
  what: string,
  name: string,
): number {
  if (length >= limits.min && length <= limits.max) return length;
  throw new MdcxError("bad-length", `${name} states ${what} of ${length} bytes, which no package has: it is damaged.`);
}

function cut(bytes: Uint8Array, ...lengths: readonly number[]): Uint8Array[] {
  let end = 0;
  return lengths.map((length) => bytes.subarray(end, (end += length)));
}

function u32(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
}

function u32Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}
