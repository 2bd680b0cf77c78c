import { createInterface } from "node:readline/promises";
import type { ResealOptions } from "../src/pack-entry.js";
import { note, printableLine } from "./print.js";
import type { Progress } from "./progress.js";

/**
 * Asks on the terminal whether the slots may go whose secret was not given; away from one only `--yes` says so.
 *
 * @param progress a line that must not be in the way of the question
 */
export function confirmDropped(yes: boolean, progress: Progress): NonNullable<ResealOptions["confirmDropped"]> {
  return (slots) => {
    if (yes) return true;
    progress.stop();
    return confirm(
      slots.map(
        (slot) => slot.label ?? (slot.type === "scrypt" ? "a passphrase without a label" : "a key without a label"),
      ),
    );
  };
}

async function confirm(dropped: readonly string[]): Promise<boolean> {
  note(`Dropped for good, because their secret was not given: ${dropped.map(printableLine).join(", ")}.`);
  if (!process.stdin.isTTY) {
    note("Run it on a terminal to be asked, or add --yes.");
    return false;
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question("Go on? [y/N] ")).trim());
  } finally {
    lines.close();
  }
}
