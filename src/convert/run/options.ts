import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { MdcxError } from "../../errors.js";
import { requireShard, type Shard } from "../../shard.js";
import type { EngineOptions } from "../engine.js";
import type { BudgetWish } from "./budget.js";

/** How documents are converted, and with how much of the machine. */
export interface ConvertOptions extends BudgetWish {
  /** Only so many pages of each document, spread over it. */
  readonly samplePages?: number;
  /** Languages of text in pictures (Tesseract's names), `auto` for what is installed, or `off`. `auto` unless given. */
  readonly ocr?: "auto" | "off" | readonly string[];
  /** Seconds that a document may take; 0: for ever. 1,200 unless given. */
  readonly timeout?: number;
  /** Units after which a worker is replaced; 0: never. 50 unless given. */
  readonly recycleAfter?: number;
  /** Pages from which a PDF is converted by chapters. 120 unless given. */
  readonly splitThreshold?: number;
  /** File with a glob, a tab and a password a line. */
  readonly passwords?: string;
  /** Module that converts instead of convert.ts. */
  readonly converter?: URL;
  /** The compiled worker, where this code runs uncompiled. */
  readonly worker?: URL;
}

export const DEFAULTS = { timeout: 1200, recycleAfter: 50, splitThreshold: 120 } as const;

// Compiled or not, the package's own name finds its package.json.
const require = createRequire(import.meta.url);
export const { version: VERSION } = require("mdcx/package.json") as { version: string };

/** What the engines are told. */
export function engineOptions({ ocr = "auto", samplePages }: ConvertOptions): EngineOptions {
  return {
    ocr: ocr === "auto" ? installedLanguages() : ocr,
    ...(samplePages !== undefined && { sample: samplePages }),
  };
}

/** English, where its package is there: a plain install converts scanned files without text and says so. */
function installedLanguages(): readonly string[] | "off" {
  try {
    require.resolve("tesseract.js");
    require.resolve("@tesseract.js-data/eng/package.json");
    return ["eng"];
  } catch {
    return "off";
  }
}

/** A digest of all that shapes the Markdown of a source beside its bytes. */
export function ruleOf(options: EngineOptions): string {
  return digest([VERSION, options.ocr, options.sample ?? null]);
}

/** The same for a run: one that asks for something else does not take up an interrupted one. */
export function askedOf(rule: string, { timeout, memory }: ConvertOptions): string {
  return digest([rule, timeout ?? DEFAULTS.timeout, memory ?? null]);
}

/** A short digest of some values. */
export function digest(values: unknown): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 16);
}

/** @throws MdcxError `bad-input` where a number cannot be meant */
export function checkOptions(options: ConvertOptions & { readonly limit?: number; readonly shard?: Shard }): void {
  const whole = (name: string, value: number | undefined, least: number): void => {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= least))
      throw new MdcxError("bad-input", `${name} needs a whole number from ${least}.`);
  };
  whole("--limit", options.limit, 1);
  whole("--sample-pages", options.samplePages, 1);
  whole("--max-cores", options.maxCores, 1);
  whole("--workers", options.workers, 1);
  whole("--recycle-after", options.recycleAfter, 0);
  whole("--split-threshold", options.splitThreshold, 1);
  if (options.timeout !== undefined && !(options.timeout >= 0 && Number.isFinite(options.timeout)))
    throw new MdcxError("bad-input", "--timeout needs a number of seconds, or 0 to wait for ever.");
  if (options.shard) requireShard(options.shard);
}
