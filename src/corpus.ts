import { compareCodePoints } from "./text/code-points.js";
import { documentUri, parsePassageId, shortId } from "./document-name.js";
import { MdcxError } from "./errors.js";
import { whenHere } from "./format/not-here-yet.js";
import type { MeaningState } from "./package-meaning.js";
import { packageNames } from "./package-names.js";
import type { Package } from "./package.js";
import type { DocumentLine, DocumentText, Listing, Noticed, PackageInfo, Reply } from "./reply.js";
import { Search, type SearchOptions } from "./search.js";
import { unknownDocument } from "./unknown-document.js";

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

/** How a call may be given up. */
export interface Asking {
  /**
   * Aborted while the call waits for others, the call is refused with the signal's reason and never run. One that runs goes
   * on to its end.
   */
  readonly signal?: AbortSignal;
}

/**
 * What can be asked of several packages together. A `Corpus` answers in this thread; a server asks one in another thread.
 * Everything that goes in and out, but for the signal, can be cloned.
 */
export interface CorpusReading {
  /** The best passages for a question. @throws MdcxError `bad-input`, `no-meaning` */
  search(question: string, options?: SearchOptions, asking?: Asking): Promise<Reply>;
  /** What each package is, in the order of their names. */
  info(asking?: Asking): Promise<CorpusInfo>;
  /** Documents from number `from`, by path, those that are not indexed included. */
  documents(from?: number, limit?: number, listing?: Listing, asking?: Asking): Promise<DocumentList>;
  /**
   * A document by name, or a passage by its id with neighbours. A name is `@/folder/name.md`, or `mdcx://1a2b3c4d/folder/name.md`
   * with the first digits of a package's id, where several packages have a document of that name.
   *
   * @throws MdcxError `not-found` with the nearest names, `bad-input` with the full names where several packages have it
   */
  document(name: string, around?: Around, asking?: Asking): Promise<DocumentText>;
}

/**
 * Opened packages as one ranking (DESIGN §6). The order of mounting changes nothing: packages are held in the order of
 * their ids. They are closed with the corpus.
 */
export class Corpus implements CorpusReading {
  readonly packages: readonly Package[];
  /** What the packages are called, by id: in the order of `packages`. */
  readonly names: ReadonlyMap<string, string>;
  readonly #names: readonly string[];
  #search: Search | undefined;

