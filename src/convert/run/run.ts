/** `mdcx convert`: a folder of originals into a folder of Markdown, with what survived of each. */
import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { relative, sep } from "node:path";
import { MdcxError } from "../../errors.js";
import { ioError } from "../../node/io-error.js";
import { makeFolder } from "../../node/make-folder.js";
import { deal, type Shard } from "../../shard.js";
import { unconvertedCertificate } from "../compare/combine.js";
import type { PartResult } from "../convert.js";
import type { EngineOptions } from "../engine.js";
import { attempt, Clock, type Failure } from "./attempt.js";
import { budgetFor, type Budget } from "./budget.js";
import { lockFolder } from "./lock.js";
import { writePages } from "./manifest.js";
import type { DocumentAnswer, JobSource, PartsAnswer } from "./messages.js";
import { askedOf, checkOptions, type ConvertOptions, DEFAULTS, digest, engineOptions, ruleOf } from "./options.js";
import { digestOf, Outputs } from "./outputs.js";
import { PartStore } from "./parts.js";
import { type Passwords, readPasswords } from "./passwords.js";
import { pathMatcher, type Plan, planConversion, type Source } from "./plan.js";
import { Pool } from "./pool.js";
import { Estimate, type RunProgress } from "./progress.js";
import { type Brief, type DocumentEntry, RunRecord } from "./record.js";
import { removeStale } from "./stale.js";
import { type RunSummary, summarise } from "./summary.js";
import { FINDINGS, INDEX, MANIFEST } from "../../node/run-files.js";

/** What to convert of the input, and what to tell while it goes on. */
export interface RunOptions extends ConvertOptions {
  /** Globs over paths inside the input: any of them must match. */
  readonly only?: readonly string[];
  /** Only the first documents, by path. */
  readonly limit?: number;
  /** Convert also what is unchanged. */
  readonly force?: boolean;
  /** Only the documents that are dealt to this shard. */
  readonly shard?: Shard;
  /** A page of HTML that shows every certificate. */
  readonly report?: string;
  /** Aborted: the run ends at once, and what is finished is kept. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
}

/**
 * Converts what of `input`, a folder or a file, has changed since the last run into the folder `output`: a Markdown file a
 * document, INDEX.md, FINDINGS.md and _manifest.json. The output is plain text, readable for whoever reads the folder.
 *
 * @throws MdcxError `bad-input` for options and folders that cannot be meant, `io` where the disk refuses; what was
 *   finished before is kept
 */
export async function runConversion(input: string, output: string, options: RunOptions = {}): Promise<RunSummary> {
  const started = performance.now();
  checkOptions(options);
  const passwords =
    options.passwords === undefined ? (): undefined => undefined : await readPasswords(options.passwords);
  const folder = await prepareFolder(input, output);
  const plan = await planConversion(input, { output: folder, ownFiles: ownFilesOf(options) });
  const selected = select(plan, options);
  const shard = options.shard && `${options.shard.index}-of-${options.shard.count}`;
  const unlock = await lockFolder(folder, shard);
  const record = await RunRecord.open(folder, shard);
  try {
    const run = new Run(plan, record, new Outputs(folder, shard), passwords, options);
    return await run.all(selected, started);
  } finally {
    await record.close();
    await unlock();
  }
}

/** Makes the output folder and gives its real path; refuses one in which originals could be overwritten. */
async function prepareFolder(input: string, output: string): Promise<string> {
  let from: string;
  try {
    from = await realpath(input);
  } catch (error) {
    throw ioError(error, "read", input);
  }
  let to: string;
  try {
    await makeFolder(output);
    to = await realpath(output);
  } catch (error) {
    throw ioError(error, "write", output);
  }
  const inside = relative(to, from);
  const holdsInput = inside === "" || (inside !== ".." && !inside.startsWith(`..${sep}`));
  if (holdsInput && (await stat(from)).isDirectory())
    throw new MdcxError(
      "bad-input",
      `The output folder ${output} ${inside === "" ? "is" : "holds"} the input, whose files must not be overwritten: choose another one.`,
    );
  return to;
}

function ownFilesOf({ passwords, report }: RunOptions): { file: string; what: string }[] {
  return [
    ...(passwords === undefined ? [] : [{ file: passwords, what: "it holds passwords" }]),
    ...(report === undefined ? [] : [{ file: report, what: "the report of this run" }]),
  ];
}

function select(plan: Plan, { only = [], limit, shard }: RunOptions): readonly Source[] {
  const matchers = only.map(pathMatcher);
  const asked = plan.sources.filter(({ path }) => matchers.length === 0 || matchers.some((matches) => matches(path)));
  if (asked.length === 0 && matchers.length > 0)
    throw new MdcxError("bad-input", `--only ${only.join(" --only ")} matches no file of the input.`);
  return deal(asked.slice(0, limit), shard).here;
}

/** A document as it is recorded, but for its place in the record. */
type Finished = Omit<DocumentEntry, "type" | "at">;

class Run {
  private readonly engine: EngineOptions;
  private readonly rule: string;
  private readonly budget: Budget;
  private readonly pool: Pool;
  private readonly parts: PartStore;
  private resumed = false;
  /** Sources that this run has come to the end of, reused ones included. */
  private readonly done = new Set<string>();
  private readonly reused = new Set<string>();
  private partsReused = 0;
  private partsConverted = 0;
  private kept = 0;
  /** Which source each target is of. */
  private readonly sourceOf: ReadonlyMap<string, string>;
  private readonly former: { removed: string[]; kept: { target: string; reason: string }[] } = {
    removed: [],
    kept: [],
  };

