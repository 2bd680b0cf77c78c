import { Corpus, type Around, type CorpusInfo, type CorpusReading, type DocumentList } from "../corpus.js";
import { MdcxError, type ErrorCode } from "../errors.js";
import { openTogether } from "../open-together.js";
import type { DocumentText, Listing, Noticed, Reply } from "../reply.js";
import type { SearchOptions } from "../search.js";
import { collectGarbage } from "./collect-garbage.js";
import { MountedPackage, type Mount, type MountOptions, type Replacement } from "./mounted-package.js";

/** What happens to a mounted corpus beside its answers. */
export type MountEvent =
  | { readonly kind: "replaced"; readonly file: string; readonly packageId: string; readonly revision: number }
  | { readonly kind: "kept"; readonly file: string; readonly packageId: string; readonly code: ErrorCode }
  | { readonly kind: "rested" };

export interface MountedCorpusOptions extends MountOptions {
  /** Milliseconds without a call after which models and vectors are let go of; 0: never. */
  readonly idleUnload?: number;
  readonly onEvent?: (event: MountEvent) => void;
}

/** Refusals that may mean no more than that the file is being written over while it is read. */
const DAMAGED: ReadonlySet<string> = new Set([
  "io",
  "leaf-damaged",
  "chunk-damaged",
  "table-damaged",
  "bad-image",
  "file-changed",
]);

/**
 * Packages on disk that are read for as long as a server runs: several as one corpus, which follows them when they are
 * replaced and lets go of models when nobody asks. Whatever changes, changes between calls: an answer comes from one state
 * of the corpus.
 */
export class MountedCorpus implements CorpusReading {
  readonly #mounted: readonly MountedPackage[];
  readonly #options: MountedCorpusOptions;
  #corpus: Corpus;
  /** What was replaced and no reply has said yet. */
  #news: string[] = [];
  #running = 0;
  #quiet: (() => void) | undefined;
  /** A change under way, for which calls wait. */
  #changing: Promise<void> | undefined;
  #idle: NodeJS.Timeout | undefined;

  private constructor(mounted: readonly MountedPackage[], options: MountedCorpusOptions) {
    this.#mounted = mounted;
    this.#options = options;
    this.#corpus = new Corpus(mounted.map((one) => one.package));
  }

  /**
   * Opens all packages, or none.
   *
   * @throws MdcxError that names the file which was refused
   */
  static async open(mounts: readonly Mount[], options: MountedCorpusOptions): Promise<MountedCorpus> {
    const mounted = await openTogether(
      mounts,
      (mount) => MountedPackage.open(mount, options),
      (one) => one.package.close(),
    );
    try {
      return new MountedCorpus(mounted, options);
    } catch (error) {
      for (const one of mounted) await one.package.close();
      throw error;
    }
  }

  /** The files with what was opened, in the order in which they were given. */
  get mounted(): readonly MountedPackage[] {
    return this.#mounted;
  }

  search(question: string, options?: SearchOptions): Promise<Reply> {
    return this.#noticed((corpus) => corpus.search(question, options));
  }

  info(): Promise<CorpusInfo> {
    return this.#noticed((corpus) => corpus.info());
  }

  documents(from?: number, limit?: number, listing?: Listing): Promise<DocumentList> {
    return this.#ask((corpus) => corpus.documents(from, limit, listing));
  }

  document(name: string, around?: Around): Promise<DocumentText> {
    return this.#noticed((corpus) => corpus.document(name, around));
  }