  /**
   * @throws MdcxError `bad-input` where there is none, or the ids of two begin alike: a passage of one would be called as one
   * of the other's
   */
  constructor(packages: readonly Package[]) {
    if (packages.length === 0) throw new MdcxError("bad-input", "There is no package to read: name at least one.");
    this.packages = [...packages].sort((a, b) => (a.id < b.id ? -1 : 1));
    this.packages.forEach((one, i) => {
      const next = this.packages[i + 1];
      if (next !== undefined) requireApart(one, next);
    });
    this.#names = packageNames(this.packages);
    this.names = new Map(this.packages.map(({ id }, i) => [id, this.#names[i]!]));
  }

  async search(question: string, options: SearchOptions = {}): Promise<Reply> {
    this.#search ??= await whenHere(() => new Search(this.packages));
    return this.#search.ask(question, options);
  }

  async info(): Promise<CorpusInfo> {
    const packages: MountedPackage[] = [];
    for (const [i, one] of this.packages.entries())
      packages.push({
        ...(await whenHere(() => one.info())),
        name: this.#names[i]!,
        meaning: await one.meaning.state(),
      });
    return { packages: packages.sort((a, b) => compareCodePoints(a.name, b.name)) };
  }

  async documents(from = 0, limit = 100, listing: Listing = {}): Promise<DocumentList> {
    for (const [what, count] of Object.entries({ from, limit }))
      if (!Number.isSafeInteger(count) || count < 0)
        throw new MdcxError("bad-input", `${what} of a list of documents must be a whole number from 0.`);
    const total = this.packages.reduce((sum, one) => sum + one.documentCount, 0);
    const at = await whenHere(() => this.#placesBehind(Math.min(from, total)));
    const documents: DocumentLine[] = [];
    while (documents.length < limit) {
      const next = await whenHere(() => this.#firstOf(at));
      if (next === undefined) break;
      const [line] = await whenHere(() => this.packages[next]!.documents(at[next], 1, listing));
      documents.push({ ...line!, package: this.#names[next]! });
      at[next]!++;
    }
    return { documents, total };
  }

  async document(name: string, around: Around = {}): Promise<DocumentText> {
    const place = await whenHere(() => this.#packageOf(name));
    return { ...(await whenHere(() => this.packages[place]!.document(name, around))), package: this.#names[place]! };
  }

  /** Lets go of the encoders and of what is kept of the vectors. The next question takes them up again. */
  async rest(): Promise<void> {
    for (const one of this.packages) await one.meaning.close();
  }

  async close(): Promise<void> {
    for (const one of this.packages) await one.close();
  }

  /** The place of the package that has a passage or a document of that name. */
  #packageOf(name: string): number {
    const id = parsePassageId(name);
    const byId = id === undefined ? -1 : this.packages.findIndex((one) => shortId(one.id) === id.package);
    if (byId >= 0) return byId;
    const having = this.packages.flatMap((one, place) => {
      const document = one.documentCalled(name);
      return document === undefined ? [] : [{ place, uri: documentUri(one.id, document.path) }];
    });
    const [only] = having;
    if (only === undefined) throw this.#unknown(name);
    if (having.length === 1) return only.place;
    const each = having.map(({ place, uri }) => `${uri} (${this.#names[place]!})`);
    throw new MdcxError(
      "bad-input",
      `${having.length} packages have a document ${JSON.stringify(name)}: ask for one of them, ${each.join(", ")}.`,
    );
  }

  #unknown(name: string): MdcxError {
    const [only] = this.#names;
    const where = this.packages.length === 1 ? only! : `the ${this.packages.length} packages`;
    return unknownDocument(name, where, this.#paths());
  }

  *#paths(): Generator<string> {
    for (const { image } of this.packages) for (const { path } of image.documents()) yield path;
  }

  /**
   * How many documents of each package stand before document `count` of all, in the order of their paths. Far pages of a long
   * list are found without reading those before: a share of what is left is passed over at once, in the package whose
   * next ones come first.
   */
  #placesBehind(count: number): number[] {
    const at = this.packages.map(() => 0);
    for (let left = count; left > 0;) {
      const step = Math.max(1, Math.floor(left / at.length));
      const ahead = at.map((place, i) => Math.min(place + step, this.packages[i]!.documentCount));
      const first = this.#firstOf(
        ahead.map((place) => place - 1),
        at,
      )!;
      left -= ahead[first]! - at[first]!;
      at[first] = ahead[first]!;
    }
    return at;
  }

  /** Of the document at a place of each package, that which comes first: its package. A package that is at its end has none. */
  #firstOf(places: readonly number[], at: readonly number[] = places): number | undefined {
    let first: { readonly path: string; readonly package: number } | undefined;
    this.packages.forEach((one, i) => {
      if (at[i]! >= one.documentCount) return;
      const { path } = one.image.document(places[i]!);
      // Packages are in the order of their ids, which decides between equal paths.
      if (first === undefined || compareCodePoints(path, first.path) < 0) first = { path, package: i };
    });
    return first?.package;
  }
}

function requireApart(a: Package, b: Package): void {
  if (a.id === b.id)
    throw new MdcxError(
      "bad-input",
      `${a.name} is given twice (package ${a.id}): leave out one of the two, or the older revision.`,
    );
  if (shortId(a.id) === shortId(b.id))
    throw new MdcxError(
      "bad-input",
      `The ids of ${a.name} and ${b.name} begin alike (${shortId(a.id)}), so their passages could not be told apart: pack one again.`,
    );
}