  constructor(
    private readonly plan: Plan,
    private readonly record: RunRecord,
    private readonly outputs: Outputs,
    private readonly passwords: Passwords,
    private readonly options: RunOptions,
  ) {
    this.engine = engineOptions(options);
    this.rule = ruleOf(this.engine);
    this.budget = budgetFor(options);
    this.parts = new PartStore(outputs.partsFolder);
    this.sourceOf = new Map(plan.sources.map(({ target, path }) => [target, path]));
    this.pool = new Pool({
      budget: this.budget,
      recycleAfter: options.recycleAfter ?? DEFAULTS.recycleAfter,
      ...(options.converter && { converter: options.converter }),
      ...(options.worker && { worker: options.worker }),
    });
  }

  async all(selected: readonly Source[], started: number): Promise<RunSummary> {
    const { plan, record, options } = this;
    await this.requireOwn(selected);
    await this.outputs.prepare();
    const input = digest(plan.root);
    const otherInput = record.isOfOtherInput(input);
    const asked = askedOf(this.rule, options);
    this.resumed = await record.begin(asked, input, options.force === true);
    await record.announce([INDEX, FINDINGS, MANIFEST, ...selected.map(({ target }) => target)]);
    if (!plan.single) await record.leave(plan.leftOut);
    await this.convertAll(selected);
    const interrupted = options.signal?.aborted === true;
    const whole = !interrupted && selected.length === plan.sources.length;
    const gone = interrupted
      ? { removed: [], kept: [] }
      : await removeStale(plan, record, this.outputs, options.shard, otherInput);
    const stale = {
      removed: [...this.former.removed, ...gone.removed].sort(),
      kept: [...this.former.kept, ...gone.kept],
    };
    // An interrupted run leaves documents that the record may hold from an earlier one.
    const documents = [...this.done].flatMap((path) => record.get(path) ?? []);
    const summary = summarise(documents, {
      reused: this.reused.size,
      left: selected.length - documents.length,
      parts: { converted: this.partsConverted, reused: this.partsReused },
      kept: this.kept,
      leftOut: plan.leftOut,
      stale,
      budget: this.budget,
      interrupted,
      resumed: this.resumed,
      started,
    });
    await writePages(record, this.outputs, summary, options.report);
    if (whole) await this.parts.clear();
    await this.outputs.tidy();
    if (!interrupted) await record.end();
    return summary;
  }

