import { isInShard, type Shard } from "../../shard.js";
import type { Outputs } from "./outputs.js";
import type { Plan } from "./plan.js";
import type { Brief, RunRecord } from "./record.js";

/** Markdown whose original has gone. */
export interface Stale {
  /** Paths inside the output. */
  readonly removed: readonly string[];
  /** Left where they are, with the reason. */
  readonly kept: readonly { readonly target: string; readonly reason: string }[];
}

/**
 * Removes Markdown of originals that are no longer there, where the record proves that a run wrote it and nobody has
 * changed it since, and the Markdown that a document had under another name. The rest is reported and left alone.
 */
export async function removeStale(
  plan: Plan,
  record: RunRecord,
  outputs: Outputs,
  shard: Shard | undefined,
  otherInput: boolean,
): Promise<Stale> {
  // One file says nothing of the others that were converted into the same folder.
  if (plan.single) return { removed: [], kept: [] };
  const present = new Set(plan.sources.map(({ path }) => path));
  const inUse = new Set(plan.sources.map(({ target }) => target));
  const removed: string[] = [];
  const kept: { target: string; reason: string }[] = [];
  for (const brief of record.all()) {
    if (shard !== undefined && !isInShard(brief.source, shard)) continue;
    if (present.has(brief.source) || plan.unread.some((folder) => brief.source.startsWith(folder))) continue;
    if (brief.target === undefined || inUse.has(brief.target)) {
      await record.forget(brief.source);
      continue;
    }
    const reason = otherInput ? "it was converted from another input" : await whyKept(brief, outputs);
    if (reason !== undefined) {
      kept.push({ target: brief.target, reason });
      continue;
    }
    await outputs.remove(brief.target);
    await record.forget(brief.source);
    removed.push(brief.target);
  }
  return { removed, kept };
}

async function whyKept({ source, target, target_sha256 }: Brief, outputs: Outputs): Promise<string | undefined> {
  if (!(await outputs.exists(target!)) || (await outputs.holds(target!, target_sha256!))) return undefined;
  return `its original ${source} has gone, but it was changed after it was converted`;
}
