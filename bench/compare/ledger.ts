import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What a run has measured so far. A run that was broken off goes on where it stopped; one that came to its end begins
 * anew, so that all figures of a table are of one run. Another program than the one that began it begins anew, too.
 */
export class Ledger {
  readonly #file: string;
  #steps: Record<string, unknown> = {};

  private constructor(
    readonly folder: string,
    private readonly of: string,
  ) {
    this.#file = join(folder, "run.json");
    if (!existsSync(this.#file)) return;
    const { of: kept, steps } = JSON.parse(readFileSync(this.#file, "utf8")) as {
      of: string;
      steps: Record<string, unknown>;
    };
    if (kept === of) this.#steps = steps;
  }

  /** @param settings what figures of one run have in common */
  static open(folder: string, program: string, settings: object): Ledger {
    mkdirSync(folder, { recursive: true });
    return new Ledger(folder, digestOf(program, settings));
  }

  get begun(): boolean {
    return Object.keys(this.#steps).length > 0;
  }

  /** The value of a step: what it gave before in this run, else what it gives now. */
  step<T>(name: string, measure: () => T): T {
    if (!Object.hasOwn(this.#steps, name)) {
      this.#steps[name] = measure();
      writeFileSync(this.#file, JSON.stringify({ of: this.of, steps: this.#steps }));
    }
    return this.#steps[name] as T;
  }

  finish(): void {
    if (existsSync(this.#file)) renameSync(this.#file, join(this.folder, "last-run.json"));
  }
}

/** Of every file of the program, so that no figure of an older one is taken for its own. */
function digestOf(program: string, settings: object): string {
  const digest = createHash("sha256").update(JSON.stringify(settings));
  for (const name of (readdirSync(program, { recursive: true }) as string[])
    .filter((one) => one.endsWith(".js"))
    .sort())
    digest.update(name).update(readFileSync(join(program, name)));
  return digest.digest("hex");
}