  /** A file of somebody else under a name that is to be written stops the run before it has begun. */
  private async requireOwn(selected: readonly Source[]): Promise<void> {
    const foreign: string[] = [];
    for (const target of [INDEX, FINDINGS, MANIFEST, ...selected.map((source) => source.target)])
      if (!this.record.hasWritten(target) && (await this.outputs.exists(target))) foreign.push(target);
    if (foreign.length === 0) return;
    const more = foreign.length === 1 ? "" : ` and ${foreign.length - 1} more`;
    throw new MdcxError(
      "bad-input",
      `The output folder holds ${foreign[0]!}${more}, which no conversion wrote: choose an empty folder, or move them away.`,
    );
  }

  private async convertAll(selected: readonly Source[]): Promise<void> {
    const { signal, onProgress } = this.options;
    const estimate = new Estimate(selected, onProgress);
    const stop = (): void => void this.pool.stop();
    signal?.addEventListener("abort", stop, { once: true });
    // From both ends at once: a large document that begins last would be waited for alone, and a run that is often
    // interrupted finishes the small ones all the same. Half the workers for the large ones, after the first small ones.
    const waiting = [...selected].sort((a, b) => a.bytes - b.bytes);
    const next = (largest: boolean): Source | undefined => (largest ? waiting.pop() : waiting.shift());
    const turn = async (largest: boolean): Promise<void> => {
      for (let source = next(largest); source !== undefined && !signal?.aborted; source = next(largest)) {
        estimate.begin(source);
        await this.convert(source, estimate);
        estimate.finish(source, this.reused.has(source.path));
      }
    };
    let fault: { readonly error: unknown } | undefined;
    // Two more than workers: one reads digests and one writes while the others convert.
    const count = this.budget.workers + 2;
    const turns = Array.from({ length: count }, (_, i) =>
      turn(i >= count - Math.ceil(this.budget.workers / 2)).catch((error: unknown) => {
        fault ??= { error };
        waiting.length = 0;
        return this.pool.stop();
      }),
    );
    await Promise.all(turns);
    signal?.removeEventListener("abort", stop);
    await this.pool.stop();
    if (fault !== undefined) throw fault.error;
  }

  private async convert(source: Source, estimate: Estimate): Promise<void> {
    const before = this.record.get(source.path);
    if (before !== undefined && (await this.isFinished(source, before))) {
      this.reused.add(source.path);
      this.done.add(source.path);
      return;
    }
    const finished = await this.finish(source, estimate);
    if (finished === undefined) return;
    this.done.add(source.path);
    // Better the Markdown of an earlier run, of the same original, than none.
    if (finished.target === undefined && before?.target !== undefined && (await this.isIntact(finished, before))) {
      this.kept++;
      return;
    }
    await this.dropFormer(before, finished.target);
    await this.record.add(finished);
  }

  /** The Markdown that a document had before, where it has none now or another name. */
  private async dropFormer(before: Brief | undefined, target: string | undefined): Promise<void> {
    if (before?.target === undefined || before.target === target) return;
    if ((this.sourceOf.get(before.target) ?? before.source) !== before.source) return;
    if (await this.outputs.holds(before.target, before.target_sha256!)) {
      await this.outputs.remove(before.target);
      this.former.removed.push(before.target);
    } else if (await this.outputs.exists(before.target))
      this.former.kept.push({
        target: before.target,
        reason: `it is no longer what ${before.source} becomes, but it was changed after it was converted`,
      });
  }

  /**
   * Whether a document needs no conversion: source, options and output are as they were, and either there was nothing to
   * find or it is the run before, interrupted, that goes on. Findings are looked at again, what was refused too: the
   * password or the package that it needed may be there now.
   */
  private async isFinished(source: Source, before: Brief): Promise<boolean> {
    if (this.options.force === true || before.rule !== this.rule) return false;
    const settled = before.status === "ok" || before.status === "unverifiable";
    const continued = this.resumed && this.record.isOfThisRun(before);
    if (!settled && !continued) return false;
    if (before.status === "refused" && this.passwords(source.path) !== undefined) return false;
    if (before.target !== undefined && before.target !== source.target) return false;
    const sha256 = await digestOf(source.file).catch(() => undefined);
    return sha256 !== undefined && this.isIntact({ source_sha256: sha256 }, before);
  }

