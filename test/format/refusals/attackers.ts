import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";
import { PAGE, type PageProducer } from "../../../src/format/pages.js";
import { publicKeyOf } from "../../../src/format/signature.js";
import { wrapFileKey } from "../../../src/format/slots.js";
import { digestClaims } from "../../../src/format/head.js";
import { primitives } from "../../../src/node/primitives.js";
import {
  editClaims,
  editEnvelope,
  encode,
  flip,
  putTogether,
  redigest,
  replacePage,
  reroot,
  resign,
  retable,
  retag,
  sealAnew,
  takeApart,
  type Parts,
} from "../forge.js";
import { everywhere, type Refusal } from "./refusal.js";
import { INSIDER_SECRET_KEY, TEST_KEY, testBytes, type Base } from "./world.js";

const FORGED_PAGE = new Uint8Array(PAGE).fill(0x66);

function imageOf(base: Base): PageProducer {
  const { image } = base;
  return { length: image.length, takePage: (number) => image.slice(number * PAGE, (number + 1) * PAGE) };
}

/** Another file key, wrapped for the same secret in the slot's place. */
async function withFileKey(parts: Parts, fileKey: Uint8Array): Promise<Parts> {
  const p = { ...primitives, randomBytes: (length: number) => testBytes("forged slot").slice(0, length) };
  const slot = await wrapFileKey(p, { secret: TEST_KEY }, fileKey, digestClaims(primitives, parts.claims));
  return { ...parts, envelope: encode(JSON.stringify({ slots: [slot] })) };
}

const insiders: readonly Omit<Refusal, "group">[] = [
  {
    id: "page",
    why: "Page 1 is sealed anew with other contents; nothing else is changed.",
    base: "signed",
    expect: everywhere("leaf-damaged"),
    make: ({ signed }) => putTogether(replacePage(takeApart(signed.bytes), signed.fileKey, 1, FORGED_PAGE)),
  },
  {
    id: "page-leaf",
    why: "Page 1 is sealed anew and its leaf in the table is right.",
    base: "signed",
    expect: everywhere("table-damaged"),
    make: ({ signed }) => putTogether(retable(replacePage(takeApart(signed.bytes), signed.fileKey, 1, FORGED_PAGE))),
  },
  {
    id: "page-leaf-root-tag",
    why: "Page 1 is sealed anew; leaf, root, tag and head digest are right. Only the signature is not.",
    base: "signed",
    expect: everywhere("bad-signature"),
    make: ({ signed }) => {
      const parts = replacePage(takeApart(signed.bytes), signed.fileKey, 1, FORGED_PAGE);
      return putTogether(retag(reroot(retable(parts)), signed.fileKey));
    },
  },
  {
    id: "page-unsigned",
    why: "The same in an unsigned package: it opens, because a holder of the file key wrote it. Only a pin refuses it.",
    base: "unsigned",
    expect: { k: "accepted", v: "accepted", p: "unsigned" },
    make: ({ unsigned }) => {
      const parts = replacePage(takeApart(unsigned.bytes), unsigned.fileKey, 1, FORGED_PAGE);
      return putTogether(retag(reroot(retable(parts)), unsigned.fileKey));
    },
  },
  {
    id: "other-file-key",
    why: "The slot holds another file key, which also made the tag; the image is the old one.",
    base: "signed",
    // Without a key nobody can tell: the signature covers claims and image, not who may open them.
    expect: { k: "bad-commitment", v: "accepted", p: "bad-commitment" },
    make: async ({ signed }) => {
      const fileKey = testBytes("another file key");
      return putTogether(retag(await withFileKey(takeApart(signed.bytes), fileKey), fileKey));
    },
  },
  {
    id: "commitment",
    why: "The commitment of the image is replaced; leaf, root, tag and head digest are right.",
    base: "signed",
    expect: everywhere("bad-signature"),
    make: ({ signed }) => {
      const parts = takeApart(signed.bytes);
      return putTogether(retag(reroot(retable({ ...parts, sealed: flip(parts.sealed, 30) })), signed.fileKey));
    },
  },
  {
    id: "claim-resealed-unsigned",
    why: "A claim is edited, the issuer's key taken out, and everything sealed anew: it opens, and says that it is unsigned.",
    base: "signed",
    expect: { k: "accepted", v: "accepted", p: "unsigned" },
    make: async ({ signed }) => {
      const parts = editClaims(takeApart(signed.bytes), (text) =>
        text.replace(/,"public_key":"[^"]+"/, "").replace("Signed", "Forged"),
      );
      const sealed = sealAnew(await withFileKey(parts, signed.fileKey), signed.fileKey, imageOf(signed));
      return putTogether(retag(resign(sealed, undefined), signed.fileKey));
    },
  },
  {
    id: "claim-resealed-other-key",
    why: "A claim is edited, another key named, and everything sealed and signed anew: it opens, and proves no person.",
    base: "signed",
    expect: { k: "accepted", v: "accepted", p: "wrong-issuer" },
    make: async ({ signed }) => {
      const key = bytesToHex(publicKeyOf(INSIDER_SECRET_KEY));
      const parts = editClaims(takeApart(signed.bytes), (text) =>
        text.replace(/"public_key":"[^"]+"/, `"public_key":"${key}"`).replace("Signed", "Forged"),
      );
      const sealed = sealAnew(await withFileKey(parts, signed.fileKey), signed.fileKey, imageOf(signed));
      return putTogether(retag(resign(sealed, INSIDER_SECRET_KEY), signed.fileKey));
    },
  },
];

