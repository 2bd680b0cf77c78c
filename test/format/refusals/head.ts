import { concatBytes } from "@noble/hashes/utils.js";
import type { ErrorCode } from "../../../src/errors.js";
import {
  editClaims,
  imageLengthOf,
  putTogether,
  redigest,
  setByte,
  takeApart,
  withImageLength,
  type Parts,
} from "../forge.js";
import { everywhere, type Refusal } from "./refusal.js";

const group = "head";

/** An edit of the head after which its digest is right, so that the check that is meant speaks. */
function edited(id: string, why: string, code: ErrorCode, edit: (parts: Parts) => Parts): Refusal {
  return {
    id,
    group,
    why,
    base: "signed",
    expect: everywhere(code),
    make: ({ signed }) => putTogether(redigest(edit(takeApart(signed.bytes)))),
  };
}

const lengths = (["n", "m"] as const).flatMap((name) => {
  const max = name === "n" ? 1_048_576 : 262_144;
  return [0, 1, max, max + 1, 2 ** 32 - 1].map((value) =>
    edited(`${name}-${value}`, `${name} is ${value}.`, "bad-length", (parts) => ({ ...parts, [name]: value })),
  );
});

const imageLengths = [0n, 16_383n, 16_385n, 2n ** 36n, 2n ** 36n + 16_384n, 2n ** 53n, 2n ** 64n - 1n].map((length) =>
  edited(`image-length-${length}`, `The seal record states an image of ${length} bytes.`, "bad-length", (parts) =>
    withImageLength(parts, length),
  ),
);

const recordBytes = (
  [
    ["suite-0", "suite 0", 0, 0],
    ["suite-2", "suite 2", 0, 2],
    ["leaf-chunks-0", "0 chunks a leaf", 1, 0],
    ["leaf-chunks-1", "1 chunk a leaf", 1, 1],
    ["leaf-chunks-8", "8 chunks a leaf", 1, 8],
    ["reserved-low", "1 in its reserved 16 bits", 2, 1],
    ["reserved-high", "256 in its reserved 16 bits", 3, 1],
  ] as const
).map(([id, what, at, value]) =>
  edited(id, `The seal record states ${what}.`, "bad-suite", (parts) => ({
    ...parts,
    sealRecord: setByte(parts.sealRecord, at, value),
  })),
);

const magics = (
  [
    ["magic-1", "Byte 7 is 1, which no version ever wrote.", "not-a-package", [7, 1]],
    ["magic-3", "Byte 7 is 3: a version to come.", "newer-version", [7, 3]],
    ["magic-255", "Byte 7 is 255: a version to come.", "newer-version", [7, 255]],
    ["magic-byte-5", "Byte 5 is not zero.", "not-a-package", [5, 1]],
    ["magic-letters", "The first letter is another one.", "not-a-package", [0, 0x6d]],
  ] as const
).map(([id, why, code, [at, value]]) =>
  edited(id, why, code, (parts) => ({ ...parts, magic: setByte(parts.magic, at, value) })),
);

const others: readonly Refusal[] = [
  edited(
    "magic-version-1",
    "The magic of version 1 (with a header length of 300) stands before a body of version 2.",
    "version-1",
    (parts) => ({ ...parts, magic: Uint8Array.of(0x4d, 0x44, 0x43, 0x58, 44, 1, 0, 0) }),
  ),
  {
    id: "magic-version-2-on-1",
    group,
    why: "The magic of version 2 stands before a body of version 1: JSON where the length of the claims should be.",
    base: "signed",
    expect: everywhere("bad-length"),
    make: ({ signed }) =>
      concatBytes(
        takeApart(signed.bytes).magic,
        new TextEncoder().encode('{"file_format":"mdcx","version":1,"kdf":{"n":131072,"r":8,"p":1}}'),
        signed.image.slice(0, 600),
      ),
  },
  edited("version-1-claimed", "The claims say version 1 under the magic of version 2.", "bad-claims", (parts) =>
    editClaims(parts, (text) => text.replace('"version":2', '"version":1')),
  ),
  edited("version-3-claimed", "The claims say version 3 under the magic of version 2.", "bad-claims", (parts) =>
    editClaims(parts, (text) => text.replace('"version":2', '"version":3')),
  ),
  edited("version-string", 'The claims say version "2", a string.', "bad-claims", (parts) =>
    editClaims(parts, (text) => text.replace('"version":2', '"version":"2"')),
  ),
  edited("file-format", "The claims name another file format.", "bad-claims", (parts) =>
    editClaims(parts, (text) => text.replace('"mdcx"', '"mdcy"')),
  ),
  edited("table-short", "The table lacks its last leaf.", "bad-length", (parts) => ({
    ...parts,
    table: parts.table.slice(0, -32),
  })),
  edited("table-long", "The table has a leaf too many.", "bad-length", (parts) => ({
    ...parts,
    table: concatBytes(parts.table, new Uint8Array(32)),
  })),
  edited(
    "table-short-image-long",
    "The table lacks a leaf and the image has as many bytes more.",
    "table-damaged",
    (parts) => ({
      ...parts,
      table: parts.table.slice(0, -32),
      sealed: concatBytes(parts.sealed, new Uint8Array(32)),
    }),
  ),
  edited("image-longer-by-a-page", "The seal record states a page more than there is.", "bad-length", (parts) =>
    withImageLength(parts, BigInt(imageLengthOf(parts.sealRecord) + 16_384)),
  ),
];

export const headRefusals: readonly Refusal[] = [...lengths, ...imageLengths, ...recordBytes, ...magics, ...others];
