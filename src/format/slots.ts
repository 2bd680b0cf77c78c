import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { MdcxError } from "../errors.js";
import { X } from "./derive.js";
import type { JsonObject } from "./json.js";
import type { Primitives, ScryptCost } from "./primitives.js";
import type { Secret } from "./secret.js";

/** The cost of a new `scrypt` slot: 128 MiB and about a quarter of a second. */
export const DEFAULT_COST: ScryptCost = { log2n: 17, r: 8, p: 1 };
/** Bounds of a cost as read; beyond them a package is refused whatever the user allows. */
const COST_READ = { log2n: [10, 24], r: [8, 32], p: [1, 4] } as const;
/** Least cost that is ever written. */
const COST_WRITTEN = { log2n: 15, r: 8 } as const;

/** What a package may cost its reader, checked before anything is derived. Only the user raises them. */
export interface KdfLimits {
  /** Bytes of memory that one slot may take: 128·N·r. */
  readonly memory: number;
  /** N·r·p, summed over all `scrypt` slots of the package. */
  readonly work: number;
}
/** 256 MiB a slot; together the work of sixteen default slots, about four seconds. */
export const DEFAULT_KDF_LIMITS: KdfLimits = { memory: 2 ** 28, work: 2 ** 24 };

/** One way into a package: the file key, wrapped under a secret. `raw` is the object as it stands in the envelope. */
export type Slot =
  | (KnownSlot & { readonly type: "scrypt"; readonly cost: ScryptCost })
  | (KnownSlot & { readonly type: "key" })
  | { readonly type: "unknown"; readonly typeName: string; readonly label?: string; readonly raw: JsonObject };

interface KnownSlot {
  readonly salt: Uint8Array;
  readonly commitment: Uint8Array;
  readonly wrapped: Uint8Array;
  /** Public. */
  readonly label?: string;
  readonly raw: JsonObject;
}

/** A slot to be written. */
export interface NewSlot {
  readonly secret: Secret;
  /** Public: who or what the slot is for. */
  readonly label?: string;
  /** Of a passphrase; DEFAULT_COST unless given. */
  readonly cost?: ScryptCost;
}

/** The type of slot that a secret opens: a passphrase is never tried on `key` slots, nor a key on `scrypt` slots. */
export function slotTypeOf(secret: Secret): "scrypt" | "key" {
  return secret.kind === "passphrase" ? "scrypt" : "key";
}

/**
 * Checks the shape of one slot. A slot of a type that this version does not know is kept as it is.
 *
 * @throws MdcxError `bad-envelope`, or `kdf-too-costly` for a cost above every bound
 */
export function parseSlot(raw: JsonObject, position: number): Slot {
  const { type, label } = raw;
  if (typeof type !== "string") throw bad(position, "has no type");
  if (type !== "scrypt" && type !== "key") {
    return { type: "unknown", typeName: type, ...(typeof label === "string" && { label }), raw };
  }
  if (label !== undefined && typeof label !== "string") throw bad(position, "has a label that is not a string");
  const known: KnownSlot = {
    salt: hex(raw, "salt", 32, position),
    commitment: hex(raw, "commitment", 32, position),
    wrapped: hex(raw, "wrapped", 48, position),
    ...(label !== undefined && { label }),
    raw,
  };
  return type === "key" ? { ...known, type } : { ...known, type, cost: readCost(raw, position) };
}

/**
 * Refuses a package whose `scrypt` slots would cost more than allowed. All of them count, whatever secret was given, so
 * that the answer depends on the package alone.
 */
export function requireAffordable(slots: readonly Slot[], limits: KdfLimits = DEFAULT_KDF_LIMITS): void {
  let work = 0;
  for (const slot of slots) {
    if (slot.type !== "scrypt") continue;
    const { log2n, r, p } = slot.cost;
    const memory = 128 * 2 ** log2n * r;
    if (memory > limits.memory) throw tooCostly(`${mebibytes(memory)} of memory`, mebibytes(limits.memory));
    work += 2 ** log2n * r * p;
  }
  if (work > limits.work) throw tooCostly(`${work} steps of scrypt`, String(limits.work));
}

/** Whether a slot may be written with this cost. */
export function isWritableCost(cost: ScryptCost): boolean {
  return (["log2n", "r", "p"] as const).every((name) => {
    const [least, max] = COST_READ[name];
    const min = name === "p" ? least : COST_WRITTEN[name];
    return Number.isInteger(cost[name]) && cost[name] >= min && cost[name] <= max;
  });
}

