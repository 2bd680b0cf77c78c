/**
 * Text of pages that are only pictures: drawn by PDFium, recognised by Tesseract in a worker thread of its own, with
 * language data that was installed from npm. Nothing is fetched and nothing is written.
 *
 * Two properties of tesseract.js 7 shape this file. It only answers what its thread answers: where loading fails or the
 * thread dies, its promises stay open for ever, so everything runs against a clock and against the thread's own events.
 * And it looks for all languages in one folder, while each comes in a package of its own; the further ones are put into
 * the thread's memory by hand.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Worker as Thread } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import type { Line, Page, Worker as Tesseract } from "tesseract.js";
import { MdcxError } from "../../errors.js";
import { optional } from "../../node/optional-package.js";
import { refuse } from "../refusal.js";
import type { GreyPicture, PdfiumDocument, Turn } from "./pdfium.js";

/** Dots per inch at which letters of ten points are recognised best. */
const RESOLUTION = 300;
/** An A4 page at 300 dpi has 8.7 million pixels; Tesseract holds several copies, so larger pages are drawn coarser. */
const MOST_PIXELS = 9_000_000;
/** Enough to tell which way up a page is, at a fifth of the time. */
const TRIAL_PIXELS = 1_600_000;
/** A page of dense print takes 5 s on one core; many workers share the cores. */
const TIMEOUT_MS = 180_000;
const START_TIMEOUT_MS = 60_000;
/** Mean confidence, of 100, below which a page may lie on its side: upright print has 80 and more, turned print under 50. */
const SURE = 70;
/** Words below this are marks in pictures that look like letters. */
const LEAST_WORD = 25;

/** Shades, of 256, between paper and print. */
const LEAST_CONTRAST = 24;

/** What was recognised on a page. */
export interface RecognisedPage {
  /** Paragraphs parted by a blank line, each on one line; empty where nothing was recognised. */
  readonly text: string;
  /** Mean confidence of its words by Tesseract's own account, 0 to 100. */
  readonly confidence: number;
  /** By how much the page was turned to be read. */
  readonly turn: Turn;
}

interface Running {
  readonly languages: string;
  readonly tesseract: Tesseract;
  readonly thread: Thread;
  /** Rejects when the thread ends or Tesseract reports an error. */
  readonly failure: Promise<never>;
}

let running: Promise<Running> | undefined;

/**
 * Recognises the text of a page (from 1) of an opened document. One thread is kept for all pages in the same languages
 * until `closeOcr`.
 *
 * @throws MdcxError `missing-package` naming the package of a language that is not installed, `refused` where recognition
 * fails or takes too long; the next page starts afresh.
 */
export async function recognisePage(
  document: PdfiumDocument,
  number: number,
  languages: readonly string[],
): Promise<RecognisedPage> {
  const upright = await recogniseTurned(document, number, languages, 0, MOST_PIXELS);
  if (upright.confidence >= SURE) return upright;
  let best = { turn: 0 as Turn, weight: -1 };
  for (const turn of [0, 90, 180, 270] as const) {
    const trial = await recogniseTurned(document, number, languages, turn, TRIAL_PIXELS);
    const weight = trial.confidence * trial.text.replace(/[^\p{L}\p{N}]/gu, "").length;
    if (weight > best.weight) best = { turn, weight };
  }
  return best.turn === 0 ? upright : await recogniseTurned(document, number, languages, best.turn, MOST_PIXELS);
}

/** Ends the thread that recognises. The next page starts a new one. */
export async function closeOcr(): Promise<void> {
  const ending = running;
  running = undefined;
  await ending?.then(({ thread }) => thread.terminate()).catch(() => undefined);
}

async function recogniseTurned(
  document: PdfiumDocument,
  number: number,
  languages: readonly string[],
  turn: Turn,
  mostPixels: number,
): Promise<RecognisedPage> {
  const picture = document.render(number, RESOLUTION, mostPixels, turn);
  if (picture === undefined) refuse(`Page ${number} cannot be drawn, so that nothing can be recognised on it.`);
  if (isBlank(picture)) return { text: "", confidence: 100, turn };
  const { tesseract, failure } = await start(languages);
  try {
    const page = await within(
      TIMEOUT_MS,
      `Recognising the text of page ${number}`,
      Promise.race([tesseract.recognize(portableGreymap(picture), {}, { text: false, blocks: true }), failure]),
    );
    return { ...readBlocks(page.data), turn };
  } catch (error) {
    await closeOcr();
    throw error;
  }
}

async function start(languages: readonly string[]): Promise<Running> {
  const wanted = languages.join("+");
  if (running !== undefined && (await running).languages !== wanted) await closeOcr();
  running ??= launch(languages).catch((error: unknown) => {
    running = undefined;
    throw error;
  });
  return await running;
}

