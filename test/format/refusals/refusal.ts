import type { ErrorCode } from "../../../src/errors.js";
import type { BaseId, World } from "./world.js";
import type { Outcome } from "./outcome.js";

/** A file that must be refused, and by whom. */
export interface Refusal {
  /** Unique, and the file's name in spec/vectors/malleability. */
  readonly id: string;
  readonly group: string;
  /** How it was made and why it must not pass, in a sentence. */
  readonly why: string;
  readonly base: BaseId;
  /** Readers whose answer the specification fixes. */
  readonly expect: Readonly<Partial<Record<"k" | "v" | "p", Outcome>>>;
  readonly make: (world: World) => Uint8Array | Promise<Uint8Array>;
}

/** Refused by all three readers with the same name. */
export function everywhere(code: ErrorCode): Refusal["expect"] {
  return { k: code, v: code, p: code };
}