/**
 * Wraps the file key under a secret, with a fresh salt.
 *
 * @param claimsDigest `C`, which binds the slot to the claims
 */
export async function wrapFileKey(
  p: Primitives,
  slot: NewSlot,
  fileKey: Uint8Array,
  claimsDigest: Uint8Array,
): Promise<JsonObject> {
  const type = slotTypeOf(slot.secret);
  const cost = slot.cost ?? DEFAULT_COST;
  if (type === "scrypt") requireWritable(cost);
  const salt = p.randomBytes(32);
  const { key, nonce, commitment } = await slotKeys(p, type, slot.secret, salt, cost);
  const wrapped = p.aesGcm(key).seal(nonce, fileKey, claimsDigest);
  key.fill(0);
  const raw = Object.create(null) as JsonObject;
  raw.type = type;
  raw.salt = bytesToHex(salt);
  if (type === "scrypt") Object.assign(raw, { log2n: cost.log2n, r: cost.r, p: cost.p });
  raw.commitment = bytesToHex(commitment);
  raw.wrapped = bytesToHex(wrapped);
  if (slot.label !== undefined) raw.label = slot.label;
  return raw;
}

/**
 * Tries one secret on one slot. The cost must have been checked before.
 *
 * @returns the file key, or undefined when the secret is not the slot's
 * @throws MdcxError `slot-damaged` when the secret is the slot's and the wrapped key still does not open
 */
export async function openSlot(
  p: Primitives,
  slot: Slot,
  secret: Secret,
  claimsDigest: Uint8Array,
): Promise<Uint8Array | undefined> {
  if (slot.type === "unknown" || slot.type !== slotTypeOf(secret)) return undefined;
  const cost = slot.type === "scrypt" ? slot.cost : undefined;
  const { key, nonce, commitment } = await slotKeys(p, slot.type, secret, slot.salt, cost);
  try {
    if (!p.equal(commitment, slot.commitment)) return undefined;
    const fileKey = p.aesGcm(key).open(nonce, slot.wrapped, claimsDigest);
    if (fileKey) return fileKey;
    throw new MdcxError(
      "slot-damaged",
      "The secret is right, but its slot is damaged or was taken from another package.",
    );
  } finally {
    key.fill(0);
  }
}

async function slotKeys(
  p: Primitives,
  type: "scrypt" | "key",
  secret: Secret,
  salt: Uint8Array,
  cost?: ScryptCost,
): Promise<ReturnType<typeof X>> {
  const info = concatBytes(utf8ToBytes(`mdcx/2 slot\0${type}\0`), salt);
  if (!cost || type === "key") return X(p, secret.bytes, info);
  const derived = await p.scrypt(secret.bytes, salt, cost);
  try {
    return X(p, derived, info);
  } finally {
    derived.fill(0);
  }
}

function readCost(raw: JsonObject, position: number): ScryptCost {
  const read = (name: keyof ScryptCost): number => {
    const value = raw[name];
    const [min, max] = COST_READ[name];
    if (typeof value !== "number" || !Number.isInteger(value) || value < min) {
      throw bad(position, `needs ${name} as a whole number of at least ${min}`);
    }
    if (value > max) throw tooCostly(`scrypt with ${name} ${value}`, `${name} ${max}`);
    return value;
  };
  return { log2n: read("log2n"), r: read("r"), p: read("p") };
}

function requireWritable(cost: ScryptCost): void {
  if (isWritableCost(cost)) return;
  const { log2n, r, p } = cost;
  throw new MdcxError(
    "bad-input",
    `A passphrase slot is written with log2n 15 to 24, r 8 to 32 and p 1 to 4, not ${log2n}, ${r} and ${p}.`,
  );
}

function hex(raw: JsonObject, name: string, length: number, position: number): Uint8Array {
  const value = raw[name];
  if (typeof value !== "string" || value.length !== 2 * length || !/^[0-9a-f]*$/.test(value)) {
    throw bad(position, `needs ${name} as ${2 * length} lower-case hex digits`);
  }
  return hexToBytes(value);
}

function mebibytes(bytes: number): string {
  return `${bytes / 2 ** 20} MiB`;
}

function bad(position: number, what: string): MdcxError {
  return new MdcxError("bad-envelope", `Slot ${position} of the envelope ${what}: the package is damaged.`);
}

function tooCostly(asked: string, allowed: string): MdcxError {
  return new MdcxError(
    "kdf-too-costly",
    `The package asks for ${asked} to open, more than the ${allowed} allowed: raise the limit only if you trust it.`,
  );
}
