import type { HandedScan } from "./scan.js";

/** Another thread that scans rows, while this one does something else. */
export interface ScanBeside {
  /** Scans them one after the other; rejects where the thread cannot. */
  scan(scans: readonly HandedScan[]): Promise<void>;
  /** Lets go of the thread and of all memory that it has seen; the next scan starts another. */
  rest(): void;
}
