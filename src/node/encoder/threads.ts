import { MdcxError } from "../../errors.js";
import type { Encoded, Encoder, EncoderDescription, Role } from "../../meaning/encoder.js";
import { Job, type Window } from "./job.js";
import type { SessionAnswer, SessionRequest, TokeniseRequest, TokeniserAnswer } from "./messages.js";
import type { ModelFolder } from "./model-files.js";
import { closed, EncoderThread } from "./thread.js";

/** Tokens of one message to a session, some 100 ms of work: a main thread that is busy that long costs nothing. */
const BUNDLE_TOKENS = 1024;
/** Messages that a session holds: while it works on one, the next is there already. */
const BUNDLES = 2;
/** Calls of at most so many texts go first wherever something waits: questions, probes. */
const URGENT = 16;

type TokeniserThread = EncoderThread<TokeniseRequest, Exclude<TokeniserAnswer, { kind: "digest" }>>;
interface Session {
  readonly thread: EncoderThread<SessionRequest, SessionAnswer>;
  /** What it holds, by request. */
  readonly held: Map<number, { readonly job: Job; readonly windows: readonly Window[] }>;
}

/**
 * A model in worker threads: one tokenises, so that no session waits for that and memory holds one tokeniser, and every
 * other runs a session of one thread, text by text. Measured on two cores: two such sessions read 7,300 to 7,900 tokens a
 * second, one session of two threads with batches of 4 to 16 texts 4,900 to 5,700.
 *
 * Threads start with the first use, and one that ended is started anew by the next.
 */
export class ThreadedEncoder implements Encoder {
  #folder: Promise<ModelFolder> | undefined;
  #tokeniser: TokeniserThread | undefined;
  #digest: Promise<string> | undefined;
  #digestDone: { resolve: (sha256: string) => void; reject: (error: MdcxError) => void } | undefined;
  #sessions: Session[] = [];
  readonly #jobs = new Set<Job>();
  readonly #tokenising = new Map<number, { readonly job: Job; readonly texts: Uint32Array }>();
  #requests = 0;
  /** How often it was closed: a call from before the last time starts no threads any more. */
  #closed = 0;
  /** How many wait for something; while any does, the threads keep the process alive. */
  #waiting = 0;

  /**
   * @param find the model's folder, where it may have to be fetched first
   * @param most sessions
   */
  constructor(
    private readonly find: () => Promise<ModelFolder>,
    private readonly most: () => number,
  ) {}

