import { totalmem } from "node:os";
import { MdcxError } from "../errors.js";

const MIB = 2 ** 20;

/** What a run takes before it holds anything of the documents: Node, SQLite, the code, buffers for sealing. */
const BASE = 150 * MIB;
/** What a thread takes that reads documents, with the batches on their way to it. */
const THREAD = 70 * MIB;
/** A vocabulary grows by about the root of the text: so many bytes for the root of each byte of text. */
const VOCABULARY = 7_000;
/** Pages and posting lists can do with so much. */
const LEAST_ROOM = 48 * MIB;

/** What a run may hold. */
export interface PackMemory {
  /** For pages and posting lists; what is more overflows. */
  readonly room: number;
  readonly threads: number;
}

/**
 * Divides the memory that a run may take. Threads are done without where they would not fit.
 *
 * @param textBytes of the documents
 * @param threads that are wanted
 * @param budget bytes of the whole process at its peak; half of the machine's, or of the container's, unless given
 * @throws MdcxError `bad-input` where it cannot be enough
 */
export function packMemory(textBytes: number, threads: number, budget = availableMemory() / 2): PackMemory {
  const fixed = BASE + VOCABULARY * Math.sqrt(textBytes);
  const least = fixed + LEAST_ROOM;
  if (budget < least)
    throw new MdcxError(
      "bad-input",
      `Packing ${inMebibytes(textBytes)} of documents takes ${inMebibytes(least)} of memory at least, and ${inMebibytes(budget)} are allowed: ` +
        "allow more with --memory, or pack a part at a time with --shard 1/4, 2/4 and so on.",
    );
  const fitting = Math.min(threads, Math.floor((budget - least) / THREAD));
  return { room: budget - fixed - fitting * THREAD, threads: fitting };
}

/** What this process can have: the machine's memory, or less where its container has a limit. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

function inMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / MIB).toLocaleString("en")} MiB`;
}
