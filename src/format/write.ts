import { MdcxError } from "../errors.js";
import { CLAIMS_LIMITS, parseClaims, type Claims } from "./claims.js";
import { writeEnvelope } from "./envelope.js";
import { digestClaims, HEAD_FIXED, imageKey, signImage, writeHead } from "./head.js";
import { writeJson, type JsonObject } from "./json.js";
import { chunkInRun, leafBuffer, runLength, type LeafRun } from "./leaf-run.js";
import { LEAF_DIGEST, rootOf } from "./leaves.js";
import { PAGE, type PageProducer } from "./pages.js";
import type { Primitives } from "./primitives.js";
import { CHUNKS_PER_LEAF, ImageSealer, isImageLength, leafChunks, leafCount, leafRange, sealedLength } from "./seal.js";
import { LEAVES_PER_RUN } from "./sealed-leaves.js";
import { publicKeyOf } from "./signature.js";
import type { Sink } from "./sink.js";
import { parseSlot, requireAffordable, wrapFileKey, type KdfLimits, type NewSlot } from "./slots.js";

/** All that makes a package. */
export interface NewContainer {
  /** `claimsObject(…)`: written compactly and used byte for byte from then on. */
  readonly claims: JsonObject;
  /** Finished and immutable; each page is taken once, in order. */
  readonly image: PageProducer;
  /** At least one. */
  readonly slots: readonly NewSlot[];
  /** Ed25519 secret key, 32 bytes: given exactly when the claims name `issuer.public_key`, which must be its own. */
  readonly signingKey?: Uint8Array;
  /** Told after each write how many bytes of the image are sealed. */
  readonly onProgress?: (sealed: number) => void;
  /** A package is not written that readers with these limits would refuse. */
  readonly kdfLimits?: KdfLimits;
}

/** What was written. */
export interface WrittenContainer {
  readonly claims: Claims;
  /** 32 bytes: the identity of the image. */
  readonly root: Uint8Array;
  /** Bytes of the package. */
  readonly length: number;
}

/**
 * Writes a package in one pass over the image, with a file key of its own. The place of the head is left empty until
 * root, signature and tag are known; nothing but sealed bytes reaches the sink.
 *
 * @throws MdcxError `bad-input` for claims, slots or keys that do not fit one another; what the sink throws. What was
 * written so far is then not a package.
 */
export async function writeContainer(sink: Sink, p: Primitives, what: NewContainer): Promise<WrittenContainer> {
  const { image, signingKey } = what;
  if (!isImageLength(image.length)) {
    throw new MdcxError("image-too-large", `An image of ${image.length} bytes cannot be sealed: 64 GiB is the most.`);
  }
  const claimsBytes = writeJson(what.claims);
  if (claimsBytes.length > CLAIMS_LIMITS.max) {
    throw new MdcxError(
      "bad-input",
      `The statement takes ${claimsBytes.length} bytes, more than ${CLAIMS_LIMITS.max}.`,
    );
  }
  const claims = parseClaims(claimsBytes);
  requireSigner(p, claims, signingKey);
  const claimsDigest = digestClaims(p, claimsBytes);
  const fileKey = p.randomBytes(32);
  try {
    const slots = await wrapAll(p, what.slots, fileKey, claimsDigest);
    requireAffordable(slots.map(parseSlot), what.kdfLimits);
    const envelopeBytes = writeEnvelope(slots);
    const tableStart = HEAD_FIXED + claimsBytes.length + envelopeBytes.length;
    const table = await sealImage(sink, p, {
      image,
      fileKey,
      claimsDigest,
      at: tableStart + LEAF_DIGEST * leafCount(image.length),
      onProgress: what.onProgress,
    });
    const root = rootOf(p, table);
    const statement = signImage(claimsDigest, { imageLength: image.length, root }, signingKey);
    const head = writeHead(p, fileKey, { claimsBytes, claimsDigest, ...statement, envelopeBytes });
    await sink.write(tableStart, table);
    await sink.write(0, head);
    return { claims, root, length: tableStart + table.length + sealedLength(image.length) };
  } finally {
    fileKey.fill(0);
  }
}

/** Wraps the file key for each slot, one after the other: side by side they would take their memory together. */
export async function wrapAll(
  p: Primitives,
  slots: readonly NewSlot[],
  fileKey: Uint8Array,
  claimsDigest: Uint8Array,
): Promise<JsonObject[]> {
  const wrapped: JsonObject[] = [];
  for (const slot of slots) wrapped.push(await wrapFileKey(p, slot, fileKey, claimsDigest));
  return wrapped;
}

/**
 * Refuses a signing key that is not the one that the claims name, and claims that name a key which is not given.
 */
export function requireSigner(p: Primitives, claims: Claims, signingKey: Uint8Array | undefined): void {
  const named = claims.issuer?.publicKey;
  if (named && !signingKey) {
    throw new MdcxError("bad-input", "The package names an issuer's key: give that signing key (--signing-key FILE).");
  }
  if (!signingKey) return;
  if (!named || !p.equal(publicKeyOf(signingKey), named)) {
    throw new MdcxError("bad-input", "The signing key is not the one whose public key the package names.");
  }
}

interface ImageToSeal {
  readonly image: PageProducer;
  readonly fileKey: Uint8Array;
  readonly claimsDigest: Uint8Array;
  /** Where the sealed image begins in the file. */
  readonly at: number;
  readonly onProgress: ((sealed: number) => void) | undefined;
}

/** Seals run by run into the sink and gives back the leaf table. */
async function sealImage(sink: Sink, p: Primitives, what: ImageToSeal): Promise<Uint8Array> {
  const { image, at } = what;
  const imageLength = image.length;
  const key = imageKey(p, what.fileKey);
  const sealer = new ImageSealer(p, key, what.claimsDigest);
  key.fill(0);
  const leaves = leafCount(imageLength);
  const table = new Uint8Array(LEAF_DIGEST * leaves);
  const most = runLength({ imageLength, first: 0, count: Math.min(LEAVES_PER_RUN, leaves) });
  // While one run is being written the other is filled and sealed in place: of the image there is no second copy.
  let [filling, idle] = [leafBuffer(p, most), leafBuffer(p, most)];
  let writing: Promise<void> = Promise.resolve();
  for (let first = 0; first < leaves; first += LEAVES_PER_RUN) {
    const place = { imageLength, first, count: Math.min(LEAVES_PER_RUN, leaves - first) };
    const run = { ...place, bytes: filling.subarray(0, runLength(place)) };
    takePages(image, run);
    table.set(await sealer.sealLeaves(run), LEAF_DIGEST * first);
    await writing;
    writing = sink.write(at + leafRange(first, imageLength).start, run.bytes);
    // A write that fails while the next run is sealed is met at the next await, not as an unhandled rejection.
    writing.catch(() => undefined);
    [filling, idle] = [idle, filling];
    what.onProgress?.(Math.min((first + place.count) * CHUNKS_PER_LEAF * PAGE, imageLength));
  }
  await writing;
  return table;
}

/** Puts the pages of a run where their chunks will be. */
function takePages(image: PageProducer, run: LeafRun): void {
  const { start } = leafChunks(run.first, run.imageLength);
  const { end } = leafChunks(run.first + run.count - 1, run.imageLength);
  for (let page = start; page < Math.min(end, run.imageLength / PAGE); page++) {
    chunkInRun(run, page).set(image.takePage(page));
  }
}
