import { claimsObject, type ClaimedFacts } from "../../../src/format/claims.js";
import { writeContainer } from "../../../src/format/container.js";
import type { PageProducer } from "../../../src/format/pages.js";
import type { Primitives } from "../../../src/format/primitives.js";
import { formatKey, parseSecret, type Secret } from "../../../src/format/secret.js";
import { publicKeyOf } from "../../../src/format/signature.js";
import { MemorySink } from "../../../src/format/sink.js";
import type { NewSlot } from "../../../src/format/slots.js";
import { primitives } from "../../../src/node/primitives.js";
import { facts, tinyImage } from "../packages.js";

/** A valid package and all that its makers know. */
export interface Base {
  readonly id: BaseId;
  readonly bytes: Uint8Array;
  /** The file key, `F`. */
  readonly fileKey: Uint8Array;
  readonly image: Uint8Array;
  readonly facts: ClaimedFacts;
}

/**
 * The valid packages that forgeries start from: `unsigned` opens by passphrase and by key, `signed` by key; `older` is
 * the revision before `signed`; `other` is another package of the same issuer that opens with the same key.
 */
export type BaseId = "unsigned" | "signed" | "older" | "other";
export type World = Readonly<Record<BaseId, Base>>;

/** Test keys: they protect nothing, and are printed in spec/vectors. */
export const TEST_PASSPHRASE = "correct horse battery staple";
export const TEST_KEY: Secret = { kind: "key", bytes: testBytes("package key") };
export const TEST_KEY_TEXT = formatKey(primitives, TEST_KEY.bytes);
export const ISSUER_SECRET_KEY = testBytes("issuer");
export const ISSUER_PUBLIC_KEY = publicKeyOf(ISSUER_SECRET_KEY);
/** The key of somebody who holds the file key and is not the issuer. */
export const INSIDER_SECRET_KEY = testBytes("insider");

const COST = { log2n: 15, r: 8, p: 1 };

/** A fixed 32 bytes for a purpose. */
export function testBytes(purpose: string): Uint8Array {
  return primitives.sha256(new TextEncoder().encode(`mdcx test vectors: ${purpose}`));
}

/**
 * Builds the four packages; the same bytes every time.
 *
 * @param images the image of each; small ones with a pattern unless given
 */
export async function buildWorld(images: Partial<Record<BaseId, PageProducer>> = {}): Promise<World> {
  const passphrase: NewSlot = { secret: parseSecret(TEST_PASSPHRASE), label: "test passphrase", cost: COST };
  const key: NewSlot = { secret: TEST_KEY, label: "test key" };
  const issuer = { name: "Test issuer", publicKey: ISSUER_PUBLIC_KEY };
  const signedId = testBytes("signed package").slice(0, 16);
  const make = async (id: BaseId, change: Partial<ClaimedFacts>, slots: readonly NewSlot[]): Promise<Base> => {
    const image = remembering(images[id] ?? tinyImage(6));
    const stated = facts(change);
    const p = seeded(id);
    const sink = new MemorySink();
    await writeContainer(sink, p, {
      claims: claimsObject(stated),
      image,
      slots,
      ...(stated.issuer && { signingKey: ISSUER_SECRET_KEY }),
    });
    return { id, bytes: sink.bytes(), fileKey: p.firstKey(), image: image.taken(), facts: stated };
  };
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
  return {
    unsigned: await make("unsigned", { packageId: hex(testBytes("unsigned package").slice(0, 16)) }, [passphrase, key]),
    signed: await make("signed", { packageId: hex(signedId), revision: 2, title: "Signed", issuer }, [key]),
    older: await make("older", { packageId: hex(signedId), title: "Signed", issuer }, [key]),
    other: await make("other", { packageId: hex(testBytes("other package").slice(0, 16)), title: "Other", issuer }, [
      key,
    ]),
  };
}

/** Randomness that is the same every time, for vectors only: each package has a seed of its own. */
function seeded(seed: string): Primitives & { firstKey(): Uint8Array } {
  let drawn = 0;
  let first: Uint8Array | undefined;
  return {
    ...primitives,
    randomBytes(length) {
      const bytes = testBytes(`${seed} ${drawn++}`).slice(0, length);
      if (bytes.length < length) throw new Error("a draw of more than 32 bytes");
      // The writer wipes its file key, which is the first thing it draws.
      first ??= bytes.slice();
      return bytes;
    },
    firstKey: () => first!,
  };
}

function remembering(image: PageProducer): PageProducer & { taken(): Uint8Array } {
  const pages: Uint8Array[] = [];
  return {
    length: image.length,
    takePage(number) {
      const page = image.takePage(number);
      pages.push(page.slice());
      return page;
    },
    taken: () => new Uint8Array(Buffer.concat(pages)),
  };
}
