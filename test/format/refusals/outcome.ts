import { type ErrorCode, MdcxError } from "../../../src/errors.js";
import { BytesSource } from "../../../src/format/bytes-source.js";
import { openContainer, verifyContainer, type OpenOptions } from "../../../src/format/container.js";
import { PAGE } from "../../../src/format/pages.js";
import { primitives } from "../../../src/node/primitives.js";
import { ISSUER_PUBLIC_KEY, TEST_KEY } from "./world.js";

/** How a reading ended: the name of the refusal, or "accepted". */
export type Outcome = ErrorCode | "accepted";

/** Three readers: with the key (k), `verify` without one (v), with the key and the issuer's key pinned (p). */
export interface Outcomes {
  readonly k: Outcome;
  readonly v: Outcome;
  readonly p: Outcome;
}

/** What the three readers say to a file. */
export async function outcomesOf(bytes: Uint8Array): Promise<Outcomes> {
  return {
    k: await outcome(() => openAndReadAll(bytes, { secret: TEST_KEY })),
    v: await outcome(() => verifyContainer(new BytesSource(bytes), primitives)),
    p: await outcome(() => openAndReadAll(bytes, { secret: TEST_KEY, issuerKey: ISSUER_PUBLIC_KEY })),
  };
}

export async function openAndReadAll(bytes: Uint8Array, options: OpenOptions): Promise<void> {
  const { pages } = await openContainer(new BytesSource(bytes), primitives, options);
  for (let page = 0; page < pages.length / PAGE; page++) pages.readPages(page, 1);
  pages.requireEnd();
}

/** Runs a reading; an error without a name of ours is a fault and comes through. */
export async function outcome(read: () => Promise<unknown>): Promise<Outcome> {
  try {
    await read();
    return "accepted";
  } catch (error) {
    if (error instanceof MdcxError && error.code !== "internal") return error.code;
    throw error;
  }
}
