import { createHash } from "node:crypto";
import { BytesSource } from "../../../src/format/bytes-source.js";
import { readHead } from "../../../src/format/container.js";
import { PAGE } from "../../../src/format/pages.js";
import { primitives } from "../../../src/node/primitives.js";
import { refusals } from "./all.js";
import { outcomesOf, type Outcome } from "./outcome.js";
import { SegmentFinder, type Segment } from "./segments.js";
import {
  ISSUER_PUBLIC_KEY,
  ISSUER_SECRET_KEY,
  TEST_KEY_TEXT,
  TEST_PASSPHRASE,
  type Base,
  type BaseId,
  type World,
} from "./world.js";

/** What stands beside a valid package: all that it was made with and all that a reader must find in it. */
export interface ValidVector {
  readonly about: string;
  readonly passphrase: string | null;
  readonly key: string;
  readonly issuer_secret_key: string | null;
  readonly issuer_public_key: string | null;
  readonly file_key: string;
  readonly claims_digest: string;
  readonly root: string;
  readonly claims: string;
  readonly slots: readonly { readonly type: string; readonly label: string | null }[];
  readonly image_length: number;
  readonly page_sha256: readonly string[];
  readonly file_length: number;
  readonly file_sha256: string;
}

/** A file that must be refused, as the list in `malleability/MANIFEST.json` gives it. */
export interface RefusalEntry {
  readonly id: string;
  readonly group: string;
  readonly why: string;
  readonly base: BaseId;
  readonly expect: Readonly<Record<"k" | "v" | "p", Outcome>>;
  readonly length: number;
  readonly sha256: string;
  readonly segments: readonly Segment[];
}

/** All files under spec/vectors except its README, by path. */
export async function vectorFiles(world: World): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const base of Object.values(world)) {
    files.set(`${base.id}.mdcx`, base.bytes);
    files.set(`${base.id}.json`, json(await validVector(base)));
  }
  const finder = new SegmentFinder(Object.fromEntries(Object.values(world).map(({ id, bytes }) => [id, bytes])));
  const entries: RefusalEntry[] = [];
  for (const { id, group, why, base, make } of refusals) {
    const bytes = await make(world);
    const segments = finder.find(bytes, base, (literal) => {
      const name = `${sha256(literal).slice(0, 16)}.bin`;
      files.set(`malleability/${name}`, literal.slice());
      return name;
    });
    const expect = await outcomesOf(bytes);
    entries.push({ id, group, why, base, expect, length: bytes.length, sha256: sha256(bytes), segments });
  }
  // One case a line: a change of one shows as one line.
  const lines = entries.map((entry) => `  ${JSON.stringify(entry)}`).join(",\n");
  files.set("malleability/MANIFEST.json", new TextEncoder().encode(`{"cases":[\n${lines}\n]}\n`));
  return files;
}

async function validVector(base: Base): Promise<ValidVector> {
  const head = await readHead(new BytesSource(base.bytes), primitives);
  const signed = base.facts.issuer !== null;
  const passphrase = head.envelope.slots.some(({ type }) => type === "scrypt");
  return {
    about: "TEST KEYS: they are public, and protect nothing.",
    passphrase: passphrase ? TEST_PASSPHRASE : null,
    key: TEST_KEY_TEXT,
    issuer_secret_key: signed ? hex(ISSUER_SECRET_KEY) : null,
    issuer_public_key: signed ? hex(ISSUER_PUBLIC_KEY) : null,
    file_key: hex(base.fileKey),
    claims_digest: hex(head.claimsDigest),
    root: hex(head.root),
    claims: new TextDecoder().decode(head.claimsBytes),
    slots: head.envelope.slots.map(({ type, label }) => ({ type, label: label ?? null })),
    image_length: head.imageLength,
    page_sha256: Array.from({ length: head.imageLength / PAGE }, (_, page) =>
      sha256(base.image.subarray(page * PAGE, (page + 1) * PAGE)),
    ),
    file_length: base.bytes.length,
    file_sha256: sha256(base.bytes),
  };
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, undefined, 2)}\n`);
}