  async describe(): Promise<EncoderDescription> {
    return await this.#held(async () => {
      const folder = await this.#located();
      this.#start(folder, 1);
      const { id, revision, place, usage } = folder;
      const sha256 = await this.#digest!;
      const dimensions = folder.dimensions ?? (await this.#encode(["a"], "passage")).vectors.length;
      return { id, revision, sha256, dtype: place.dtype, dimensions, ...usage };
    });
  }

  async encode(texts: readonly string[], role: Role, onProgress?: (done: number) => void): Promise<Encoded> {
    if (texts.length === 0) return { vectors: new Float32Array(0), windowed: 0, tokens: 0 };
    return await this.#held(() => this.#encode(texts, role, onProgress));
  }

  async close(): Promise<void> {
    this.#closed++;
    await this.#end(closed());
  }

  async #encode(texts: readonly string[], role: Role, onProgress?: (done: number) => void): Promise<Encoded> {
    const folder = await this.#located();
    const job = new Job(texts, folder.usage.prefixes[role], onProgress);
    this.#jobs.add(job);
    this.#start(folder, texts.length <= URGENT ? 1 : this.most());
    this.#advance();
    try {
      return await job.result;
    } finally {
      this.#jobs.delete(job);
    }
  }

  async #held<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    this.#hold();
    try {
      return await work();
    } finally {
      this.#waiting--;
      this.#hold();
    }
  }

  #hold(): void {
    this.#tokeniser?.hold(this.#waiting > 0);
    for (const { thread } of this.#sessions) thread.hold(this.#waiting > 0);
  }

  async #located(): Promise<ModelFolder> {
    const before = this.#closed;
    this.#folder ??= this.find().catch((error: unknown) => {
      this.#folder = undefined;
      throw error;
    });
    const folder = await this.#folder;
    if (this.#closed !== before) throw closed();
    return folder;
  }

  #start(folder: ModelFolder, sessions: number): void {
    this.#tokeniser ??= this.#startTokeniser(folder);
    while (this.#sessions.length < sessions) this.#sessions.push(this.#startSession(folder));
    this.#hold();
  }

  #startTokeniser({ tokenizer, tokenizerConfig, weights, usage: { window } }: ModelFolder): TokeniserThread {
    if (this.#digestDone === undefined) {
      this.#digest = new Promise((resolve, reject) => {
        this.#digestDone = { resolve, reject };
      });
      // Whoever asks for it hears of its failure.
      this.#digest.catch(() => undefined);
    }
    const start = { tokenizer, tokenizerConfig, weights, window };
    return new EncoderThread<TokeniseRequest, TokeniserAnswer>(
      "#tokeniser-thread",
      start,
      (answer) => {
        if (answer.kind === "digest") this.#digestDone?.resolve(answer.sha256);
        else this.#tokenised(answer);
      },
      (error) => {
        // Sessions are of no use without it, and would keep the process alive.
        void this.#end(error);
      },
    );
  }

  #startSession({ place, usage: { pooling } }: ModelFolder): Session {
    const session: Session = {
      held: new Map(),
      thread: new EncoderThread<SessionRequest, SessionAnswer>(
        "#session-thread",
        { place, pooling },
        (answer) => {
          this.#ran(session, answer);
        },
        (error) => {
          this.#sessions = this.#sessions.filter((each) => each !== session);
          for (const { job } of session.held.values()) this.#fail(job, error);
          // Without any session the rest would wait for ever.
          if (this.#sessions.length === 0) for (const job of this.#jobs) this.#fail(job, error);
        },
      ),
    };
    return session;
  }

  #tokenised(answer: Exclude<TokeniserAnswer, { kind: "digest" }>): void {
    const asked = this.#tokenising.get(answer.request!);
    // Of a thread that was closed meanwhile.
    if (asked === undefined) return;
    const { job, texts } = asked;
    this.#tokenising.delete(answer.request!);
    job.tokenising = false;
    if (answer.kind === "failed") this.#fail(job, new MdcxError(answer.code, answer.message));
    else job.tokenised(texts, answer.ids, answer.lengths, answer.windows);
    this.#advance();
  }

  #ran(session: Session, answer: SessionAnswer): void {
    const { job, windows } = session.held.get(answer.request!)!;
    session.held.delete(answer.request!);
    if (answer.kind === "failed") this.#fail(job, new MdcxError(answer.code, answer.message));
    else if (this.#jobs.has(job)) job.arrived(windows, answer.vectors);
    this.#advance();
  }

  /** Gives every thread that could work something to do, of the calls with the fewest texts left first. */
  #advance(): void {
    const jobs = [...this.#jobs].filter(({ remaining }) => remaining > 0).sort((a, b) => a.remaining - b.remaining);
    for (const job of jobs) this.#tokenise(job);
    for (;;) {
      const job = jobs.find(({ ready }) => ready.length > 0);
      const [session] = this.#sessions
        .filter(({ held }) => held.size < BUNDLES || (job !== undefined && isUrgent(job)))
        .sort((a, b) => a.held.size - b.held.size);
      if (job === undefined || session === undefined) return;
      this.#run(session, job);
    }
  }

  #tokenise(job: Job): void {
    const ahead = 2 * BUNDLES * this.#sessions.length * BUNDLE_TOKENS;
    if (job.tokenising || job.untokenised === 0 || this.#tokeniser === undefined) return;
    if (job.ready.reduce((sum, { ids }) => sum + ids.length, 0) > ahead) return;
    const texts = job.nextTexts();
    const request = ++this.#requests;
    job.tokenising = true;
    this.#tokenising.set(request, { job, texts });
    this.#tokeniser.post({ request, texts: Array.from(texts, (text) => job.texts[text]!), prefix: job.prefix });
  }

  #run(session: Session, job: Job): void {
    // The last texts are shared out in small bundles, so that no session ends long before another.
    const waiting = job.ready.reduce((sum, { ids }) => sum + ids.length, 0);
    const share = job.untokenised > 0 ? BUNDLE_TOKENS : waiting / (2 * this.#sessions.length);
    const most = Math.min(BUNDLE_TOKENS, share);
    let tokens = 0;
    let count = 0;
    while (count < job.ready.length && (count === 0 || tokens + job.ready[count]!.ids.length <= most))
      tokens += job.ready[count++]!.ids.length;
    const windows = job.ready.splice(0, count);
    const ids = new Int32Array(tokens);
    let at = 0;
    for (const window of windows) {
      ids.set(window.ids, at);
      at += window.ids.length;
    }
    const lengths = Int32Array.from(windows, (window) => window.ids.length);
    const request = ++this.#requests;
    session.held.set(request, { job, windows });
    session.thread.post({ kind: "run", request, ids, lengths, urgent: isUrgent(job) }, [ids.buffer, lengths.buffer]);
  }

  #fail(job: Job, error: MdcxError): void {
    this.#jobs.delete(job);
    job.ready.length = 0;
    job.fail(error);
  }

  /** Ends the threads and all that waits for them; the next use starts anew. */
  async #end(error: MdcxError): Promise<void> {
    const sessions = this.#sessions;
    const tokeniser = this.#tokeniser;
    this.#tokeniser = undefined;
    this.#sessions = [];
    this.#digestDone?.reject(error);
    this.#digestDone = undefined;
    this.#tokenising.clear();
    for (const job of this.#jobs) this.#fail(job, error);
    await Promise.all([tokeniser?.close(), ...sessions.map(({ thread }) => thread.close({ kind: "close" }))]);
  }
}

function isUrgent(job: Job): boolean {
  return job.texts.length <= URGENT;
}
