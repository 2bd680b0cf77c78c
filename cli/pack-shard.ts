import type { Argv } from "yargs";
import { MdcxError } from "../src/errors.js";
import { parseShard, shardFile, type Shard } from "../src/shard.js";
import { json, note, printableLine } from "./print.js";

/** The option by which machines share one collection. */
export function withShardOption<T>(args: Argv<T>) {
  return args.option("shard", {
    type: "string",
    requiresArg: true,
    describe: "pack part I of N, so that N machines share the work: 2/3; the target gets -2-of-3 in its name",
  });
}

/** What is packed, and into which file. */
export interface ShardTarget {
  readonly target: string;
  readonly shard?: Shard;
}

/** @throws MdcxError `bad-input` for a part that there is none of, and where there are no documents to deal */
export function shardOf(args: {
  readonly target: string;
  readonly documents?: string | undefined;
  readonly shard?: string | undefined;
}): ShardTarget {
  const { target } = args;
  if (args.shard === undefined) return { target };
  if (args.documents === undefined)
    throw new MdcxError("bad-input", "--shard goes with documents: give the folder or the records that are dealt.");
  const shard = parseShard(args.shard);
  return { target: shardFile(target, shard), shard };
}

/** How a shell names the files of all shards: `handbook-*-of-16.mdcx`. */
export function allShards(target: string, { index, count }: Shard): string {
  const at = target.lastIndexOf(`-${index}-of-${count}`);
  return `${target.slice(0, at)}-*${target.slice(at + 1 + String(index).length)}`;
}

/** Says that a shard has no document. It is no failure: the others hold the collection, and one of many tasks may end up so. */
export function reportEmpty(error: MdcxError, asJson: boolean): void {
  if (asJson) json({ target: null, documents: 0, reason: error.message });
  else note(`mdcx: ${printableLine(error.message)}`);
}
