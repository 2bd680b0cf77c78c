import { compareCodePoints } from "./text/code-points.js";
import { MdcxError } from "./errors.js";
import type { MeaningState } from "./package-meaning.js";
import { packageNames } from "./package-names.js";
import type { Package } from "./package.js";
import type { DocumentLine, DocumentText, Noticed, PackageInfo, Reply } from "./reply.js";
import { Search, type SearchOptions } from "./search.js";

/** One of the packages of a corpus, and whether it can be asked by meaning here. */
export interface MountedPackage extends PackageInfo {
  readonly meaning: MeaningState;
}

/** A stretch of the list of documents, and how many there are in all. */
export interface DocumentList {
  readonly documents: readonly DocumentLine[];
  readonly total: number;
}

/** What a corpus says of itself. */
export interface CorpusInfo extends Noticed {
  readonly packages: readonly MountedPackage[];
}

/** How much of a document is wanted around a passage: passages before and after, 0 to 10. */
export interface Around {
  readonly before?: number;
  readonly after?: number;
}

/**
 * What can be asked of several packages together. A `Corpus` answers in this thread; a server asks one in another thread.
 * Everything that goes in and out can be cloned.
 */
export interface CorpusReading {
  /** The best passages for a question. @throws MdcxError `bad-input`, `no-meaning` */
  search(question: string, options?: SearchOptions): Promise<Reply>;
  /** What each package is, in the order of their names. */
  info(): Promise<CorpusInfo>;
  /** Documents from number `from`, by path, those that are not indexed included. */
  documents(from?: number, limit?: number): Promise<DocumentList>;
  /**
   * A document by name, or a passage by its id with neighbours. A name is `@/folder/name.md`, or `mdcx://1a2b3c4d/folder/name.md`
   * with the first digits of a package's id, where several packages have a document of that name.
   *
   * @throws MdcxError `not-found` with the nearest names, `bad-input` with the full names where there are several
   */
  document(name: string, around?: Around): Promise<DocumentText>;
}

/**
 * Opened packages as one ranking (DESIGN §6). The order of mounting changes nothing: packages are held in the order of
 * their ids. They are closed with the corpus.
 */
export class Corpus implements CorpusReading {
  readonly packages: readonly Package[];
  readonly #names: readonly string[];
  #search: Search | undefined;

  /** @throws MdcxError `bad-input` where there is none, or two are the same package: passages of one would have the ids of the other's */
  constructor(packages: readonly Package[]) {
    if (packages.length === 0) throw new MdcxError("bad-input", "There is no package to read: name at least one.");
    this.packages = [...packages].sort((a, b) => (a.id < b.id ? -1 : 1));
    const twice = this.packages.find((one, i) => one.id === this.packages[i + 1]?.id);
    if (twice !== undefined)
      throw new MdcxError(
        "bad-input",
        `${twice.name} is given twice (package ${twice.id}): leave out one of the two, or the older revision.`,
      );
    this.#names = packageNames(this.packages);
  }

  search(question: string, options: SearchOptions = {}): Promise<Reply> {
    this.#search ??= new Search(this.packages);
    return this.#search.ask(question, options);
  }

  async info(): Promise<CorpusInfo> {
    const packages: MountedPackage[] = [];
    for (const [i, one] of this.packages.entries())
      packages.push({ ...one.info(), name: this.#names[i]!, meaning: await one.meaning.state() });
    return { packages: packages.sort((a, b) => compareCodePoints(a.name, b.name)) };
  }

  documents(from = 0, limit = 100): Promise<DocumentList> {
    void from;
    void limit;
    throw new Error("to be written");
  }

  document(name: string, around: Around = {}): Promise<DocumentText> {
    void name;
    void around;
    throw new Error("to be written");
  }

  async close(): Promise<void> {
    for (const one of this.packages) await one.close();
  }
}
