import type { ErrorCode } from "../../../src/errors.js";
import { digestClaims } from "../../../src/format/head.js";
import { wrapFileKey } from "../../../src/format/slots.js";
import { primitives } from "../../../src/node/primitives.js";
import { encode, putTogether, retag, takeApart, type LooseEnvelope } from "../forge.js";
import type { Refusal } from "./refusal.js";
import { TEST_KEY, testBytes, type World } from "./world.js";

const group = "slots";
type LooseSlot = LooseEnvelope["slots"][number];

/** An edit of the envelope by a holder of the file key: tag and head digest are right, so only the slots can be refused. */
function edited(
  id: string,
  why: string,
  expect: Refusal["expect"],
  edit: (slots: LooseSlot[], world: World) => LooseSlot[] | Promise<LooseSlot[]>,
): Refusal {
  return {
    id: `slots-${id}`,
    group,
    why,
    base: "unsigned",
    expect: { ...expect, p: expect.v === "accepted" ? "unsigned" : expect.v! },
    make: async (world) => {
      const parts = takeApart(world.unsigned.bytes);
      const { slots } = JSON.parse(new TextDecoder().decode(parts.envelope)) as LooseEnvelope;
      const envelope = encode(JSON.stringify({ slots: await edit(slots, world) }));
      return putTogether(retag({ ...parts, envelope }, world.unsigned.fileKey));
    },
  };
}

const shape = (id: string, why: string, edit: (slots: LooseSlot[]) => LooseSlot[], code: ErrorCode = "bad-envelope") =>
  edited(id, why, { k: code, v: code }, edit);

/** Readers with a key only refuse what `verify` cannot see. */
const withKeyOnly = (code: ErrorCode): Refusal["expect"] => ({ k: code, v: "accepted" });

/** The scrypt slot, which comes first, with other members. */
const scrypt = (change: LooseSlot) => (slots: LooseSlot[]) => [{ ...slots[0], ...change }, slots[1]!];
/** The key slot, which comes second, with other members. */
const key = (change: LooseSlot) => (slots: LooseSlot[]) => [slots[0]!, { ...slots[1], ...change }];

const repeated = (slot: LooseSlot, times: number): LooseSlot[] => Array.from({ length: times }, () => slot);

async function keySlot(fileKey: Uint8Array, claims: Uint8Array, purpose: string): Promise<LooseSlot> {
  const p = { ...primitives, randomBytes: (length: number) => testBytes(purpose).slice(0, length) };
  return wrapFileKey(p, { secret: TEST_KEY }, fileKey, digestClaims(primitives, claims));
}

const flipHex = (hex: unknown): string => {
  const text = String(hex);
  return (text.startsWith("0") ? "1" : "0") + text.slice(1);
};

export const slotRefusals: readonly Refusal[] = [
  shape("none", "No slot.", () => []),
  shape("65", "65 slots.", (slots) => repeated(slots[1]!, 65)),
  shape("9-scrypt", "Nine scrypt slots.", (slots) => [...repeated({ ...slots[0], log2n: 10 }, 9), slots[1]!]),
  shape("not-objects", "A slot that is a list.", () => [[] as unknown as LooseSlot]),
  shape("no-type", "A slot without a type.", (slots) => [{ ...slots[1], type: undefined }]),
  shape("type-number", "A slot whose type is a number.", (slots) => [{ ...slots[1], type: 1 }]),
  edited("unknown-only", "Only slots of a type that nobody knows.", withKeyOnly("no-usable-slot"), () => [
    { type: "quantum", odd: [1, { two: null }] },
  ]),
  edited("commitment", "The commitment of the key slot is another.", withKeyOnly("wrong-secret"), (slots) =>
    key({ commitment: flipHex(slots[1]!.commitment) })(slots),
  ),
  shape("wrapped-47", "A wrapped key of 47 bytes.", (slots) =>
    key({ wrapped: String(slots[1]!.wrapped).slice(2) })(slots),
  ),
  shape("wrapped-49", "A wrapped key of 49 bytes.", (slots) =>
    key({ wrapped: `00${String(slots[1]!.wrapped)}` })(slots),
  ),
  edited("wrapped", "A bit of the wrapped key is flipped.", withKeyOnly("slot-damaged"), (slots) =>
    key({ wrapped: flipHex(slots[1]!.wrapped) })(slots),
  ),
  edited("salt", "A bit of the salt of the key slot is flipped.", withKeyOnly("wrong-secret"), (slots) =>
    key({ salt: flipHex(slots[1]!.salt) })(slots),
  ),
  edited("scrypt-as-key", "The scrypt slot is relabelled a key slot.", withKeyOnly("wrong-secret"), (slots) => [
    { ...slots[0], type: "key" },
  ]),
  edited("key-as-scrypt", "The key slot is relabelled a scrypt slot.", withKeyOnly("no-usable-slot"), (slots) => [
    { ...slots[1], type: "scrypt", log2n: 10, r: 8, p: 1 },
  ]),
  shape("key-as-scrypt-bare", "The key slot is relabelled a scrypt slot, without a cost.", (slots) => [
    { ...slots[1], type: "scrypt" },
  ]),
  edited(
    "two-file-keys",
    "Two slots of the same key hold two file keys; the first is not the one of the tag.",
    withKeyOnly("bad-tag"),
    async (_, world) => {
      const { claims } = takeApart(world.unsigned.bytes);
      return [
        await keySlot(testBytes("another file key"), claims, "slot of another file key"),
        await keySlot(world.unsigned.fileKey, claims, "slot of the file key"),
      ];
    },
  ),
  edited(
    "other-package",
    "The slot of another package that opens with the same key.",
    withKeyOnly("slot-damaged"),
    (_, world) => {
      const { envelope } = takeApart(world.other.bytes);
      return (JSON.parse(new TextDecoder().decode(envelope)) as LooseEnvelope).slots;
    },
  ),
  shape("log2n-9", "log2n 9.", scrypt({ log2n: 9 })),
  shape("log2n-25", "log2n 25.", scrypt({ log2n: 25 }), "kdf-too-costly"),
  shape("log2n-26", "log2n 26: 64 GiB at r 8.", scrypt({ log2n: 26 }), "kdf-too-costly"),
  shape("log2n-fraction", "log2n 17.5.", scrypt({ log2n: 17.5 }), "bad-json"),
  shape("log2n-string", 'log2n "17".', scrypt({ log2n: "17" })),
  shape("log2n-negative", "log2n -17.", scrypt({ log2n: -17 })),
  shape("log2n-missing", "No log2n.", scrypt({ log2n: undefined })),
  shape("r-0", "r 0.", scrypt({ r: 0 })),
  shape("r-7", "r 7.", scrypt({ r: 7 })),
  shape("r-33", "r 33.", scrypt({ r: 33 }), "kdf-too-costly"),
  shape("p-0", "p 0.", scrypt({ p: 0 })),
  shape("p-5", "p 5.", scrypt({ p: 5 }), "kdf-too-costly"),
  edited(
    "memory",
    "log2n 24 and r 32 are allowed one by one; together they take 64 GiB.",
    withKeyOnly("kdf-too-costly"),
    scrypt({ log2n: 24, r: 32 }),
  ),
  edited(
    "work",
    "Eight slots, each of them allowed; together more than 2^24 steps.",
    withKeyOnly("kdf-too-costly"),
    (slots) => [...repeated({ ...slots[0], log2n: 18, r: 8, p: 2 }, 8), slots[1]!],
  ),
  shape("label-number", "A label that is a number.", key({ label: 1 })),
];