/** An edit by somebody with the file only, who makes the head digest right. */
function outsider(
  id: string,
  why: string,
  base: "signed" | "unsigned",
  expect: Refusal["expect"],
  edit: (parts: Parts) => Parts,
): Omit<Refusal, "group"> {
  return { id, why, base, expect, make: (world) => putTogether(redigest(edit(takeApart(world[base].bytes)))) };
}

const outsiders: readonly Omit<Refusal, "group">[] = [
  outsider("claims-signed", "A claim is edited.", "signed", everywhere("bad-signature"), (parts) =>
    editClaims(parts, (text) => text.replace("Signed", "Forged")),
  ),
  outsider(
    "claims-unsigned",
    "A claim is edited. Without the key nobody can tell; with it the slot does not open under other claims.",
    "unsigned",
    { k: "slot-damaged", v: "accepted", p: "unsigned" },
    (parts) => editClaims(parts, (text) => text.replace('"passages":5', '"passages":6')),
  ),
  outsider("record-signed", "The root is edited.", "signed", everywhere("bad-signature"), (parts) => ({
    ...parts,
    sealRecord: flip(parts.sealRecord, 20),
  })),
  outsider(
    "record-unsigned",
    "The root is edited.",
    "unsigned",
    { ...everywhere("table-damaged"), p: "unsigned" },
    (parts) => ({
      ...parts,
      sealRecord: flip(parts.sealRecord, 20),
    }),
  ),
  outsider(
    "image-unsigned",
    "A byte of the image is flipped, table and root made right. Without the key nobody can tell; with it the tag does.",
    "unsigned",
    { k: "bad-tag", v: "accepted", p: "unsigned" },
    (parts) => reroot(retable({ ...parts, sealed: flip(parts.sealed, 20_000) })),
  ),
  outsider(
    "unsigned-made",
    "Signature and public key are taken out.",
    "signed",
    { k: "slot-damaged", v: "accepted", p: "unsigned" },
    (parts) => ({
      ...editClaims(parts, (text) => text.replace(/,"public_key":"[^"]+"/, "")),
      signature: new Uint8Array(64),
    }),
  ),
  outsider(
    "signed-by-another",
    "Another key is named, and signs: the claims differ, so the slot does not open.",
    "signed",
    { k: "slot-damaged", v: "accepted", p: "wrong-issuer" },
    (parts) => {
      const key = bytesToHex(publicKeyOf(INSIDER_SECRET_KEY));
      const named = editClaims(parts, (text) => text.replace(/"public_key":"[^"]+"/, `"public_key":"${key}"`));
      return resign(named, INSIDER_SECRET_KEY);
    },
  ),
  outsider(
    "envelope-label",
    "A label is edited. Without the key nobody can tell; with it the tag does.",
    "signed",
    { k: "bad-tag", v: "accepted", p: "bad-tag" },
    (parts) =>
      editEnvelope(parts, ({ slots }) => ({ slots: slots.map((slot) => ({ ...slot, label: "for everybody" })) })),
  ),
  outsider(
    "envelope-slot-added",
    "A slot is repeated.",
    "signed",
    { k: "bad-tag", v: "accepted", p: "bad-tag" },
    (parts) => editEnvelope(parts, ({ slots }) => ({ slots: [...slots, ...slots] })),
  ),
  outsider(
    "envelope-space",
    "A space is put between two members: the same slots, other bytes.",
    "signed",
    { k: "bad-tag", v: "accepted", p: "bad-tag" },
    (parts) => ({
      ...parts,
      envelope: concatBytes(parts.envelope.subarray(0, 1), encode(" "), parts.envelope.subarray(1)),
    }),
  ),
];

/** Parts of one package in another, with the head digest made right. */
function spliced(
  id: string,
  why: string,
  from: "other" | "older",
  expect: Refusal["expect"],
  part: (theirs: Parts) => Partial<Parts>,
): Omit<Refusal, "group"> {
  return {
    id,
    why,
    base: "signed",
    expect,
    make: (world) => {
      const theirs = takeApart(world[from].bytes);
      return putTogether(redigest({ ...takeApart(world.signed.bytes), ...part(theirs) }));
    },
  };
}

const splices: readonly Omit<Refusal, "group">[] = [
  spliced(
    "envelope",
    "The envelope of another package that opens with the same key.",
    "other",
    { k: "slot-damaged", v: "accepted", p: "slot-damaged" },
    ({ envelope }) => ({ envelope }),
  ),
  spliced("tag", "The tag of another package.", "other", { k: "bad-tag", v: "accepted", p: "bad-tag" }, ({ tag }) => ({
    tag,
  })),
  spliced("table", "The leaf table of another package.", "other", everywhere("table-damaged"), ({ table }) => ({
    table,
  })),
  spliced("image", "The sealed image of another package.", "other", everywhere("leaf-damaged"), ({ sealed }) => ({
    sealed,
  })),
  spliced(
    "image-table-record",
    "Image, table and seal record of another package.",
    "other",
    everywhere("bad-signature"),
    ({ sealed, table, sealRecord }) => ({ sealed, table, sealRecord }),
  ),
  spliced(
    "image-table-record-signature",
    "Image, table, seal record and signature of another package.",
    "other",
    everywhere("bad-signature"),
    ({ sealed, table, sealRecord, signature }) => ({ sealed, table, sealRecord, signature }),
  ),
  spliced(
    "claims",
    "The claims of another package of the same issuer.",
    "other",
    everywhere("bad-signature"),
    ({ claims }) => ({ claims }),
  ),
  spliced(
    "revision-image",
    "Image and table of the revision before.",
    "older",
    everywhere("table-damaged"),
    ({ sealed, table }) => ({ sealed, table }),
  ),
  spliced(
    "revision-statement",
    "Claims, seal record and signature of the revision before.",
    "older",
    everywhere("table-damaged"),
    ({ claims, sealRecord, signature }) => ({ claims, sealRecord, signature }),
  ),
  spliced(
    "revision-envelope",
    "Envelope and tag of the revision before.",
    "older",
    { k: "slot-damaged", v: "accepted", p: "slot-damaged" },
    ({ envelope, tag }) => ({ envelope, tag }),
  ),
  spliced(
    "revision-all-but-head",
    "All of the revision before except envelope and tag.",
    "older",
    { k: "slot-damaged", v: "accepted", p: "slot-damaged" },
    ({ claims, sealRecord, signature, table, sealed }) => ({ claims, sealRecord, signature, table, sealed }),
  ),
];

const named = (group: string, prefix: string, refusals: readonly Omit<Refusal, "group">[]): Refusal[] =>
  refusals.map((refusal) => ({ ...refusal, group, id: `${prefix}-${refusal.id}` }));

export const attackerRefusals: readonly Refusal[] = [
  ...named("insider", "insider", insiders),
  ...named("outsider", "outsider", outsiders),
  ...named("outsider", "splice", splices),
];
