/**
 * A PDF opened by pdfjs. Nothing is fetched: character maps and standard fonts come from the package's folder. Pictures are
 * left out before they are decoded, which makes a list of operators as cheap as text alone. All waiting has an end.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/types/src/display/api.js";
import type { Original } from "../engine.js";
import { refuse } from "../refusal.js";
import { MdcxError } from "../../errors.js";
import { readDrawing, type Drawing, type FontFace } from "./drawing.js";
import { faceOf } from "./fonts.js";
import { matrixOf, type Matrix } from "./matrix.js";
import { dateOf, languageTag, sensibleTitle } from "./metadata.js";
import { pdfjs, PdfThread } from "./thread.js";

/** The package and its version, for certificates. */
export const PDFJS = "pdfjs-dist 5.6.205";

/** A page that takes longer, in milliseconds, is given up; ordinary ones take 10 to 50. */
const LONGEST_PAGE = 3_000;
/** So many pages are waited for; a document that hangs more often is not read on. */
const MOST_GIVEN_UP = 2;
/** The whole of opening: cross references, repairs, passwords. */
const LONGEST_OPENING = 6_000;
const LONGEST_QUESTION = 4_000;
/**
 * A document of more pages leaves so much garbage in the thread (100 MB after 600 pages) that the thread is ended with it:
 * what checks the conversion needs that memory, and starting another thread takes a fraction of a second.
 */
const MOST_PAGES_KEPT = 100;
const MOST_ANNOTATIONS = 10_000;
/** pdfjs's numbers of the kinds of annotations that hold text or links: all that are drawn but pop-ups, sounds and films. */
const KINDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 20];

/** An annotation as pdfjs hands it over, as far as it is read here. */
export interface Annotation {
  readonly subtype: string;
  readonly rect: readonly [number, number, number, number];
  /** The target as the file states it; pdfjs has a second one, in another spelling. */
  readonly unsafeUrl?: string;
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  readonly password?: boolean;
  /** Bits: 2 is hidden, 32 not for the screen. */
  readonly annotationFlags?: number;
  readonly contentsObj?: { readonly str?: string };
}

/** What pdfjs gives of one page, before the layout. */
export interface RawPage {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /** From the page's own coordinates to points from its top left. */
  readonly viewport: Matrix;
  readonly drawing: Drawing;
  readonly annotations: readonly Annotation[];
  /** Alternative texts of its figures, in order, where the document has a structure that gives them. */
  readonly figures: readonly string[];
}

/** A line of the document's table of bookmarks. */
export interface OutlineEntry {
  readonly title: string;
  /** 0 for the outermost. */
  readonly depth: number;
  /** From 1; undefined where it leads nowhere. */
  readonly page: number | undefined;
}

export interface Metadata {
  readonly title?: string;
  readonly language?: string;
  readonly date?: string;
}

/** An opened PDF. `close` it in a `finally`. */
export class PdfDocument {
  /** Pages that really exist: pdfjs looks for the last one and counts where the file lies. */
  readonly pageCount: number;
  #givenUp = 0;
  #fonts = new Map<string, FontFace | undefined>();
  #tagged: boolean | undefined;
  #annotated = new Map<number, Annotation[]>();

  private constructor(
    private readonly original: Original,
    private opened: Opened,
  ) {
    this.pageCount = opened.proxy.numPages;
  }

  static async open(original: Original): Promise<PdfDocument> {
    return new PdfDocument(original, await open(original));
  }

