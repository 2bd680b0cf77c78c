/**
 * Worker processes that convert. Processes and not threads: an abort inside WebAssembly, a full heap or a killed process
 * takes one document with it and not the run. Their number never falls: one that hangs, crashes or takes too much memory
 * is ended and replaced.
 */
import { type ChildProcess, fork } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { MdcxError } from "../../errors.js";
import type { Budget } from "./budget.js";
import { type Answer, type FromWorker, type Job, LAST_WORDS, type ToWorker } from "./messages.js";

/** How the workers are kept. */
export interface PoolOptions {
  readonly budget: Budget;
  /** Units after which a worker is replaced, for what libraries leak; 0: never. */
  readonly recycleAfter: number;
  /** Module that converts, convert.ts unless given; its exports are a `Converter`. */
  readonly converter?: URL;
  /** The compiled worker; sources that run uncompiled name it. */
  readonly worker?: URL;
}

/** What became of a job: an answer, or how the worker ended; and how long a worker was busy with it, in milliseconds. */
export type Outcome = { readonly milliseconds: number } & End;
type End =
  | Answer
  | { readonly kind: "timed-out" }
  | { readonly kind: "out-of-memory"; readonly fresh: boolean }
  | { readonly kind: "crashed"; readonly why: string }
  | { readonly kind: "stopped" };

interface Pending {
  readonly job: Job;
  readonly timeout: () => number;
  readonly fresh: boolean;
  readonly settle: (end: End, milliseconds?: number) => void;
  readonly fail: (error: unknown) => void;
}

interface Seat {
  readonly child: ChildProcess;
  ready: boolean;
  pending?: Pending;
  /** When its job was given, as performance.now(). */
  since: number;
  timer?: NodeJS.Timeout;
  timedOut: boolean;
  /** Told to go; it takes no job any more. */
  leaving: boolean;
  units: number;
  /** The end of what it wrote to standard error. */
  complaints: string;
  lastWords: string;
}

const START_LIMIT = 60_000;
const LEAVE_LIMIT = 2_000;
/** setTimeout takes a longer one for none; it is 24 days. */
const LONGEST_TIMER = 2 ** 31;
/** Workers that end before they are ready, one after the other: then no other will do better. */
const FAILED_STARTS = 3;
/** Share of a worker's memory that the bytes of one original may take: engine and reader hold copies. */
const LARGEST = 0.5;
/** What the workers see of the environment: no secret, no switch of Node, and the same time zone wherever they run. */
const INHERITED = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SystemRoot", "LANG", "LC_ALL", "MDCX_DEBUG"];

export class Pool {
  private readonly queue: Pending[] = [];
  private readonly seats = new Set<Seat>();
  private failedStarts = 0;
  private stopped = false;

  constructor(private readonly options: PoolOptions) {}

  /** Processes that are there now. */
  get processes(): readonly number[] {
    return [...this.seats].flatMap(({ child }) => child.pid ?? []);
  }

  /**
   * Has a job done. The promise fails only where no worker can be started at all.
   *
   * @param options.timeout asked when a worker takes the job: milliseconds that it may take, Infinity for ever
   * @param options.fresh in a worker that has done nothing else
   */
  run(job: Job, options: { readonly timeout?: () => number; readonly fresh?: boolean } = {}): Promise<Outcome> {
    return new Promise((resolve, fail) => {
      const { timeout = () => Infinity, fresh = false } = options;
      const settle = (end: End, milliseconds = 0): void => {
        resolve({ ...end, milliseconds });
      };
      if (this.stopped) settle({ kind: "stopped" });
      else {
        this.queue.push({ job, timeout, fresh, settle, fail });
        this.serve();
      }
    });
  }

