import { bytesToHex } from "@noble/hashes/utils.js";
import { parseDocumentName, parsePassageId, shortId } from "./document-name.js";
import { textOf } from "./document.js";
import { MdcxError } from "./errors.js";
import { countFacts, type FactCounts } from "./fact-counts.js";
import type { Claims } from "./format/claims.js";
import {
  openContainer,
  type Head,
  type OpenedContainer,
  type OpenOptions,
  type SignatureState,
} from "./format/container.js";
import { whenHere } from "./format/not-here-yet.js";
import type { PageReader } from "./format/pages.js";
import type { Primitives } from "./format/primitives.js";
import type { Source } from "./format/source.js";
import { Image, type ImageOptions } from "./image/reader.js";
import { nearestPaths } from "./nearest-names.js";
import { isSafePath } from "./image/path.js";
import type { Document } from "./image/records.js";
import type { DocumentLine, DocumentText, Listing, PackageInfo, Reply } from "./reply.js";
import type { ScanBeside } from "./meaning/scan/scan-beside.js";
import { PackageMeaning, type EncoderFor } from "./package-meaning.js";
import { documentKey, Search, type SearchOptions } from "./search.js";
import { unknownDocument } from "./unknown-document.js";
import { indexableText } from "./text/markers.js";
import { readFrontMatter } from "./text/front-matter.js";
import { judgePackage } from "./judged-package.js";
import { NearestPassages, type NearAnswer } from "./nearest-passages.js";
import { DEPTH, type Ranked } from "./ranking/fuse.js";
import { assess, type Assessment } from "./ranking/assess.js";
import { closeness, runnerUp, type Closeness } from "./ranking/relevance.js";
import { unfamiliar, type Unfamiliar } from "./ranking/unfamiliar.js";
import { RULES } from "./text/rules.js";
import { vocabulary, type Vocabulary } from "./words/vocabulary.js";
import { WordIndex } from "./words/dictionary.js";
import { WORD_INDEX_VERSION } from "./words/dictionary-writer.js";

/** The rules on which the forms in the index depend; how a text was cut into passages does not matter to a question. */
const WORD_RULES = ["normalise", "words", "stems", "grams"] as const;
/** Characters of a document's text that a listing shows. */
const OPENING = 240;
/** Passages that may be asked for on either side of one. */
const MOST_NEIGHBOURS = 10;
/** Bytes read of a document for it: front matter comes first, and a character takes up to four. */
const OPENING_BYTES = 8_192;

/** What opening a package needs: secrets and pins of the container, how text is inflated, and where SQLite's wasm lies in a browser. */
export interface PackageOptions extends OpenOptions, ReadingOptions {
  /** Gives the encoder when a question is put to meaning. Without it the package is found by words alone. */
  readonly encoder?: EncoderFor;
  /** Another thread that looks through vectors while words are looked up. */
  readonly scanBeside?: ScanBeside;
}

/** How an image is read on this platform. */
export type ReadingOptions = Pick<ImageOptions, "wasm" | "inflate">;

/** A document on its way out: its path in the folder, and its bytes as they were packed. */
export interface ExportedDocument {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * One opened package. Opening checks its head and first pages; everything else is checked and decrypted when a question
 * needs it, so any call may throw `leaf-damaged` or `chunk-damaged` for a file that is damaged further in. Of a package on the
 * web those that give no promise throw `NotHereYet` as well: `whenHere(() => pkg.document(name))`.
 */
export class Package {
  readonly image: Image;
  readonly id: string;
  /** Its vectors, and whether questions can be put to them here. */
  readonly meaning: PackageMeaning;
  readonly #container: OpenedContainer;
  #words: WordIndex | undefined;
  #search: Search | undefined;
  #nearest: NearestPassages | undefined;
  #facts: FactCounts | undefined;