  /** One page (from 1), or why it cannot be read. */
  async read(number: number): Promise<RawPage | string> {
    if (this.#givenUp > MOST_GIVEN_UP) return `page ${number} was not tried after too many that could not be read`;
    try {
      return await within(this.#read(number), LONGEST_PAGE, this.opened.thread);
    } catch (cause) {
      if (!(cause instanceof Late)) return `page ${number} is damaged and could not be read`;
      this.#givenUp += 1;
      // What hangs goes on until its thread ends, and the document is opened again for the other pages.
      await this.opened.abandon();
      this.#fonts.clear();
      this.#annotated.clear();
      this.opened = await open(this.original);
      return `page ${number} took too long and was given up`;
    }
  }

  async #read(number: number): Promise<RawPage> {
    const page = await this.opened.proxy.getPage(number);
    try {
      const viewport = page.getViewport({ scale: 1 });
      const list = await page.getOperatorList({ annotationMode: this.opened.annotationsOff });
      const drawing = readDrawing(
        list,
        matrixOf(viewport.transform),
        (name) => this.#font(page, name),
        (layer) => this.opened.isShown(layer),
      );
      return {
        number,
        width: viewport.width,
        height: viewport.height,
        viewport: matrixOf(viewport.transform),
        drawing,
        annotations: await this.#annotations(number),
        figures: drawing.pictures.some(({ image }) => image) ? await this.#figures(page) : [],
      };
    } finally {
      page.cleanup();
    }
  }

  async #figures(page: PDFPageProxy): Promise<string[]> {
    this.#tagged ??=
      ((await this.opened.proxy.getMarkInfo().catch(() => null)) as { Marked?: boolean } | null)?.Marked === true;
    if (!this.#tagged) return [];
    const figures: string[] = [];
    const waiting: StructureNode[] = [((await page.getStructTree().catch(() => null)) as StructureNode | null) ?? {}];
    for (let read = 0; waiting.length > 0 && read < MOST_ANNOTATIONS; read += 1) {
      const { role, alt, children = [] } = waiting.pop()!;
      if (role === "Figure") figures.push((alt ?? "").replace(/\s+/g, " ").trim());
      else waiting.push(...children.toReversed());
    }
    return figures;
  }

  /**
   * The annotations of a page, asked for by batches of pages: asked for page by page, pdfjs reads the whole text of every
   * page with a link once more, for the words below it.
   */
  async #annotations(number: number): Promise<readonly Annotation[]> {
    if (this.#annotated.has(number)) return this.#annotated.get(number)!;
    const size = Math.max(16, Math.ceil(this.pageCount / 64));
    const skipped = new Set<number>();
    for (let index = 0; index < this.pageCount; index += 1) {
      if (index < number - 1 || index >= number - 1 + size) skipped.add(index);
    }
    this.#annotated.clear();
    for (let page = number; page < number + size; page += 1) this.#annotated.set(page, []);
    const found = (await this.opened.proxy
      .getAnnotationsByType(new Set(KINDS), skipped)
      .catch(() => [])) as (Annotation & {
      readonly pageIndex: number;
    })[];
    for (const annotation of found) {
      const list = this.#annotated.get(annotation.pageIndex + 1);
      if (list !== undefined && list.length < MOST_ANNOTATIONS) list.push(annotation);
    }
    return this.#annotated.get(number)!;
  }

  #font(page: PDFPageProxy, name: string): FontFace | undefined {
    if (this.#fonts.has(name)) return this.#fonts.get(name);
    const objects = page.commonObjs as { has(id: string): boolean; get(id: string): unknown };
    const face = objects.has(name) ? faceOf(objects.get(name)) : undefined;
    if (objects.has(name)) this.#fonts.set(name, face);
    return face;
  }

  /** The bookmarks in order; empty where there are none. */
  async outline(mostEntries: number): Promise<OutlineEntry[]> {
    const entries: OutlineEntry[] = [];
    try {
      // null where there are none, which the types do not say.
      const found = (await within(this.opened.proxy.getOutline(), LONGEST_QUESTION, this.opened.thread)) as
        OutlineNode[] | null;
      const roots = found ?? [];
      const named = await this.#destinations(roots);
      const waiting = roots.map((node) => ({ node, depth: 0 })).reverse();
      while (waiting.length > 0 && entries.length < mostEntries) {
        const { node, depth } = waiting.pop()!;
        const title = node.title.replace(/[\s\0]+/g, " ").trim();
        if (title !== "") {
          const page = await within(this.#pageOf(node.dest, named), LONGEST_QUESTION, this.opened.thread);
          entries.push({ title, depth, page });
        }
        if (depth < 32) waiting.push(...(node.items ?? []).map((item) => ({ node: item, depth: depth + 1 })).reverse());
      }
    } catch {
      // A document whose bookmarks are damaged is read without them.
    }
    return entries;
  }

  /** All named destinations at once where there are bookmarks that use them: asked one by one, thousands take seconds. */
  async #destinations(roots: readonly OutlineNode[]): Promise<Readonly<Record<string, unknown>>> {
    if (!roots.some((node) => typeof node.dest === "string")) return {};
    return await within(this.opened.proxy.getDestinations(), LONGEST_QUESTION, this.opened.thread);
  }

  async #pageOf(destination: unknown, named: Readonly<Record<string, unknown>>): Promise<number | undefined> {
    const explicit = typeof destination === "string" ? named[destination] : destination;
    const target: unknown = Array.isArray(explicit) ? explicit[0] : undefined;
    if (typeof target === "number") return target + 1;
    if (typeof target !== "object" || target === null) return undefined;
    try {
      return (await this.opened.proxy.getPageIndex(target as Parameters<PDFDocumentProxy["getPageIndex"]>[0])) + 1;
    } catch {
      return undefined;
    }
  }

