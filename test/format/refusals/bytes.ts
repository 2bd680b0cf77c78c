import { concatBytes } from "@noble/hashes/utils.js";
import { CHUNK, SEALED_PREFIX } from "../../../src/format/seal.js";
import { chunkOf, flip, putTogether, redigest, reroot, retable, retag, takeApart, type Parts } from "../forge.js";
import { everywhere, type Refusal } from "./refusal.js";

const group = "bytes";

function swapped(parts: Parts, a: number, b: number): Parts {
  const sealed = parts.sealed.slice();
  sealed.set(chunkOf(parts, a), SEALED_PREFIX + CHUNK * b);
  sealed.set(chunkOf(parts, b), SEALED_PREFIX + CHUNK * a);
  return { ...parts, sealed };
}

const plain: readonly Omit<Refusal, "group">[] = [
  {
    id: "empty",
    why: "The file has no byte.",
    base: "signed",
    expect: everywhere("not-a-package"),
    make: () => new Uint8Array(0),
  },
  {
    id: "cut-187",
    why: "Cut one byte short of the fixed part of a head.",
    base: "signed",
    expect: everywhere("bad-length"),
    make: ({ signed }) => signed.bytes.slice(0, 187),
  },
  {
    id: "cut-last",
    why: "The last byte is missing.",
    base: "signed",
    expect: everywhere("bad-length"),
    make: ({ signed }) => signed.bytes.slice(0, -1),
  },
  {
    id: "appended",
    why: "One zero byte follows the last one.",
    base: "signed",
    expect: everywhere("bad-length"),
    make: ({ signed }) => concatBytes(signed.bytes, new Uint8Array(1)),
  },
  {
    id: "flip-last",
    why: "The lowest bit of the last byte is flipped.",
    base: "signed",
    expect: everywhere("leaf-damaged"),
    make: ({ signed }) => flip(signed.bytes, -1),
  },
  {
    id: "flip-table",
    why: "A bit of the leaf table is flipped.",
    base: "signed",
    expect: everywhere("table-damaged"),
    make: ({ signed }) => {
      const parts = takeApart(signed.bytes);
      return putTogether({ ...parts, table: flip(parts.table, 40) });
    },
  },
  {
    id: "chunk-swapped",
    why: "Chunks 1 and 2 have traded places.",
    base: "signed",
    expect: everywhere("leaf-damaged"),
    make: ({ signed }) => putTogether(swapped(takeApart(signed.bytes), 1, 2)),
  },
  {
    id: "chunk-swapped-insider",
    why: "Chunks 1 and 2 have traded places; table, root, tag and head digest are right. AES-GCM refuses them.",
    base: "unsigned",
    expect: { k: "chunk-damaged", v: "accepted", p: "unsigned" },
    make: ({ unsigned }) =>
      putTogether(retag(reroot(retable(swapped(takeApart(unsigned.bytes), 1, 2))), unsigned.fileKey)),
  },
  {
    id: "chunk-repeated",
    why: "Chunk 2 is overwritten with chunk 1.",
    base: "signed",
    expect: everywhere("leaf-damaged"),
    make: ({ signed }) => {
      const parts = takeApart(signed.bytes);
      const sealed = parts.sealed.slice();
      sealed.set(chunkOf(parts, 1), SEALED_PREFIX + CHUNK * 2);
      return putTogether({ ...parts, sealed });
    },
  },
  {
    id: "chunk-inserted",
    why: "Chunk 1 stands twice, one after the other.",
    base: "signed",
    expect: everywhere("bad-length"),
    make: ({ signed }) => {
      const parts = takeApart(signed.bytes);
      const at = SEALED_PREFIX + CHUNK;
      const sealed = concatBytes(parts.sealed.subarray(0, at), chunkOf(parts, 1), parts.sealed.subarray(at));
      return putTogether({ ...parts, sealed });
    },
  },
  {
    id: "chunk-dropped",
    why: "Chunk 1 is missing.",
    base: "signed",
    expect: everywhere("bad-length"),
    make: ({ signed }) => {
      const parts = takeApart(signed.bytes);
      const at = SEALED_PREFIX + CHUNK;
      return putTogether({
        ...parts,
        sealed: concatBytes(parts.sealed.subarray(0, at), parts.sealed.subarray(at + CHUNK)),
      });
    },
  },
  {
    id: "end-dropped",
    why: "The empty last chunk is missing.",
    base: "signed",
    expect: everywhere("bad-length"),
    make: ({ signed }) => signed.bytes.slice(0, -16),
  },
  {
    id: "end-15-bytes",
    why: "The last chunk has 15 bytes; table, root, tag and head digest are right.",
    base: "unsigned",
    expect: everywhere("bad-length"),
    make: ({ unsigned }) => {
      const parts = takeApart(unsigned.bytes);
      const shorter = { ...parts, sealed: parts.sealed.slice(0, -1) };
      return putTogether(retag(reroot(retable(shorter)), unsigned.fileKey));
    },
  },
  {
    id: "end-1-byte",
    why: "The last chunk has one byte; table, root, tag and head digest are right.",
    base: "unsigned",
    expect: everywhere("bad-length"),
    make: ({ unsigned }) => {
      const parts = takeApart(unsigned.bytes);
      const shorter = { ...parts, sealed: parts.sealed.slice(0, -15) };
      return putTogether(retag(reroot(retable(shorter)), unsigned.fileKey));
    },
  },
  {
    id: "end-full",
    why: "The last chunk is a full one: the empty one behind it is left out of the file.",
    base: "unsigned",
    expect: everywhere("bad-length"),
    make: ({ unsigned }) => {
      const parts = takeApart(unsigned.bytes);
      const full = { ...parts, sealed: parts.sealed.slice(0, -16) };
      return putTogether(retag(reroot(retable(full)), unsigned.fileKey));
    },
  },
  {
    id: "end-not-empty",
    why: "The last chunk is longer than its tag.",
    base: "unsigned",
    expect: everywhere("bad-length"),
    make: ({ unsigned }) => {
      const parts = takeApart(unsigned.bytes);
      const longer = { ...parts, sealed: concatBytes(parts.sealed, new Uint8Array(15)) };
      return putTogether(retag(reroot(retable(longer)), unsigned.fileKey));
    },
  },
  {
    id: "flip-head-digest",
    why: "A bit of the head digest is flipped.",
    base: "signed",
    expect: everywhere("head-damaged"),
    make: ({ signed }) => {
      const parts = takeApart(signed.bytes);
      return putTogether({ ...parts, headDigest: flip(parts.headDigest, 0) });
    },
  },
  {
    id: "flip-tag",
    why: "A bit of the tag is flipped and the head digest made right again, as anyone can. Without a key nobody can tell.",
    base: "signed",
    expect: { k: "bad-tag", v: "accepted", p: "bad-tag" },
    make: ({ signed }) => {
      const parts = takeApart(signed.bytes);
      return putTogether(redigest({ ...parts, tag: flip(parts.tag, 0) }));
    },
  },
  {
    id: "flip-salt-insider",
    why: "A bit of the salt is flipped; table, root, tag and head digest are right. The commitment differs.",
    base: "unsigned",
    expect: { k: "bad-commitment", v: "accepted", p: "unsigned" },
    make: ({ unsigned }) => {
      const parts = takeApart(unsigned.bytes);
      return putTogether(retag(reroot(retable({ ...parts, sealed: flip(parts.sealed, 0) })), unsigned.fileKey));
    },
  },
  {
    id: "flip-commitment-insider",
    why: "A bit of the commitment is flipped; table, root, tag and head digest are right.",
    base: "unsigned",
    expect: { k: "bad-commitment", v: "accepted", p: "unsigned" },
    make: ({ unsigned }) => {
      const parts = takeApart(unsigned.bytes);
      return putTogether(retag(reroot(retable({ ...parts, sealed: flip(parts.sealed, 24) })), unsigned.fileKey));
    },
  },
];

export const bytesRefusals: readonly Refusal[] = plain.map((refusal) => ({ ...refusal, group }));