  private constructor(container: OpenedContainer, image: Image, { encoder, scanBeside }: PackageOptions) {
    this.#container = container;
    this.image = image;
    this.id = container.head.claims.packageId;
    this.meaning = new PackageMeaning(image, this.name, encoder, scanBeside);
  }

  /**
   * Opens a package. The source is closed with it, and also when opening fails.
   *
   * @throws MdcxError naming the first check that fails (spec/container.md)
   */
  static async open(source: Source, primitives: Primitives, options: PackageOptions): Promise<Package> {
    try {
      const container = await openContainer(source, primitives, options);
      const image = await openImage(container.pages, container.head, options);
      return new Package(container, image, options);
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  get claims(): Claims {
    return this.#container.head.claims;
  }

  /** The root of its leaf table, 64 hex digits: the identity of its image. */
  get root(): string {
    return bytesToHex(this.#container.head.root);
  }

  get signature(): SignatureState {
    return this.#container.head.signatureState;
  }

  /** The title, or the name of the file where the package has none. */
  get name(): string {
    return this.claims.title === "" ? this.#container.head.name : this.claims.title;
  }

  /** Chunks of the image decrypted so far, and how many it has. */
  get decrypted(): { readonly chunks: number; readonly of: number } {
    return { chunks: this.#container.pages.chunksDecrypted, of: this.#container.pages.length / 16_384 };
  }

  /** The word index, read at the first question. @throws MdcxError `newer-rules` where other rules made it */
  get words(): WordIndex {
    this.#requireKnownRules();
    this.#words ??= new WordIndex(
      {
        dictionary: this.image.stream("dictionary"),
        postings: this.image.stream("postings"),
        lengths: this.image.stream("lengths"),
      },
      this.image.passageCount,
    );
    return this.#words;
  }

  /** What this reader would ask an index that other rules made is not what was put there (spec/README.md). */
  #requireKnownRules(): void {
    const { meta } = this.image;
    const unlike: string[] = WORD_RULES.filter((rule) => meta.get(`rule:${rule}`) !== String(RULES[rule]));
    if (meta.get("words.index") !== String(WORD_INDEX_VERSION)) unlike.push("words.index");
    if (unlike.length > 0)
      throw new MdcxError(
        "newer-rules",
        `${this.name} was packed with other rules for ${unlike.join(", ")} than this mdcx knows: it can be shown and exported; to search it, use a newer mdcx or pack it again.`,
      );
  }

  /** Languages of its documents, most frequent first. */
  get languages(): readonly string[] {
    return this.claims.languages.map(({ code }) => code);
  }

  /** Its searched documents by language. */
  get languageCounts(): Claims["languages"] {
    return this.claims.languages;
  }

  /** The best passages for a question. @throws MdcxError `bad-input` for a question that cannot be asked */
  async search(question: string, options: SearchOptions = {}): Promise<Reply> {
    this.#search ??= await whenHere(() => new Search([this]));
    return this.#search.ask(question, options);
  }

  /** How near the package comes to a text by meaning; undefined where meaning cannot be asked. */
  async closeness(text: string): Promise<Closeness | undefined> {
    const { hits, vectors } = await this.#near(text);
    if (hits.length === 0) return undefined;
    const similarities = hits.map(({ similarity }) => similarity).sort((a, b) => b - a);
    return closeness(similarities[0]!, this.meaning.calibration, vectors.get(0), runnerUp(similarities));
  }

  /** Whether the package bears on a text, by its own calibration alone; undefined where that cannot be told. */
  async answers(text: string): Promise<boolean | undefined> {
    return (await this.assess(text)).answers ?? undefined;
  }

  /** What of a text the package has never seen, and whether it could have. */
  unfamiliar(text: string): Promise<Unfamiliar> {
    return whenHere(() => unfamiliar(this, text));
  }

  /** Both signals about a text, by meaning and by words; neither overrules the other. */
  async assess(text: string): Promise<Assessment> {
    const words = await this.unfamiliar(text);
    const { hits, vectors, similarity } = await this.#near(text);
    if (similarity === undefined) return assess(words);
    const { calibration } = this.meaning;
    const languageOf = (hit: Ranked): string => this.#nearest!.languageOf(hit);
    const judged =
      calibration && judgePackage(calibration, hits, vectors.get(0)!, { language: words.language, languageOf });
    return assess(words, {
      similarity,
      answerableAt: calibration?.answerableAt ?? null,
      band: judged?.band ?? null,
      answers: judged ? judged.warning === undefined : null,
    });
  }

  /** The passages nearest to a text. */
  #near(text: string): Promise<NearAnswer> {
    this.#nearest ??= new NearestPassages([this]);
    return this.#nearest.ask(text, {
      limit: DEPTH,
      filter: undefined,
      order: (a, b) => a.passage - b.passage,
    });
  }