  /** What the document states of itself. */
  async metadata(): Promise<Metadata> {
    try {
      const { info, metadata } = await within(this.opened.proxy.getMetadata(), LONGEST_QUESTION, this.opened.thread);
      const facts = info as Readonly<Record<string, unknown>>;
      const xmp = metadata as { get(name: string): unknown } | null;
      const title = [facts.Title, xmp?.get("dc:title")].map(sensibleTitle).find((each) => each !== undefined);
      const language = [facts.Language, xmp?.get("dc:language")].map(languageTag).find((each) => each !== undefined);
      const date = ["prism:publicationdate", "prism:coverdate", "dc:date"]
        .map((name) => dateOf(xmp?.get(name)))
        .find((each) => each !== undefined);
      return { ...(title && { title }), ...(language && { language }), ...(date && { date }) };
    } catch {
      return {};
    }
  }

  async close(): Promise<void> {
    await (this.pageCount > MOST_PAGES_KEPT ? this.opened.abandon() : this.opened.close());
  }
}

interface StructureNode {
  readonly role?: string;
  readonly alt?: string;
  readonly children?: readonly StructureNode[];
}

interface OutlineNode {
  readonly title: string;
  readonly dest: unknown;
  readonly items?: readonly OutlineNode[];
}

interface Opened {
  readonly proxy: PDFDocumentProxy;
  readonly annotationsOff: number;
  readonly thread: PdfThread;
  isShown(layer: unknown): boolean;
  /** Ends the document; its thread goes on with another one. */
  close(): Promise<void>;
  /** Ends the thread, whatever it does. */
  abandon(): Promise<void>;
}

async function open(original: Original): Promise<Opened> {
  const { AnnotationMode, getDocument } = await pdfjs();
  const thread = await PdfThread.get();
  const folder = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const task = getDocument({
    worker: thread.worker,
    // pdfjs takes the bytes away from whoever hands them over.
    data: original.bytes.slice(),
    ...(original.password !== undefined && { password: original.password }),
    cMapUrl: join(folder, "cmaps/"),
    cMapPacked: true,
    standardFontDataUrl: join(folder, "standard_fonts/"),
    // No picture is larger than one dot: all are left out, undecoded.
    maxImageSize: 1,
    isEvalSupported: false,
    useWasm: false,
    useSystemFonts: false,
    useWorkerFetch: false,
    enableXfa: false,
    verbosity: 0,
  });
  const abandon = async (): Promise<void> => {
    await thread.end();
  };
  const close = async (): Promise<void> => {
    await within(task.destroy(), LONGEST_QUESTION, thread).catch(abandon);
  };
  try {
    const proxy = await within(task.promise, LONGEST_OPENING, thread);
    const layers = await within(proxy.getOptionalContentConfig(), LONGEST_QUESTION, thread).catch(() => undefined);
    return {
      proxy,
      annotationsOff: AnnotationMode.DISABLE,
      thread,
      isShown: (layer) => layers?.isVisible(layer as Parameters<typeof layers.isVisible>[0]) !== false,
      close,
      abandon,
    };
  } catch (cause) {
    await (cause instanceof Late ? abandon() : close());
    return fail(original, cause);
  }
}

function fail(original: Original, cause: unknown): never {
  const { name, code } = cause as { name?: string; code?: number };
  if (cause instanceof MdcxError) throw cause;
  if (name === "PasswordException") {
    refuse(
      code === 2 && original.password !== undefined
        ? `The password given does not open ${original.path}.`
        : `${original.path} is protected by a password: give it with --passwords.`,
      { cause },
    );
  }
  if (cause instanceof Late)
    refuse(`${original.path} cannot be opened in reasonable time: it is damaged, or made to hang readers.`);
  refuse(`${original.path} is damaged: it cannot be read as a PDF. Save it again from a program that opens it.`, {
    cause,
  });
}

class Late extends Error {}

/**
 * The result of `work`, or `Late` when it has had its time: of the processor, since on a machine with much to do all work
 * is late, and ten times as long by the clock. It ends waiting, not the work.
 */
async function within<T>(work: Promise<T>, milliseconds: number, thread: PdfThread): Promise<T> {
  const usage = process.cpuUsage();
  const start = performance.now();
  return await new Promise<T>((resolve, reject) => {
    const finish = (): void => {
      clearInterval(timer);
      forget();
    };
    const late = (): void => {
      finish();
      reject(new Late());
    };
    const timer = setInterval(
      () => {
        const { user, system } = process.cpuUsage(usage);
        if ((user + system) / 1000 > milliseconds || performance.now() - start > 10 * milliseconds) late();
      },
      Math.min(500, milliseconds),
    );
    const forget = thread.whenEnded(late);
    work.then(
      (result) => {
        finish();
        resolve(result);
      },
      (cause: unknown) => {
        finish();
        reject(cause instanceof Error ? cause : new Error(String(cause)));
      },
    );
  });
}
