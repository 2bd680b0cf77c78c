import type { Argv } from "yargs";
import type { ConvertOptions } from "../src/convert-entry.js";
import { MdcxError } from "../src/errors.js";

/** The options that say how originals are converted, wherever that happens. */
export function withConversion<T>(args: Argv<T>) {
  return args
    .option("passwords", {
      type: "string",
      requiresArg: true,
      describe: "file that opens protected documents: a pattern, a tab and a password on each line",
    })
    .option("ocr", {
      type: "string",
      requiresArg: true,
      default: "auto",
      describe: "recognise text in pages that are pictures: auto, off, or languages such as eng+deu",
    })
    .option("timeout", {
      type: "number",
      requiresArg: true,
      default: 1200,
      describe: "give a document up after so many seconds; 0 waits for ever",
    })
    .option("max-cores", { type: "number", requiresArg: true, describe: "use so many processors at most" })
    .option("workers", { type: "number", requiresArg: true, describe: "convert so many documents side by side" });
}

/** What was asked, as the library takes it. */
export function conversionOf(args: {
  readonly passwords?: string | undefined;
  readonly ocr: string;
  readonly timeout: number;
  readonly maxCores?: number | undefined;
  readonly workers?: number | undefined;
}): ConvertOptions {
  return {
    ocr: ocrOf(args.ocr),
    timeout: args.timeout,
    ...(args.passwords !== undefined && { passwords: args.passwords }),
    ...(args.maxCores !== undefined && { maxCores: args.maxCores }),
    ...(args.workers !== undefined && { workers: args.workers }),
  };
}

function ocrOf(text: string): "auto" | "off" | readonly string[] {
  if (text === "auto" || text === "off") return text;
  const languages = text.split(/[+,]/).map((language) => language.trim());
  if (!languages.every((language) => /^[a-z]{3}(?:_[a-z]+)*$/i.test(language)))
    throw new MdcxError("bad-input", "--ocr needs auto, off, or languages by Tesseract's names, such as eng+deu.");
  return languages;
}
