/** Conversion on the way to somewhere else: nothing is written, nothing is resumed. */
import type { Certificate } from "../certificate.js";
import { unconvertedCertificate } from "../compare/combine.js";
import { attempt, Clock } from "./attempt.js";
import { budgetFor } from "./budget.js";
import type { Facts } from "./converter.js";
import { checkOptions, type ConvertOptions, DEFAULTS, engineOptions } from "./options.js";
import { readPasswords } from "./passwords.js";
import type { Source } from "./plan.js";
import { Pool } from "./pool.js";

/** A converted document. */
export interface Converted {
  readonly source: Source;
  /** With front matter; empty where it was refused or given up. */
  readonly markdown: string;
  /** SHA-256 of the original in hexadecimal; absent where nothing was converted. */
  readonly sha256?: string;
  readonly facts: Facts;
  readonly certificate: Certificate;
}

/**
 * Converts sources in worker processes and gives them in their order. At most twice as many as there are workers are held
 * at a time; who stops asking ends the workers.
 */
export async function* convertAll(
  sources: readonly Source[],
  options: ConvertOptions = {},
): AsyncGenerator<Converted, void, undefined> {
  checkOptions(options);
  const passwords = options.passwords === undefined ? undefined : await readPasswords(options.passwords);
  const engine = engineOptions(options);
  const budget = budgetFor(options);
  const pool = new Pool({
    budget,
    recycleAfter: options.recycleAfter ?? DEFAULTS.recycleAfter,
    ...(options.converter && { converter: options.converter }),
    ...(options.worker && { worker: options.worker }),
  });
  const convert = async (source: Source): Promise<Converted> => {
    const password = passwords?.(source.path);
    const job = {
      kind: "document",
      source: { file: source.file, path: source.path, ...(password !== undefined && { password }) },
      options: engine,
      splitThreshold: options.splitThreshold ?? DEFAULTS.splitThreshold,
      asUnits: false,
    } as const;
    const answer = await attempt(pool, job, new Clock(options.timeout ?? DEFAULTS.timeout), budget.memory);
    if (answer.kind === "document") return { source, ...answer.result, sha256: answer.sha256, facts: answer.facts };
    const { status, reason } =
      answer.kind === "failure" ? answer : { status: "refused" as const, reason: "The conversion was ended." };
    return { source, markdown: "", facts: {}, certificate: unconvertedCertificate(status, reason) };
  };
  try {
    const running: Promise<Converted>[] = [];
    let next = 0;
    for (;;) {
      while (running.length < 2 * budget.workers && next < sources.length) {
        const one = convert(sources[next++]!);
        // It is waited for in its turn; until then its failure is nobody's.
        one.catch(() => undefined);
        running.push(one);
      }
      const first = running.shift();
      if (first === undefined) return;
      yield await first;
    }
  } finally {
    await pool.stop();
  }
}
