import { MdcxError } from "../errors.js";
import type { Claims } from "./claims.js";
import { writeEnvelope } from "./envelope.js";
import { HEAD_FIXED, writeHead, type Head, type Pins } from "./head.js";
import type { JsonObject } from "./json.js";
import { unlockHead, unlockRead } from "./open.js";
import type { PageProducer } from "./pages.js";
import type { Primitives } from "./primitives.js";
import { Rewriting, type RewriteOptions, type RewriteReport } from "./rewrite.js";
import { checkLeaves } from "./seal.js";
import { digestsOf, readRuns } from "./sealed-leaves.js";
import type { SealedPages } from "./sealed-pages.js";
import type { Secret } from "./secret.js";
import type { Sink } from "./sink.js";
import { parseSlot, requireAffordable, type KdfLimits, type NewSlot, type Slot } from "./slots.js";
import type { Source } from "./source.js";
import { wrapAll } from "./write.js";

/** What `rekey` changes. */
export interface RekeyOptions extends Pins {
  /** Opens the package as it is. */
  readonly secret: Secret | readonly Secret[];
  /** Slots to be added, behind those that stay. */
  readonly add?: readonly NewSlot[];
  readonly kdfLimits?: KdfLimits;
  /** Slots to be removed, by their place in the envelope, from 0. */
  readonly remove?: readonly number[];
}

/** What `rekey` did. */
export interface RekeyReport {
  readonly claims: Claims;
  /** Slots that are gone. */
  readonly removed: readonly Slot[];
  /** Slots of the new package, in their order. */
  readonly slots: readonly Slot[];
}

/** What `rekey --reseal` changes. */
export interface ResealOptions extends RewriteOptions {
  /** Slots to be added, behind those that stay. */
  readonly add?: readonly NewSlot[];
  readonly onProgress?: (sealed: number) => void;
}

/**
 * Adds and removes slots. Claims, seal record, signature, table, image and the slots that stay are copied as they are;
 * every leaf is checked on the way. Whoever was removed and kept the file key or the old file still reads this image,
 * and the old envelope put back before it is valid: only `reseal` ends access, to what comes after.
 *
 * @param sink a new file: after an error what is in it is not a package
 * @throws MdcxError `bad-input` where no slot would be left that this version can open
 */
export async function rekey(source: Source, sink: Sink, p: Primitives, options: RekeyOptions): Promise<RekeyReport> {
  const { head, fileKey } = await unlockHead(source, p, options);
  try {
    const { slots } = head.envelope;
    const remove = new Set(options.remove);
    for (const position of remove) {
      if (!slots[position])
        throw new MdcxError("bad-input", `There is no slot ${position}: the last is ${slots.length - 1}.`);
    }
    const staying = slots.filter((_, position) => !remove.has(position)).map(({ raw }) => raw);
    const added = options.add ?? [];
    for (const { secret } of added) await requireNew(p, head, secret, remove, options.kdfLimits);
    requireUsable([...staying.map(parseSlot).map(({ type }) => type), ...added.map(() => "added")]);
    const next: JsonObject[] = [...staying, ...(await wrapAll(p, added, fileKey, head.claimsDigest))];
    const parsed = next.map(parseSlot);
    requireAffordable(parsed, options.kdfLimits);
    const envelopeBytes = writeEnvelope(next, head.envelope.raw);
    const tableStart = HEAD_FIXED + head.claimsBytes.length + envelopeBytes.length;
    let at = tableStart + head.table.length;
    for await (const run of readRuns(source, p, head)) {
      await checkLeaves(p, run, digestsOf(head, run.first, run.count));
      await sink.write(at, run.bytes);
      at += run.bytes.length;
    }
    await sink.write(tableStart, head.table);
    await sink.write(0, writeHead(p, fileKey, { ...head, envelopeBytes }));
    return { claims: head.claims, removed: slots.filter((_, position) => remove.has(position)), slots: parsed };
  } finally {
    fileKey.fill(0);
  }
}

/** A secret in two slots would go on opening the package when one of them is removed. */
async function requireNew(
  p: Primitives,
  head: Head,
  secret: Secret,
  removed: ReadonlySet<number>,
  kdfLimits: KdfLimits | undefined,
): Promise<void> {
  const opening = await unlockRead(p, head, { secret, ...(kdfLimits && { kdfLimits }) }).catch((error: unknown) => {
    if (error instanceof MdcxError && (error.code === "wrong-secret" || error.code === "no-usable-slot"))
      return undefined;
    throw error;
  });
  opening?.fileKey.fill(0);
  if (opening === undefined || removed.has(opening.slot)) return;
  throw new MdcxError("bad-input", `The secret to be added opens slot ${opening.slot} already: nothing was changed.`);
}

/**
 * Seals the same image anew: new file key, salts and revision. Only slots whose secret is given are kept.
 *
 * @param source a source that reads at once
 * @param sink a new file: after an error what is in it is not a package
 * @throws MdcxError `bad-input` without the signing key of a signed package, or when dropping slots is not confirmed
 */
export async function reseal(
  source: Source,
  sink: Sink,
  p: Primitives,
  options: ResealOptions,
): Promise<RewriteReport> {
  const rewriting = await Rewriting.open(source, p, options);
  try {
    await rewriting.keepSlots();
    const { head, pages } = rewriting.opened;
    const { add, onProgress } = options;
    return await rewriting.write(sink, {
      claims: head.claims.raw,
      image: producerOf(pages),
      ...(add && { add }),
      ...(onProgress && { onProgress }),
    });
  } finally {
    rewriting.close();
  }
}

/** The decrypted pages of an opened package, to be sealed anew. */
function producerOf(pages: SealedPages): PageProducer {
  return { length: pages.length, takePage: (number) => pages.readPages(number, 1) };
}

function requireUsable(types: readonly string[]): void {
  if (types.some((type) => type !== "unknown")) return;
  throw new MdcxError("bad-input", "That would leave no slot that opens the package: add one, or keep one.");
}
