import type { Status } from "../certificate.js";
import type { FaultAnswer, Job } from "./messages.js";
import type { Outcome, Pool } from "./pool.js";

/** Why a unit came to nothing, in a sentence for a person. */
export interface Failure {
  readonly kind: "failure";
  readonly status: Extract<Status, "refused" | "timed-out">;
  readonly reason: string;
}

type Answered = Exclude<Outcome, FaultAnswer | { kind: "timed-out" | "out-of-memory" | "crashed" }>;

/** The time that the units of one document may take together. */
export class Clock {
  private spent = 0;

  /** @param limit seconds; 0: for ever */
  constructor(readonly limit: number) {}

  readonly left = (): number => (this.limit === 0 ? Infinity : this.limit * 1000 - this.spent);

  add(milliseconds: number): void {
    this.spent += milliseconds;
  }

  /** Seconds that workers were busy. */
  get seconds(): number {
    return Math.round(this.spent) / 1000;
  }
}

/**
 * Has a unit done, and once more in a new worker where the first one crashed, or ran out of memory after other documents
 * whose leavings it may still have held.
 */
export async function attempt(pool: Pool, job: Job, clock: Clock, memory: number): Promise<Answered | Failure> {
  for (let fresh = false; ; fresh = true) {
    const outcome = await pool.run(job, { timeout: clock.left, fresh });
    clock.add(outcome.milliseconds);
    switch (outcome.kind) {
      case "fault":
        return failure("refused", outcome.message);
      case "timed-out":
        return failure(
          "timed-out",
          `It was given up after ${spoken(clock.limit)}: --timeout sets a longer time, --timeout 0 waits for ever.`,
        );
      case "out-of-memory":
        if (fresh || outcome.fresh)
          return failure(
            "refused",
            `Its conversion needed more than ${Math.round(memory / 2 ** 20)} MB of memory: split it into smaller files.`,
          );
        break;
      case "crashed":
        if (fresh)
          return failure("refused", `Its conversion ended the process twice (${outcome.why}): please report it.`);
        break;
      default:
        return outcome;
    }
  }
}

function failure(status: Failure["status"], reason: string): Failure {
  return { kind: "failure", status, reason };
}

function spoken(seconds: number): string {
  if (seconds % 60 === 0) return seconds === 60 ? "a minute" : `${seconds / 60} minutes`;
  return seconds === 1 ? "a second" : `${seconds} seconds`;
}
