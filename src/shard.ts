/** A collection in several packages: which of them a document belongs to (spec/shards.md). */
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { MdcxError } from "./errors.js";

/** Part of a collection: every document is in exactly one of `count` shards. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** A document of the collection that another shard holds: whoever names it has made no slip. */
export interface Elsewhere {
  readonly path: string;
  /** What it is converted from. */
  readonly original?: string;
}

/** Shards at most. */
const MOST = 1_000_000;

/**
 * Reads `2/16`, as it is written on a command line.
 *
 * @throws MdcxError `bad-input` for anything else
 */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,7})\/(\d{1,7})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  requireShard(shard);
  return shard;
}

/** @throws MdcxError `bad-input` for a part that there is none of, such as 4/3 */
export function requireShard({ index, count }: Shard): void {
  const whole = Number.isSafeInteger(index) && Number.isSafeInteger(count);
  if (!whole || index < 1 || index > count || count > MOST)
    throw new MdcxError(
      "bad-input",
      `--shard needs a part, counted from 1, and a number of parts up to ${MOST.toLocaleString("en")}, such as 2/3.`,
    );
}

/**
 * Whether a document belongs to a shard: by its path alone, so that it stays where it is when others are added or go.
 *
 * @param path inside the collection, with `/`; of what is converted, that of the original
 */
export function isInShard(path: string, { index, count }: Shard): boolean {
  // Composed: the same folder may be mounted on machines that give its names in different forms.
  const digest = sha256(utf8ToBytes(path.normalize("NFC")));
  const dealt = new DataView(digest.buffer, digest.byteOffset).getBigUint64(0) % BigInt(count);
  return Number(dealt) === index - 1;
}

/** Deals what has a path: what is in the shard, and what is in others. Without a shard everything is here. */
export function deal<T extends { readonly path: string }>(
  all: readonly T[],
  shard: Shard | undefined,
): { readonly here: readonly T[]; readonly elsewhere: readonly T[] } {
  if (shard === undefined) return { here: all, elsewhere: [] };
  const here: T[] = [];
  const elsewhere: T[] = [];
  for (const one of all) (isInShard(one.path, shard) ? here : elsewhere).push(one);
  return { here, elsewhere };
}

/**
 * The file of a shard, by the name of the whole: `handbook.mdcx` → `handbook-2-of-16.mdcx`. One command line for all shards
 * so never writes two of them into one file. A name that says the shard already stays.
 */
export function shardFile(file: string, { index, count }: Shard): string {
  const [, stem = file, ending = ""] = /^(.*?)(\.[^./\\]*)?$/s.exec(file) ?? [];
  const suffix = `-${index}-of-${count}`;
  return stem.endsWith(suffix) ? file : `${stem}${suffix}${ending}`;
}
