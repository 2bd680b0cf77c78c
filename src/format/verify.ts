import { readHead, signatureSentence, type Head, type Pins, type SignatureState } from "./head.js";
import { openImage, requireFirstPage, unlockRead } from "./open.js";
import type { PageReader } from "./pages.js";
import type { Primitives } from "./primitives.js";
import { chunkCount, type ImageOpener } from "./seal.js";
import { chunkInLeaf, chunksOfLeaf, readCheckedLeaves } from "./sealed-leaves.js";
import { SealedPages } from "./sealed-pages.js";
import type { Secret } from "./secret.js";
import type { KdfLimits } from "./slots.js";
import type { Source } from "./source.js";

/** What `verify` goes by. */
export interface VerifyOptions extends Pins {
  /** With a secret the tag and every chunk are checked too. */
  readonly secret?: Secret | readonly Secret[];
  readonly kdfLimits?: KdfLimits;
  /** Compares the decrypted image with the claims, once every chunk has opened; only with a secret. */
  readonly checkImage?: (pages: PageReader, head: Head) => void | Promise<void>;
  /** Told how many leaves of how many are done. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** What `verify` found; anything wrong is thrown instead. */
export interface VerifyReport {
  readonly head: Head;
  readonly signature: SignatureState;
  /** One of the three sentences of spec/container.md. */
  readonly sentence: string;
  /** Leaves recomputed: all of them. */
  readonly leaves: number;
  /** Chunks that opened: all of them with a secret, none without. */
  readonly chunks: number;
  /** Whether tag, chunks and image were checked, which needs a secret. */
  readonly opened: boolean;
}

/**
 * Reads every byte of a package once, in bounded memory. Without a secret: all that needs none, and every leaf. With
 * one: also the tag, every chunk, page 1 and what `checkImage` compares.
 *
 * @throws MdcxError with the name of the first check that fails
 */
export async function verifyContainer(
  source: Source,
  p: Primitives,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const head = await readHead(source, p, options);
  const fileKey = await unlockIfAsked(p, head, options);
  let opener: ImageOpener | undefined;
  try {
    for await (const { first, leaves } of readCheckedLeaves(source, p, head)) {
      for (const [index, leaf] of leaves.entries()) {
        if (fileKey && first + index === 0) opener = openImage(p, head, fileKey, leaf);
        if (opener) openLeaf(opener, head, first + index, leaf);
      }
      options.onProgress?.(first + leaves.length, head.leaves);
    }
  } finally {
    fileKey?.fill(0);
  }
  if (opener && options.checkImage) {
    const pages = new SealedPages(source, p, head, opener);
    await options.checkImage(pages, head);
    pages.close();
  }
  return {
    head,
    signature: head.signatureState,
    sentence: signatureSentence(head.signatureState),
    leaves: head.leaves,
    chunks: opener ? chunkCount(head.imageLength) : 0,
    opened: opener !== undefined,
  };
}

async function unlockIfAsked(p: Primitives, head: Head, options: VerifyOptions): Promise<Uint8Array | undefined> {
  const { secret, kdfLimits } = options;
  if (secret === undefined) return undefined;
  return (await unlockRead(p, head, { secret, ...(kdfLimits && { kdfLimits }) })).fileKey;
}

function openLeaf(opener: ImageOpener, head: Head, leaf: number, bytes: Uint8Array): void {
  const { first, end } = chunksOfLeaf(head, leaf);
  for (let chunk = first; chunk < end; chunk++) {
    const page = opener.openChunk(chunk, chunkInLeaf(head, chunk, bytes));
    if (chunk === 0) requireFirstPage(page, head);
  }
}
