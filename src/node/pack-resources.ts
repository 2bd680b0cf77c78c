import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import type { DocumentInput, PackOptions } from "../pack.js";
import { packMemory } from "./pack-memory.js";
import { PackThreads, usualThreads } from "./pack-threads.js";
import { deflateLevel, nodeDeflate } from "./deflate.js";
import { SealedOverflow } from "./sealed-overflow.js";

/** What of the machine a run may use. */
export interface PackResourceOptions {
  /** Threads that read documents beside the one that writes; as many as there are processors unless given, up to six. */
  readonly workers?: number | undefined;
  /** Bytes that the process may take at its peak; half of what the machine has unless given. */
  readonly memory?: number | undefined;
  /** Quicker and larger: the text is compressed less. */
  readonly fast?: boolean | undefined;
}

/** A run that needs threads and memory. */
export interface Run {
  /** The package that is written. */
  readonly target: string;
  readonly documents: readonly DocumentInput[];
  /** Whether documents are read in this thread whatever is asked: an encoder takes all there is. */
  readonly alone: boolean;
}

export type PackResources = Pick<PackOptions, "analyst" | "overflow" | "deflate" | "deflateElsewhere">;

/** Less text is read before the threads have started. */
const WORTH_THREADS = 4 * 2 ** 20;

/**
 * Gives a run its threads and its memory, and takes them back when it has ended.
 *
 * @throws MdcxError `bad-input` before anything is done, where the memory that is allowed cannot be enough
 */
export async function withResources<T>(
  { target, documents, alone }: Run,
  { workers, memory, fast = false }: PackResourceOptions,
  work: (resources: PackResources) => Promise<T>,
): Promise<T> {
  const textBytes = documents.reduce((sum, { size = 0 }) => sum + size, 0);
  const wanted = alone ? 0 : (workers ?? (textBytes < WORTH_THREADS ? 0 : usualThreads()));
  const { room, threads } = packMemory(textBytes, wanted, memory);
  const overflow = new SealedOverflow(target, room);
  const analyst = threads > 0 ? new PackThreads(threads) : undefined;
  const deflate = promisify(deflateRaw);
  const level = deflateLevel({ fast });
  try {
    return await work({
      overflow,
      deflate: nodeDeflate({ fast }),
      ...(analyst && { analyst, deflateElsewhere: (bytes) => deflate(bytes, { level }) }),
    });
  } finally {
    overflow.close();
    await analyst?.close();
  }
}