  /** Every term of the package with the passages that hold it. */
  vocabulary(): Vocabulary {
    return vocabulary(this.words);
  }

  /** What the package says of itself; `head.claims` is public, the rest is sealed. */
  info(): PackageInfo {
    const { claims } = this;
    return {
      name: this.name,
      claims: claims.raw,
      signature: this.signature,
      documents: claims.documents,
      passages: this.image.passageCount - this.image.overviewCount,
      overviews: this.image.overviewCount,
      attachments: claims.attachments,
      ...(this.#facts ??= countFacts(this.image)),
      languages: Object.fromEntries(claims.languages.map(({ code, documents }) => [code, documents])),
      rules: Object.fromEntries(
        [...this.image.meta].flatMap(([key, value]) => (key.startsWith("rule:") ? [[key.slice(5), value]] : [])),
      ),
      cut: this.#cut(),
      encoder: this.meaning.description ?? null,
      calibration: this.meaning.calibration ?? null,
    };
  }

  #cut(): string | null {
    const { meta } = this.image;
    const [rule, figures] = [meta.get("passages:rule"), meta.get("passages:figures")];
    return rule === undefined || figures === undefined ? null : `${rule}: ${figures}`;
  }

  /** Documents from number `from`, in the order of their paths, those that are not indexed included. */
  documents(from = 0, limit = 100, { openings = "with" }: Listing = {}): DocumentLine[] {
    return this.image.documents(from, limit).map((document) => ({
      packageId: this.id,
      package: this.name,
      document: `@/${document.path}`,
      title: document.title ?? document.path,
      language: document.language,
      bytes: document.bytes,
      passages: this.image.tileCount(document),
      indexed: document.indexed,
      ...(document.date !== null && { dated: document.date }),
      ...(document.dateOrigin !== null && { datedFrom: document.dateOrigin }),
      ...(document.direction !== null && { direction: document.direction }),
      opening: openings === "with" ? this.#opening(document) : "",
    }));
  }

