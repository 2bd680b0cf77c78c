import type { Status } from "../certificate.js";
import type { Budget } from "./budget.js";
import type { LeftOut } from "./plan.js";
import type { Brief } from "./record.js";
import type { Stale } from "./stale.js";
import { isFinding, type Totals, totalsOf, worstFirst } from "./totals.js";

/** What came of a run. */
export interface RunSummary extends Totals {
  /** Documents that this run converted, refused or gave up. */
  readonly converted: number;
  /** Documents that were as an earlier run, or this one before it was interrupted, had left them. */
  readonly reused: number;
  /** Chapters of long documents. */
  readonly parts: { readonly converted: number; readonly reused: number };
  /** Documents whose conversion came to nothing this time, of which the Markdown of an earlier run was kept. */
  readonly kept: number;
  /** Documents that this run has not come to. */
  readonly left: number;
  /** The worst first, five at most. */
  readonly worst: readonly Worst[];
  readonly leftOut: readonly LeftOut[];
  readonly stale: Stale;
  readonly budget: Budget;
  readonly interrupted: boolean;
  /** It took up a run that had been interrupted. */
  readonly resumed: boolean;
  readonly seconds: number;
}

export interface Worst {
  readonly source: string;
  readonly status: Status;
  readonly reason?: string;
  readonly coverage: number | null;
  readonly lost: number;
}

const WORST = 5;

type Course = Pick<
  RunSummary,
  "reused" | "left" | "parts" | "kept" | "leftOut" | "stale" | "budget" | "interrupted" | "resumed"
> & { readonly started: number };

export function summarise(documents: readonly Brief[], { started, ...course }: Course): RunSummary {
  return {
    ...totalsOf(documents),
    ...course,
    converted: documents.length - course.reused,
    worst: worstFirst(documents.filter(isFinding))
      .slice(0, WORST)
      .map(({ source, status, reason, words }) => ({
        source,
        status,
        ...(reason !== undefined && { reason }),
        coverage: words.coverage,
        lost: words.lost,
      })),
    seconds: (performance.now() - started) / 1000,
  };
}