  /** Closes the packages. Calls under way are refused. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#changing?.catch(() => undefined);
    await this.#corpus.close();
  }

  async #noticed<T extends Noticed>(work: (corpus: Corpus) => Promise<T>): Promise<T> {
    const reply = await this.#ask(work);
    const troubles = this.#mounted.flatMap(({ trouble }) => trouble?.message ?? []);
    const news = this.#news.splice(0);
    const notices = [...(reply.notices ?? []), ...news, ...troubles];
    if (notices.length === 0) return reply;
    return { ...reply, notices, ...(news.length > 0 && { replaced: true }) };
  }

  async #ask<T>(work: (corpus: Corpus) => Promise<T>): Promise<T> {
    try {
      return await this.#run(work);
    } catch (error) {
      // A file that is written over in place shows in its leaves: what is there now may be whole, and is asked once more.
      if (!isDamage(error)) throw error;
      for (const one of this.#mounted) one.doubt();
      if (!this.#mounted.some((one) => one.isReplaced())) throw error;
    }
    return await this.#run(work);
  }

  /** Runs a call on what lies on disk now. Between the last look at it and the call there is no other's turn. */
  async #run<T>(work: (corpus: Corpus) => Promise<T>): Promise<T> {
    for (;;) {
      // Every one is looked at: that forgets the trouble of a file which was put back.
      const awaits = this.#changing === undefined && this.#mounted.filter((one) => one.awaitsOpening()).length > 0;
      if (this.#changing === undefined && !awaits) break;
      await (this.#changing ?? this.#change(() => this.#remount()));
    }
    clearTimeout(this.#idle);
    this.#running++;
    try {
      return await work(this.#corpus);
    } finally {
      this.#running--;
      if (this.#running === 0) {
        this.#quiet?.();
        this.#restLater();
      }
    }
  }

  /** Runs a change alone: when the calls under way have ended, and before those that come. */
  #change(change: () => Promise<void>): Promise<void> {
    const before = this.#changing;
    const changing = (async () => {
      await before;
      if (this.#running > 0)
        await new Promise<void>((resolve) => {
          this.#quiet = resolve;
        });
      this.#quiet = undefined;
      await change();
    })().finally(() => {
      if (this.#changing === changing) this.#changing = undefined;
    });
    this.#changing = changing;
    return changing;
  }

  async #remount(): Promise<void> {
    // Those that were refused a moment ago too: of two files that are exchanged, one comes first.
    const replaced = this.#mounted.filter((one) => one.isReplaced());
    const told = new Map(replaced.map((one) => [one, one.trouble?.message]));
    const openings: Opening[] = [];
    for (const one of replaced) {
      const replacement = await one.openAnew();
      if (replacement === undefined) continue;
      const { id, claims } = replacement.opened;
      const newer = this.#mounted.find(({ package: now }) => now.id === id && now.claims.revision > claims.revision);
      if (newer === undefined) openings.push({ one, replacement });
      else await this.#refuse({ one, replacement }, olderThanMounted(newer));
    }
    // All at once where that can be: each of two exchanged files alone would stand beside itself.
    const refused = await this.#replace(openings);
    if (refused !== undefined && openings.length === 1) await this.#refuse(openings[0]!, refused);
    else if (refused !== undefined)
      for (const opening of openings) {
        const error = await this.#replace([opening]);
        if (error !== undefined) await this.#refuse(opening, error);
      }
    for (const one of replaced) {
      const { file, trouble } = one;
      if (trouble !== undefined && trouble.message !== told.get(one))
        this.#options.onEvent?.({ kind: "kept", file, packageId: one.package.id, code: trouble.code });
    }
  }

  /** @returns why they cannot be read together with the others; nothing has changed then */
  async #replace(openings: readonly Opening[]): Promise<unknown> {
    const opened = new Map(openings.map(({ one, replacement }) => [one, replacement.opened]));
    try {
      this.#corpus = new Corpus(this.#mounted.map((one) => opened.get(one) ?? one.package));
    } catch (error) {
      return error;
    }
    for (const { one, replacement } of openings) {
      const before = one.replace(replacement);
      await before.close();
      const { id, claims } = replacement.opened;
      // What was only doubted may be what it was.
      if (before.root === replacement.opened.root) continue;
      this.#news.push(`${one.file} was replaced: the new file answers from now on (revision ${claims.revision}).`);
      this.#options.onEvent?.({ kind: "replaced", file: one.file, packageId: id, revision: claims.revision });
    }
    return undefined;
  }

  async #refuse({ one, replacement }: Opening, error: unknown): Promise<void> {
    one.keep(replacement, error);
    await replacement.opened.close();
  }

  #restLater(): void {
    const { idleUnload = 0, onEvent } = this.#options;
    if (idleUnload === 0) return;
    this.#idle = setTimeout(() => {
      // What cannot be let go of is held until the next time.
      this.#change(async () => {
        await this.#corpus.rest();
        collectGarbage();
        onEvent?.({ kind: "rested" });
      }).catch(() => undefined);
    }, idleUnload);
    // Whoever has nothing else to do need not wait for it.
    this.#idle.unref();
  }
}

/** What may answer in place of what does. */
interface Opening {
  readonly one: MountedPackage;
  readonly replacement: Replacement;
}

function olderThanMounted({ file, package: { claims } }: MountedPackage): MdcxError {
  return new MdcxError(
    "older-revision",
    `it is an older revision of what was opened as ${file}, which is revision ${claims.revision}`,
  );
}

function isDamage(error: unknown): boolean {
  return error instanceof MdcxError && DAMAGED.has(error.code);
}