  #opening(document: Document): string {
    return opening(textOf(this.image.documentBytes(document, 0, Math.min(document.bytes, OPENING_BYTES))));
  }

  get documentCount(): number {
    return this.image.documentCount;
  }

  /**
   * A document by its name (`@/folder/name.md`, with or without `@/`, or its full name), or a passage of it by its id with
   * neighbours.
   *
   * @param around passages before and after the one whose id is given, 0 to 10, clamped at the ends of the document
   * @throws MdcxError `not-found` with the nearest names
   */
  document(name: string, around: { readonly before?: number; readonly after?: number } = {}): DocumentText {
    const { before = 0, after = 0 } = around;
    for (const [which, count] of Object.entries({ before, after }))
      if (!Number.isInteger(count) || count < 0 || count > MOST_NEIGHBOURS)
        throw new MdcxError("bad-input", `The passages ${which} must be a whole number from 0 to ${MOST_NEIGHBOURS}.`);
    const byId = this.#passageById(name);
    const document = byId?.document ?? this.documentCalled(name);
    if (document === undefined) throw unknownDocument(name, this.name, this.#paths());
    const whole = {
      packageId: this.id,
      package: this.name,
      document: `@/${document.path}`,
      title: document.title ?? document.path,
      language: document.language,
      indexed: document.indexed,
      passages: this.image.tileCount(document),
    };
    if (byId === undefined) return { ...whole, text: textOf(this.image.documentBytes(document)) };
    const overview = byId.ordinal >= whole.passages;
    // What was written about a document has no neighbours in it.
    const first = overview ? byId.ordinal : Math.max(0, byId.ordinal - before);
    const last = overview ? byId.ordinal : Math.min(whole.passages - 1, byId.ordinal + after);
    const numbers = Array.from({ length: last - first + 1 }, (_, i) => document.firstPassage + first + i);
    const text = this.image.passages(numbers).map((passage) => textOf(this.image.passageBytes(passage)));
    return { ...whole, ...(overview && { kind: "overview" }), first, last, text: text.join("") };
  }

  /** The document of that name: `@/folder/name.md`, with or without `@/`, or `mdcx://1a2b3c4d/folder/name.md`. */
  documentCalled(name: string): Document | undefined {
    const { package: id, paths } = parseDocumentName(name);
    if (id !== undefined && !(id.length >= shortId(this.id).length && this.id.startsWith(id))) return undefined;
    for (const path of paths) {
      const document = this.image.documentByPath(path);
      if (document !== undefined) return document;
    }
    return undefined;
  }

  #passageById(name: string): { document: Document; ordinal: number } | undefined {
    const id = parsePassageId(name);
    if (id?.package !== shortId(this.id)) return undefined;
    const document = this.image.documents().find((one) => documentKey(one) === id.document);
    return document && id.ordinal < document.passages ? { document, ordinal: id.ordinal } : undefined;
  }

  /** Names of documents that are most like one that does not exist. */
  nearestNames(name: string): string[] {
    const [path = ""] = parseDocumentName(name).paths;
    return nearestPaths(path, this.#paths()).map((one) => `@/${one}`);
  }

  #paths(): string[] {
    return this.image.documents().map(({ path }) => path);
  }

  /**
   * Every document, byte for byte as it was packed, in the order of the paths.
   *
   * @throws MdcxError `unsafe-path` for a name that would leave the folder it is exported to
   */
  *export(): Generator<ExportedDocument> {
    for (let number = 0; number < this.image.documentCount; number++) yield this.exported(number);
  }

  /** Document `number` of those that `export` gives. @throws as `export` */
  exported(number: number): ExportedDocument {
    const document = this.image.document(number);
    if (!isSafePath(document.path))
      throw new MdcxError(
        "unsafe-path",
        `The package holds a document named ${JSON.stringify(document.path)}, which would leave the target folder: nothing of it was written.`,
      );
    return { path: document.path, bytes: this.image.documentBytes(document) };
  }

  /** Lets go of the key, the decrypted pages and the file. */
  async close(): Promise<void> {
    await this.meaning.close();
    this.image.close();
    await this.#container.close();
  }
}

/** Opens the image of a container and holds it against the claims. For `verify` as well. */
export async function openImage(pages: PageReader, head: Head, options: ReadingOptions = {}): Promise<Image> {
  const { packageId, documents, attachments, passages } = head.claims;
  return Image.open(pages, {
    ...(options.wasm && { wasm: options.wasm }),
    ...(options.inflate && { inflate: options.inflate }),
    expect: {
      package_id: packageId,
      documents: String(documents + attachments),
      attachments: String(attachments),
      passages: String(passages),
    },
  });
}

function opening(text: string): string {
  const body = indexableText(text.slice(readFrontMatter(text).end))
    .replace(/\s+/g, " ")
    .trim();
  const characters = Array.from(body.slice(0, 2 * OPENING));
  return characters.length <= OPENING ? characters.join("") : `${characters.slice(0, OPENING).join("").trimEnd()}…`;
}
