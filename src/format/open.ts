import { MdcxError } from "../errors.js";
import { unlock } from "./envelope.js";
import { headTag, imageKey, readHead, type Head, type Pins } from "./head.js";
import { PAGE } from "./pages.js";
import type { Primitives } from "./primitives.js";
import { ImageOpener, SEALED_PREFIX } from "./seal.js";
import { leafInFile, requireLeaf } from "./sealed-leaves.js";
import type { CacheRoom } from "./image-cache.js";
import { SealedPages } from "./sealed-pages.js";
import type { Secret } from "./secret.js";
import { requireAffordable, type KdfLimits } from "./slots.js";
import type { Source } from "./source.js";

/** What opening a package needs. */
export interface OpenOptions extends Pins {
  /** Tried on the slots of their kind, in order. */
  readonly secret: Secret | readonly Secret[];
  /** Raised only by the user. */
  readonly kdfLimits?: KdfLimits;
  /** What is kept of the image is kept here; where all images of the process are unless given. */
  readonly cache?: CacheRoom;
}

/** A package whose head is checked and whose pages are decrypted as they are asked for. */
export interface OpenedContainer {
  readonly head: Head;
  readonly pages: SealedPages;
  /** The slot that opened, from 0. */
  readonly slot: number;
  /** Lets go of keys, pages and the source. */
  close(): Promise<void>;
}

/** A head whose tag holds, with the key that made it. */
export interface UnlockedHead {
  readonly head: Head;
  /** 32 bytes; whoever asked for it wipes it. */
  readonly fileKey: Uint8Array;
  readonly slot: number;
}

/**
 * Opens a package in the order of spec/container.md: the head without a key, scrypt caps, slot, tag, leaf 0,
 * commitment, page 1. The rest of the image is checked and decrypted when it is read.
 *
 * @throws MdcxError with the name of the first check that fails; the source is left open for the caller to close
 */
export async function openContainer(source: Source, p: Primitives, options: OpenOptions): Promise<OpenedContainer> {
  const { head, fileKey, slot } = await unlockHead(source, p, options);
  try {
    const leaf = await readLeaf0(source, p, head);
    const opener = openImage(p, head, fileKey, leaf);
    const pages = new SealedPages(source, p, head, opener, options.cache);
    pages.keepChecked(0, leaf);
    requireFirstPage(pages.readPages(0, 1), head);
    const close = async (): Promise<void> => {
      pages.close();
      await source.close();
    };
    return { head, pages, slot, close };
  } finally {
    fileKey.fill(0);
  }
}

/** Reads the head, then checks scrypt caps, slots and tag: the part of opening that needs no byte of the image. */
export async function unlockHead(source: Source, p: Primitives, options: OpenOptions): Promise<UnlockedHead> {
  const head = await readHead(source, p, options);
  return { head, ...(await unlockRead(p, head, options)) };
}

/** The same for a head that has been read. */
export async function unlockRead(
  p: Primitives,
  head: Head,
  options: Pick<OpenOptions, "secret" | "kdfLimits">,
): Promise<{ readonly fileKey: Uint8Array; readonly slot: number }> {
  requireAffordable(head.envelope.slots, options.kdfLimits);
  const { fileKey, slot } = await unlock(p, head.envelope, secretsOf(options.secret), head.claimsDigest);
  if (!p.equal(headTag(p, fileKey, head), head.tag)) {
    fileKey.fill(0);
    throw new MdcxError(
      "bad-tag",
      `The head of ${head.name} was changed by someone without its key, or its slots hold different keys.`,
    );
  }
  return { fileKey, slot };
}

/** Secrets as a list. */
export function secretsOf(secret: Secret | readonly Secret[]): readonly Secret[] {
  return "kind" in secret ? [secret] : secret;
}

/** Leaf 0, checked against the table. */
export async function readLeaf0(source: Source, p: Primitives, head: Head): Promise<Uint8Array> {
  const { offset, length } = leafInFile(head, 0);
  const leaf = await source.read(offset, length);
  requireLeaf(p, head, 0, leaf);
  return leaf;
}

/**
 * Checks the commitment in leaf 0, which has been checked against the table.
 *
 * @throws MdcxError `bad-commitment`
 */
export function openImage(p: Primitives, head: Head, fileKey: Uint8Array, leaf0: Uint8Array): ImageOpener {
  const key = imageKey(p, fileKey);
  const opener = new ImageOpener(p, key, head.claimsDigest, leaf0.subarray(0, SEALED_PREFIX));
  key.fill(0);
  return opener;
}

/**
 * Refuses an image whose first page is not that of a SQLite database (https://www.sqlite.org/fileformat.html, section
 * 1.3) as a package holds it: pages of 16,384 bytes, rollback journal and not WAL, nothing reserved, and as many pages
 * as the seal record says.
 */
export function requireFirstPage(page: Uint8Array, head: Head): void {
  const view = new DataView(page.buffer, page.byteOffset, page.length);
  const magic = new TextDecoder("latin1").decode(page.subarray(0, 16));
  const fits =
    magic === "SQLite format 3\0" &&
    view.getUint16(16) === PAGE &&
    page[18] === 1 &&
    page[19] === 1 &&
    page[20] === 0 &&
    view.getUint32(28) === head.imageLength / PAGE;
  if (!fits) throw new MdcxError("bad-image", `The image in ${head.name} is not one that mdcx writes.`);
}
