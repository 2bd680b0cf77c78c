import type { Document } from "./image/records.js";
import type { PackSummary } from "./pack.js";

/** Facts that options gave documents, and how many documents had one in an older package but have none in the next. */
export interface LostFacts {
  /** Dated by when their file was last written. */
  readonly mtime: number;
  /** Known to be received or sent. */
  readonly direction: number;
}

/**
 * What an older package knew and the next one does not, of the documents that both hold. Options are not taken over from a
 * package, so dates by the times of files and directions of folders go where they are not given again.
 *
 * @param kept documents of the older package that the next one still holds
 */
export function lostFacts(
  kept: readonly Pick<Document, "dateOrigin" | "direction">[],
  { dated, directions }: Pick<PackSummary, "dated" | "directions">,
): LostFacts {
  const count = (is: (document: (typeof kept)[number]) => boolean): number => kept.filter(is).length;
  const byFile = count(({ dateOrigin }) => dateOrigin === "mtime");
  const undated = count(({ dateOrigin }) => dateOrigin !== null) - dated.count;
  const [received, sent] = (["received", "sent"] as const).map((one) =>
    Math.max(0, count(({ direction }) => direction === one) - directions[one]),
  );
  return { mtime: Math.max(0, Math.min(byFile, undated)), direction: received! + sent! };
}