  private async isIntact({ source_sha256 }: Pick<Finished, "source_sha256">, before: Brief): Promise<boolean> {
    if (source_sha256 === undefined || source_sha256 !== before.source_sha256) return false;
    return before.target === undefined || this.outputs.holds(before.target, before.target_sha256 ?? "");
  }

  /** Converts a document and writes it; undefined where the run was interrupted. */
  private async finish(source: Source, estimate: Estimate): Promise<Finished | undefined> {
    const password = this.passwords(source.path);
    const from: JobSource = { file: source.file, path: source.path, ...(password !== undefined && { password }) };
    const clock = new Clock(this.options.timeout ?? DEFAULTS.timeout);
    const job = {
      kind: "document",
      source: from,
      options: this.engine,
      splitThreshold: this.options.splitThreshold ?? DEFAULTS.splitThreshold,
      asUnits: true,
    } as const;
    const answer = await attempt(this.pool, job, clock, this.budget.memory);
    const document = answer.kind === "parts" ? await this.inParts(from, answer, clock, estimate) : answer;
    if (document.kind !== "document" && document.kind !== "failure") return undefined;
    const entry = { source: source.path, source_bytes: source.bytes, rule: this.rule, seconds: clock.seconds };
    if (document.kind === "failure") {
      const sha256 = await digestOf(source.file).catch(() => undefined);
      return {
        ...entry,
        ...(sha256 !== undefined && { source_sha256: sha256 }),
        facts: {},
        certificate: unconvertedCertificate(document.status, document.reason),
      };
    }
    const { markdown, certificate } = document.result;
    const described = { ...entry, source_sha256: document.sha256, facts: document.facts, certificate };
    if (certificate.status === "refused" || certificate.status === "timed-out") return described;
    const former = this.record.get(source.path);
    const aside = await this.outputs.setAside(source.target, [
      createHash("sha256").update(markdown).digest("hex"),
      ...(former?.target === source.target ? [former.target_sha256 ?? ""] : []),
    ]);
    if (aside !== undefined)
      this.former.kept.push({
        target: aside,
        reason: `what stood in ${source.target} was changed by hand, and ${source.path} was converted again`,
      });
    const target_sha256 = await this.outputs.write(source.target, markdown);
    return { ...described, target: source.target, target_sha256 };
  }

  /** Converts the chapters of a document that are not there yet, and makes the document of them. */
  private async inParts(
    source: JobSource,
    { sha256, parts, bytes }: PartsAnswer,
    clock: Clock,
    estimate: Estimate,
  ): Promise<DocumentAnswer | Failure | { readonly kind: "stopped" }> {
    const store = this.parts.of(source.path, sha256, this.rule);
    const pages = parts.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    const results = await Promise.all(
      parts.map(async (range): Promise<string | PartResult | undefined> => {
        const weight = (bytes * (range.to - range.from + 1)) / pages;
        if (await store.has(range)) {
          this.partsReused++;
          estimate.part(source.path, weight, true);
          return store.fileOf(range);
        }
        const job = { kind: "part", source, sha256, options: { ...this.engine, pages: range } } as const;
        const answer = await attempt(this.pool, job, clock, this.budget.memory);
        estimate.part(source.path, weight, false);
        if (answer.kind === "failure") {
          const reason = `Pages ${range.from} to ${range.to}: ${answer.reason}`;
          return { markdown: "", recovered: "", certificate: unconvertedCertificate(answer.status, reason), facts: {} };
        }
        if (answer.kind !== "part") return undefined;
        await store.save(range, answer.result);
        this.partsConverted++;
        return store.fileOf(range);
      }),
    );
    const finished = results.filter((result) => result !== undefined);
    if (finished.length < parts.length) return { kind: "stopped" };
    const job = { kind: "assemble", source, sha256, parts: finished, options: this.engine } as const;
    // What the chapters took is not held against putting them together.
    const answer = await attempt(this.pool, job, new Clock(clock.limit), this.budget.memory);
    if (answer.kind === "failure") return answer;
    if (answer.kind !== "document") return { kind: "stopped" };
    // The next run tries the chapters that are missing, and only those.
    if (finished.every((result) => typeof result === "string")) await store.remove();
    return answer;
  }
}
