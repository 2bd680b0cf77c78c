import { availableParallelism } from "node:os";

/** What a run may use of the machine. `workers × threads` never exceeds `cores`. */
export interface Budget {
  /** Processors for the whole run. */
  readonly cores: number;
  /** Processes that convert side by side. */
  readonly workers: number;
  /** Threads that each of them may keep busy. */
  readonly threads: number;
  /** Memory that a worker may take above what it takes idle, in bytes. */
  readonly memory: number;
}

/** What the user wants of it; absent: derived from the machine. */
export interface BudgetWish {
  readonly maxCores?: number;
  readonly workers?: number;
  /** Bytes a worker. */
  readonly memory?: number;
}

/** What the machine has. */
export interface Machine {
  readonly cores: number;
  /** Bytes that processes may still take. */
  readonly memory: number;
}

/** The largest manuals of the bench stay under 400 MB. */
const MEMORY = 512 * 2 ** 20;
/** A worker with its libraries loaded, before it has opened a document. */
const IDLE = 128 * 2 ** 20;
/** Less would refuse ordinary documents. */
const LEAST_MEMORY = 128 * 2 ** 20;
/** Of the free memory: the rest is for the file cache, the parent, and whatever else starts meanwhile. */
const SHARE = 0.8;

/** This machine, or the part of it that a container gives us. */
export function thisMachine(): Machine {
  return { cores: availableParallelism(), memory: process.availableMemory() };
}

/**
 * Divides the machine: a fifth of the processors stay free (12 → 9, 4 → 3, 2 → 1), every worker has one, and no more
 * workers start than fit into memory. What the user wants comes first: more workers than `maxCores` allows are not
 * started, workers without `maxCores` raise the budget.
 */
export function budgetFor(wish: BudgetWish = {}, machine: Machine = thisMachine()): Budget {
  const derived = Math.max(1, machine.cores - Math.ceil(machine.cores / 5));
  const most = wish.maxCores === undefined ? undefined : Math.min(wish.maxCores, machine.cores);
  const cores = most ?? Math.max(derived, wish.workers ?? 0);
  const usable = machine.memory * SHARE;
  const memory = wish.memory ?? Math.max(LEAST_MEMORY, Math.min(MEMORY, usable - IDLE));
  const fitting = Math.max(1, Math.floor(usable / (memory + IDLE)));
  const workers = Math.min(cores, wish.workers ?? Math.min(cores, fitting));
  return { cores, workers, threads: Math.floor(cores / workers), memory };
}
