import type { Status } from "../certificate.js";
import type { Brief } from "./record.js";

/** Statuses, the worst first. */
export const STATUSES: readonly Status[] = ["fail", "timed-out", "refused", "warn", "unverifiable", "ok"];

/** Sums over documents. */
export interface Totals {
  readonly documents: number;
  readonly byStatus: Readonly<Record<Status, number>>;
  /** Over the documents that could be verified. */
  readonly words: {
    readonly reference: number;
    readonly lost: number;
    readonly added: number;
    readonly recovered: number;
    /** (reference − lost) / reference, before recovery; null where nothing could be verified. */
    readonly coverage: number | null;
  };
}

/** A document without text to compare with neither raises nor lowers the coverage. */
export function totalsOf(documents: readonly Brief[]): Totals {
  const byStatus = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  let [reference, lost, added, recovered] = [0, 0, 0, 0];
  for (const { status, words } of documents) {
    byStatus[status]++;
    if (status === "unverifiable") continue;
    reference += words.reference;
    lost += words.lost;
    added += words.added;
    recovered += words.recovered;
  }
  const coverage = reference === 0 ? null : (reference - lost) / reference;
  return { documents: documents.length, byStatus, words: { reference, lost, added, recovered, coverage } };
}

/** The worst first: by status, then by the words lost, then by path. */
export function worstFirst(documents: readonly Brief[]): Brief[] {
  return [...documents].sort(
    (a, b) =>
      STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status) ||
      (a.words.coverage ?? 1) - (b.words.coverage ?? 1) ||
      b.words.lost - a.words.lost ||
      (a.source < b.source ? -1 : 1),
  );
}

/** Whether a person should look at the document. */
export function isFinding({ status }: Pick<Brief, "status">): boolean {
  return status !== "ok" && status !== "unverifiable";
}

/** A share as a percentage that never reads as 100 where it is not whole: `99.95 %`. */
export function percent(share: number | null): string {
  if (share === null) return "–";
  if (share === 1) return "100 %";
  const digits = share > 0.999 ? 3 : share > 0.99 ? 2 : 1;
  const scale = 10 ** digits;
  return `${(Math.floor(share * 100 * scale) / scale).toFixed(digits)} %`;
}