async function launch(languages: readonly string[]): Promise<Running> {
  const [first, ...others] = languages.map((language) => ({ language, folder: languageFolder(language) }));
  if (first === undefined) refuse("No language is given for the recognition of text: eng, deu, fra or others.");
  const { createWorker, OEM } = await optional(
    "recognising text in pictures",
    async () => (await import("tesseract.js")).default,
  );
  let fail: (error: Error) => void = () => undefined;
  const failure = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Nobody waits for it between two pages.
  failure.catch(() => undefined);
  const ended = (cause: unknown): void => {
    fail(new MdcxError("refused", `The recognition of text ended by itself: ${String(cause)}.`, { cause }));
  };
  const loaded = [first.language];
  const launching = createWorker(loaded, OEM.LSTM_ONLY, {
    langPath: first.folder,
    gzip: true,
    cacheMethod: "none",
    errorHandler: ended,
  });
  const tesseract = await within(START_TIMEOUT_MS, "Starting Tesseract", Promise.race([launching, failure]));
  const { worker: thread } = tesseract as Tesseract & { readonly worker: Thread };
  thread.on("error", ended);
  thread.on("exit", (code) => {
    ended(`its thread left with ${code}`);
  });
  // A caller that forgets closeOcr still ends.
  thread.unref();
  const preparing = async (): Promise<void> => {
    for (const { language, folder } of others) {
      const data = gunzipSync(readFileSync(join(folder, `${language}.traineddata.gz`)));
      await tesseract.FS("writeFile", [`./${language}.traineddata`, data]);
    }
    if (others.length > 0) {
      // tesseract.js keeps this very array as the list of what is loaded, and looks for nothing that is in it.
      loaded.push(...others.map(({ language }) => language));
      await tesseract.reinitialize(loaded.join("+"), OEM.LSTM_ONLY);
    }
    await tesseract.setParameters({ user_defined_dpi: String(RESOLUTION) });
  };
  await within(START_TIMEOUT_MS, "Starting Tesseract", Promise.race([preparing(), failure]));
  return { languages: languages.join("+"), tesseract, thread, failure };
}

/** The folder of a language's data in its package `@tesseract.js-data/LANGUAGE`. */
function languageFolder(language: string): string {
  if (!/^[a-z]{3}(?:_[a-z]+)*$/i.test(language)) {
    refuse(`${JSON.stringify(language)} is no language of Tesseract: eng, deu, fra, chi_sim or another of its names.`);
  }
  const name = `@tesseract.js-data/${language}`;
  let folder: string | undefined;
  try {
    folder = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), "4.0.0_best_int");
  } catch (error) {
    if ((error as { code?: unknown }).code !== "MODULE_NOT_FOUND") throw error;
  }
  if (folder === undefined || !existsSync(join(folder, `${language}.traineddata.gz`))) {
    throw new MdcxError(
      "missing-package",
      `Recognising text in ${language} needs the package ${name}: run npm install ${name}.`,
    );
  }
  return folder;
}

async function within<T>(milliseconds: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new MdcxError("refused", `${what} took longer than ${milliseconds / 1000} seconds.`));
    }, milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Nothing is printed in a picture of one shade; recognising it would only be slow. */
function isBlank({ pixels }: GreyPicture): boolean {
  let darkest = 255;
  let lightest = 0;
  for (const shade of pixels) {
    if (shade < darkest) darkest = shade;
    if (shade > lightest) lightest = shade;
  }
  return lightest - darkest < LEAST_CONTRAST;
}

function portableGreymap({ width, height, pixels }: GreyPicture): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}

/** Paragraphs with their lines joined, words broken by a hyphen at a line's end made whole, specks left out. */
function readBlocks(page: Page): { text: string; confidence: number } {
  const paragraphs: string[] = [];
  let sum = 0;
  let count = 0;
  for (const { paragraphs: inBlock, bbox: block } of page.blocks ?? []) {
    for (const { lines } of inBlock) {
      let text = "";
      let previous: Line | undefined;
      for (const line of lines) {
        const kept = line.words.filter(({ text: word, confidence }) => confidence >= LEAST_WORD && word.trim() !== "");
        if (kept.length === 0) continue;
        for (const { confidence } of kept) sum += confidence;
        count += kept.length;
        const words = kept.map(({ text: word }) => word).join(" ");
        if (previous !== undefined && beginsParagraph(line, words, previous, block.x1)) {
          paragraphs.push(text);
          text = words;
        } else if (/\p{L}-$/u.test(text) && /^\p{Ll}/u.test(words)) text = text.slice(0, -1) + words;
        else text = text === "" ? words : `${text} ${words}`;
        previous = line;
      }
      paragraphs.push(text);
    }
  }
  const text = paragraphs.filter((paragraph) => /[\p{L}\p{N}]/u.test(paragraph)).join("\n\n");
  return { text, confidence: count === 0 ? 0 : sum / count };
}

/**
 * Tesseract takes a whole form or list for one paragraph. A line begins another one where it carries a bullet or a number,
 * stands apart, or where its first word would have found room at the end of the line above.
 */
function beginsParagraph(line: Line, words: string, previous: Line, right: number): boolean {
  if (/^(?:[•*«»‣◦·+=-]|\(?\d{1,3}[.)]|[a-z][.)])\s/i.test(words)) return true;
  const height = previous.bbox.y1 - previous.bbox.y0;
  if (line.bbox.y0 - previous.bbox.y1 > 1.2 * height) return true;
  const first = line.words[0]!.bbox;
  return previous.bbox.x1 + (first.x1 - first.x0) + height < right;
}