  /** Ends every worker at once. Jobs that are not done come back as stopped. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const { settle } of this.queue.splice(0)) settle({ kind: "stopped" });
    await Promise.all(
      [...this.seats].map(
        (seat) =>
          new Promise<void>((resolve) => {
            seat.child.once("close", () => {
              resolve();
            });
            seat.child.kill("SIGKILL");
          }),
      ),
    );
  }

  private serve(): void {
    for (const seat of this.seats)
      while (seat.ready && !seat.leaving && seat.pending === undefined) {
        const next = this.queue[0];
        if (next === undefined) return;
        if (next.fresh && seat.units > 0) this.dismiss(seat);
        else this.give(seat, this.queue.shift()!);
      }
    // One that starts is a seat already: each takes a job when it is ready.
    const coming = [...this.seats].filter(({ ready, leaving }) => !ready && !leaving).length;
    let missing = Math.min(this.options.budget.workers - this.seats.size, this.queue.length - coming);
    while (missing-- > 0) this.hire();
  }

  private give(seat: Seat, pending: Pending): void {
    const limit = pending.timeout();
    if (limit <= 0) {
      pending.settle({ kind: "timed-out" });
      return;
    }
    seat.pending = pending;
    seat.since = performance.now();
    if (limit < LONGEST_TIMER)
      seat.timer = setTimeout(() => {
        seat.timedOut = true;
        seat.child.kill("SIGKILL");
      }, limit);
    this.tell(seat, { job: pending.job });
  }

  private tell(seat: Seat, message: ToWorker): void {
    // A worker that has just ended cannot be told: its closing says so.
    seat.child.send(message, () => undefined);
  }

  private hire(): void {
    const { budget, converter, worker } = this.options;
    const environment: NodeJS.ProcessEnv = { TZ: "UTC", UV_THREADPOOL_SIZE: String(budget.threads) };
    for (const name of INHERITED) if (process.env[name] !== undefined) environment[name] = process.env[name];
    const script = worker ?? new URL("./worker.js", import.meta.url);
    const child = fork(script, {
      env: environment,
      execArgv: [
        `--max-old-space-size=${Math.ceil(budget.memory / 2 ** 20)}`,
        // Young objects are collected early: a manual of 600 pages then takes a tenth less, at no cost that could be measured.
        "--max-semi-space-size=2",
        // Threads that V8 keeps for collecting and compiling.
        `--v8-pool-size=${budget.threads}`,
        // Beside the compiled worker, wherever this code runs from.
        "--require",
        fileURLToPath(new URL("./no-network.cjs", script)),
      ],
      // Markdown and bytes travel as they are, not as JSON.
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc", "pipe"],
    });
    const seat: Seat = {
      child,
      ready: false,
      since: 0,
      timedOut: false,
      leaving: false,
      units: 0,
      complaints: "",
      lastWords: "",
    };
    this.seats.add(seat);
    seat.timer = setTimeout(() => child.kill("SIGKILL"), START_LIMIT);
    child.stderr!.on("data", (part: Buffer) => {
      if (process.env.MDCX_DEBUG === "1") process.stderr.write(part);
      seat.complaints = (seat.complaints + part.toString("utf8")).slice(-4000);
    });
    (child.stdio[LAST_WORDS] as Readable).on("data", (part: Buffer) => {
      seat.lastWords += part.toString("latin1");
    });
    child.on("message", (message: FromWorker) => {
      if ("ready" in message) this.welcome(seat);
      else this.accept(seat, message.answer);
    });
    // What cannot be sent shows in its closing; what cannot be started never closes.
    child.on("error", () => {
      if (child.pid === undefined) this.bury(seat, null, null);
    });
    child.on("close", (code, signal) => {
      this.bury(seat, code, signal);
    });
    const { memory } = budget;
    const module = converter ?? new URL("../convert.js", import.meta.url);
    this.tell(seat, { start: { converter: module.href, memory, largest: memory * LARGEST } });
  }

  private welcome(seat: Seat): void {
    clearTimeout(seat.timer);
    seat.ready = true;
    this.failedStarts = 0;
    this.serve();
  }

  private accept(seat: Seat, answer: Answer): void {
    const { pending } = seat;
    clearTimeout(seat.timer);
    delete seat.pending;
    seat.units++;
    seat.complaints = "";
    if (this.options.recycleAfter > 0 && seat.units >= this.options.recycleAfter) this.dismiss(seat);
    pending?.settle(answer, performance.now() - seat.since);
    this.serve();
  }

  /** It is asked to end, and made to where a library still holds its thread. */
  private dismiss(seat: Seat): void {
    seat.leaving = true;
    seat.timer = setTimeout(() => seat.child.kill("SIGKILL"), LEAVE_LIMIT);
    this.tell(seat, { leave: true });
  }

  private bury(seat: Seat, code: number | null, signal: NodeJS.Signals | null): void {
    clearTimeout(seat.timer);
    this.seats.delete(seat);
    const { pending } = seat;
    if (!seat.ready && !this.stopped && ++this.failedStarts >= FAILED_STARTS) {
      const why = seat.complaints.trim().split("\n").at(-1) ?? "";
      const error = new MdcxError("internal", `No worker process starts (${why || exitOf(code, signal)}).`);
      for (const { fail } of this.queue.splice(0)) fail(error);
    }
    if (pending !== undefined) pending.settle(this.endOf(seat, code, signal), performance.now() - seat.since);
    if (!this.stopped) this.serve();
  }

  private endOf(seat: Seat, code: number | null, signal: NodeJS.Signals | null): End {
    if (this.stopped) return { kind: "stopped" };
    if (seat.timedOut) return { kind: "timed-out" };
    if (seat.lastWords.startsWith("memory") || /heap out of memory|Allocation failed/.test(seat.complaints))
      return { kind: "out-of-memory", fresh: seat.units === 0 };
    return { kind: "crashed", why: exitOf(code, signal) };
  }
}

function exitOf(code: number | null, signal: NodeJS.Signals | null): string {
  return signal ?? `exit code ${code ?? "unknown"}`;
}
