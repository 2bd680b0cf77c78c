import { MdcxError } from "../errors.js";
import type { Pins } from "./head.js";
import type { JsonObject } from "./json.js";
import { openContainer, secretsOf, type OpenedContainer } from "./open.js";
import type { PageProducer } from "./pages.js";
import type { Primitives } from "./primitives.js";
import type { Secret } from "./secret.js";
import type { Sink } from "./sink.js";
import { DEFAULT_COST, isWritableCost, openSlot, type KdfLimits, type NewSlot, type Slot } from "./slots.js";
import type { Source } from "./source.js";
import { requireSigner, writeContainer, type WrittenContainer } from "./write.js";

/** What every rewriting of a package needs: another image, a new file key, the same id, the next revision. */
export interface RewriteOptions extends Pins {
  /** Opens the package as it is, and its slots are kept. */
  readonly secret: Secret | readonly Secret[];
  readonly kdfLimits?: KdfLimits;
  /** The issuer's Ed25519 secret key; needed where the package is signed. */
  readonly signingKey?: Uint8Array;
  /**
   * Asked before anything is written whether the slots whose secret was not given may go. Without it, or when it says
   * no, a package that has such slots is left as it is.
   */
  readonly confirmDropped?: (slots: readonly Slot[]) => boolean | Promise<boolean>;
}

/** What a rewriting did. */
export interface RewriteReport extends WrittenContainer {
  /** Slots that were kept, each wrapped anew. */
  readonly kept: readonly Slot[];
  /** Slots that are gone because nobody gave their secret. */
  readonly dropped: readonly Slot[];
}

/** What the package becomes. */
export interface NewContents {
  /** Claims; the revision is counted on here. */
  readonly claims: JsonObject;
  readonly image: PageProducer;
  /** Slots to be added, behind those that stay. */
  readonly add?: readonly NewSlot[];
  /** Told after each write how many bytes of the image are sealed. */
  readonly onProgress?: (sealed: number) => void;
}

/**
 * A package that is being written anew: opened, then asked about its slots, then sealed with other contents. A file key is
 * never used for two images, so every slot is wrapped anew, and one whose secret nobody gave cannot be kept.
 */
export class Rewriting {
  #kept: readonly { readonly slot: Slot; readonly renewed: NewSlot }[] | undefined;
  #dropped: readonly Slot[] = [];

  private constructor(
    readonly opened: OpenedContainer,
    private readonly p: Primitives,
    private readonly options: RewriteOptions,
  ) {}

  /**
   * Opens the package, and refuses at once what could not be signed again.
   *
   * @param source a source that reads at once; the caller closes it
   * @throws MdcxError as opening does; `bad-input` without the signing key of a signed package
   */
  static async open(source: Source, p: Primitives, options: RewriteOptions): Promise<Rewriting> {
    const opened = await openContainer(source, p, options);
    try {
      requireSigner(p, opened.head.claims, options.signingKey);
      return new Rewriting(opened, p, options);
    } catch (error) {
      opened.pages.close();
      throw error;
    }
  }

  /**
   * Finds the slots that can be kept, and asks about the others. To be called before the work that takes long.
   *
   * @returns the slots of the new package
   * @throws MdcxError `bad-input` when dropping slots is not confirmed, `chunk-damaged` for an image that was cut off
   */
  async keepSlots(): Promise<readonly NewSlot[]> {
    const { head, pages } = this.opened;
    const kept: { slot: Slot; renewed: NewSlot }[] = [];
    const dropped: Slot[] = [];
    for (const slot of head.envelope.slots) {
      const secret = await secretOf(this.p, slot, secretsOf(this.options.secret), head.claimsDigest);
      if (secret) kept.push({ slot, renewed: renewed(slot, secret) });
      else dropped.push(slot);
    }
    if (dropped.length > 0 && (await this.options.confirmDropped?.(dropped)) !== true) {
      throw new MdcxError(
        "bad-input",
        `Slots whose secret was not given would be lost (${dropped.length}): nothing was changed.`,
      );
    }
    pages.requireEnd();
    this.#kept = kept;
    this.#dropped = dropped;
    return kept.map((one) => one.renewed);
  }

  /** @param sink a new file: after an error what is in it is not a package */
  async write(sink: Sink, { claims, image, add = [], onProgress }: NewContents): Promise<RewriteReport> {
    if (this.#kept === undefined) throw new MdcxError("internal", "Nobody was asked which slots are to stay.");
    const { signingKey, kdfLimits } = this.options;
    const written = await writeContainer(sink, this.p, {
      claims: { ...claims, revision: this.opened.head.claims.revision + 1 },
      image,
      slots: [...this.#kept.map((one) => one.renewed), ...add],
      ...(signingKey && { signingKey }),
      ...(kdfLimits && { kdfLimits }),
      ...(onProgress && { onProgress }),
    });
    return { ...written, kept: this.#kept.map(({ slot }) => slot), dropped: this.#dropped };
  }

  /** Lets go of keys and pages; the source is the caller's. */
  close(): void {
    this.opened.pages.close();
  }
}

async function secretOf(
  p: Primitives,
  slot: Slot,
  secrets: readonly Secret[],
  claimsDigest: Uint8Array,
): Promise<Secret | undefined> {
  for (const secret of secrets) {
    const fileKey = await openSlot(p, slot, secret, claimsDigest);
    fileKey?.fill(0);
    if (fileKey) return secret;
  }
  return undefined;
}

/** The slot to be written for one that is kept: its label, and its cost unless that is less than is ever written. */
function renewed(slot: Slot, secret: Secret): NewSlot {
  return {
    secret,
    ...(slot.label !== undefined && { label: slot.label }),
    ...(slot.type === "scrypt" && { cost: isWritableCost(slot.cost) ? slot.cost : DEFAULT_COST }),
  };
}
