import { MdcxError } from "../errors.js";
import { parseJson, writeJson, type JsonObject } from "./json.js";
import type { Primitives } from "./primitives.js";
import type { Secret } from "./secret.js";
import { openSlot, parseSlot, slotTypeOf, type Slot } from "./slots.js";

/** Fewest and most bytes of the envelope. */
export const ENVELOPE_LIMITS = { min: 2, max: 262_144 } as const;
/** Most slots, and most of them that cost a scrypt. */
const MAX_SLOTS = 64;
const MAX_SCRYPT_SLOTS = 8;

/** Who may open a package. */
export interface Envelope {
  /** In the order in which they are tried. */
  readonly slots: readonly Slot[];
  /** The object as it stands in the file, members and slots of unknown kinds included. */
  readonly raw: JsonObject;
}

/**
 * Parses an envelope and checks the shape of every slot. What the slots cost is checked apart (`requireAffordable`).
 *
 * @throws MdcxError `bad-json`, `bad-envelope`, or `kdf-too-costly` for a cost above every bound
 */
export function parseEnvelope(bytes: Uint8Array): Envelope {
  const raw = parseJson(bytes, "envelope");
  const { slots } = raw;
  if (!Array.isArray(slots) || slots.length < 1 || slots.length > MAX_SLOTS) {
    throw new MdcxError("bad-envelope", `The envelope must hold 1 to ${MAX_SLOTS} slots: the package is damaged.`);
  }
  const parsed = slots.map((slot, position) => {
    if (typeof slot !== "object" || slot === null || Array.isArray(slot)) {
      throw new MdcxError("bad-envelope", `Slot ${position} of the envelope is not an object: the package is damaged.`);
    }
    return parseSlot(slot, position);
  });
  if (parsed.filter(({ type }) => type === "scrypt").length > MAX_SCRYPT_SLOTS) {
    throw new MdcxError("bad-envelope", `The envelope holds more than ${MAX_SCRYPT_SLOTS} passphrase slots.`);
  }
  return { slots: parsed, raw };
}

/**
 * The bytes of an envelope with these slots.
 *
 * @param slots each as it is to stand in the file
 * @param raw the envelope that is being replaced, whose other members are kept
 */
export function writeEnvelope(slots: readonly JsonObject[], raw?: JsonObject): Uint8Array {
  const object = Object.assign(Object.create(null) as JsonObject, raw);
  object.slots = [...slots];
  const bytes = writeJson(object);
  if (bytes.length > ENVELOPE_LIMITS.max) {
    throw new MdcxError("bad-input", `The slots take ${bytes.length} bytes, more than ${ENVELOPE_LIMITS.max}.`);
  }
  // A writer that breaks the rules of readers (too many slots, a label with a control character) fails here, not there.
  parseEnvelope(bytes);
  return bytes;
}

/**
 * The file key, from the first slot that one of the secrets opens. The caller has checked the costs.
 *
 * @throws MdcxError `no-usable-slot` when no slot is of a kind that the secrets could open, `wrong-secret` when none
 * opens, `slot-damaged` when the right slot is damaged
 */
export async function unlock(
  p: Primitives,
  envelope: Envelope,
  secrets: readonly Secret[],
  claimsDigest: Uint8Array,
): Promise<{ readonly fileKey: Uint8Array; readonly slot: number }> {
  const kinds = new Set(secrets.map(slotTypeOf));
  if (!envelope.slots.some(({ type }) => type !== "unknown" && kinds.has(type))) {
    throw new MdcxError("no-usable-slot", noUsableSlot(envelope.slots, kinds));
  }
  for (const [position, slot] of envelope.slots.entries()) {
    for (const secret of secrets) {
      const fileKey = await openSlot(p, slot, secret, claimsDigest);
      if (fileKey) return { fileKey, slot: position };
    }
  }
  const what = kinds.size > 1 ? "secrets do" : kinds.has("key") ? "key does" : "passphrase does";
  throw new MdcxError("wrong-secret", `The ${what} not open this package.`);
}

function noUsableSlot(slots: readonly Slot[], kinds: ReadonlySet<"scrypt" | "key">): string {
  const types = new Set(slots.map(({ type }) => type));
  if (!types.has("scrypt") && !types.has("key")) {
    return "The package has only slots of kinds that this reader does not know: install a newer mdcx.";
  }
  if (kinds.size === 0) return "The package is encrypted: give its passphrase or key.";
  return types.has("key")
    ? "The package has no passphrase slot: it opens with a key (mdcx-key-…)."
    : "The package has no key slot: it opens with a passphrase.";
}
