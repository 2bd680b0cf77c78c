import initSqlJs from "sql.js";
import { claimsObject, type ClaimedFacts } from "../../src/format/claims.js";
import type { JsonObject } from "../../src/format/json.js";
import { PAGE, type PageProducer } from "../../src/format/pages.js";
import type { Secret } from "../../src/format/secret.js";
import { publicKeyOf } from "../../src/format/signature.js";
import { MemorySink } from "../../src/format/sink.js";
import type { NewSlot } from "../../src/format/slots.js";
import { writeContainer } from "../../src/format/container.js";
import { primitives } from "../../src/node/primitives.js";

/** Keys of the tests: worth nothing anywhere else. */
export const KEY: Secret = { kind: "key", bytes: new Uint8Array(32).fill(7) };
export const OTHER_KEY: Secret = { kind: "key", bytes: new Uint8Array(32).fill(8) };
export const SIGNING_KEY = new Uint8Array(32).fill(9);
export const OTHER_SIGNING_KEY = new Uint8Array(32).fill(10);

const SQL = await initSqlJs();

/** One page: an empty SQLite database with pages of 16,384 bytes. */
function emptyDatabase(): Uint8Array {
  const database = new SQL.Database();
  database.run(`pragma page_size = ${PAGE}; create table t(a); drop table t; vacuum`);
  const bytes = database.export();
  database.close();
  return bytes;
}
const FIRST_PAGE = emptyDatabase();

/**
 * An image of `pages` pages: the first page of a real database, whose page count is right, and pages of a pattern that
 * tells each of them apart. A container asks no more of an image.
 */
export function tinyImage(pages: number): PageProducer & { readonly bytes: Uint8Array } {
  const bytes = new Uint8Array(pages * PAGE);
  for (let index = PAGE; index < bytes.length; index++) bytes[index] = (index * 31 + Math.floor(index / PAGE)) & 0xff;
  bytes.set(FIRST_PAGE);
  new DataView(bytes.buffer).setUint32(28, pages);
  return {
    bytes,
    length: bytes.length,
    takePage: (number) => bytes.slice(number * PAGE, (number + 1) * PAGE),
  };
}

/** Facts of a package that hold nothing of interest. */
export function facts(change: Partial<ClaimedFacts> = {}): ClaimedFacts {
  return {
    packageId: "000102030405060708090a0b0c0d0e0f",
    revision: 1,
    created: "2026-01-31T12:00:00Z",
    title: "",
    issuer: null,
    documents: 2,
    passages: 5,
    attachments: 0,
    languages: [{ code: "en", documents: 2 }],
    dated: { count: 0, from: null, to: null },
    model: null,
    answerableAt: null,
    conversion: null,
    ...change,
  };
}

export interface TinyOptions {
  readonly pages?: number;
  readonly signingKey?: Uint8Array;
  readonly slots?: readonly NewSlot[];
  readonly facts?: Partial<ClaimedFacts>;
  /** Members of the claims that this version does not know. */
  readonly unknown?: JsonObject;
}

/** A whole package in memory, opened by `KEY` unless other slots are given. */
export async function tinyPackage(options: TinyOptions = {}): Promise<Uint8Array> {
  const { signingKey } = options;
  const sink = new MemorySink();
  const stated = facts({
    ...(signingKey && { issuer: { name: "Test issuer", publicKey: publicKeyOf(signingKey) } }),
    ...options.facts,
  });
  await writeContainer(sink, primitives, {
    claims: claimsObject(stated, options.unknown),
    image: tinyImage(options.pages ?? 6),
    slots: options.slots ?? [{ secret: KEY }],
    ...(signingKey && { signingKey }),
  });
  return sink.bytes();
}
