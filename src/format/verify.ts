import { readHead, signatureSentence, type Head, type Pins, type SignatureState } from "./head.js";
import { chunkInRun } from "./leaf-run.js";
import { openImage, readLeaf0, requireFirstPage, unlockRead } from "./open.js";
import { PAGE, type PageReader } from "./pages.js";
import type { Primitives } from "./primitives.js";
import { checkLeaves, chunkCount, type ImageOpener } from "./seal.js";
import { digestsOf, readRuns } from "./sealed-leaves.js";
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
  const opener = await openIfAsked(source, p, head, options);
  for await (const run of readRuns(source, p, head)) {
    const digests = digestsOf(head, run.first, run.count);
    await (opener ? opener.openLeaves(run, digests) : checkLeaves(p, run, digests));
    if (opener && run.first === 0) requireFirstPage(chunkInRun(run, 0).subarray(0, PAGE), head);
    options.onProgress?.(run.first + run.count, head.leaves);
  }
  if (opener && options.checkImage) {
    const pages = new SealedPages(source, p, head, opener);
    try {
      await options.checkImage(pages, head);
    } finally {
      pages.close();
    }
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

/** Slot, tag, leaf 0 and commitment, where there is a secret. */
async function openIfAsked(
  source: Source,
  p: Primitives,
  head: Head,
  options: VerifyOptions,
): Promise<ImageOpener | undefined> {
  const { secret, kdfLimits } = options;
  if (secret === undefined) return undefined;
  const { fileKey } = await unlockRead(p, head, { secret, ...(kdfLimits && { kdfLimits }) });
  try {
    return openImage(p, head, fileKey, await readLeaf0(source, p, head));
  } finally {
    fileKey.fill(0);
  }
}
