import type { Argv } from "yargs";
import { MdcxError } from "../src/errors.js";

const MIB = 2 ** 20;
const UNITS: Readonly<Record<string, number>> = { m: MIB, g: 2 ** 30, t: 2 ** 40 };

/** What of the machine packing may use. */
export function withResourceOptions<T>(args: Argv<T>) {
  return args
    .option("memory", {
      type: "string",
      requiresArg: true,
      describe: "how much memory it may take, such as 800M or 2G; half of the machine's unless given",
    })
    .option("workers", {
      type: "number",
      requiresArg: true,
      describe: "threads that read documents beside the one that writes; by the processors unless given",
    });
}

/** @throws MdcxError `bad-input` for what is no amount of memory and no number of threads */
export function resourcesOf(args: { readonly memory?: string | undefined; readonly workers?: number | undefined }): {
  readonly memory?: number;
  readonly workers?: number;
} {
  const { memory, workers } = args;
  if (workers !== undefined && !(Number.isInteger(workers) && workers >= 0 && workers <= 64))
    throw new MdcxError("bad-input", "--workers takes a number of threads from 0 to 64.");
  return {
    ...(memory !== undefined && { memory: bytesOf(memory) }),
    ...(workers !== undefined && { workers }),
  };
}

/** Reads `800M`, `1.5 GB`, `2GiB`. */
function bytesOf(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?([mgt])(?:i?b)?$/i.exec(text.trim()) ?? [];
  if (amount === undefined || unit === undefined)
    throw new MdcxError("bad-input", "--memory takes an amount such as 800M or 2G.");
  return Math.floor(Number(amount) * UNITS[unit.toLowerCase()]!);
}
