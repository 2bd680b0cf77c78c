/**
 * One document from its bytes to Markdown with a certificate: detect, engine, independent reader, comparison, recovery.
 * Nothing here writes or reads a file; run/ does.
 */
import { MdcxError } from "../errors.js";
import type { Certificate } from "./certificate.js";
import { certify } from "./compare/certify.js";
import { combine, unconvertedCertificate, uncheckedCertificate } from "./compare/combine.js";
import { recover, RECOVERED_HEADING } from "./compare/recover.js";
import { detect } from "./detect.js";
import type { Conversion, EngineOptions, Format, Original, PageRange, Reference } from "./engine.js";
import { FORMATS } from "./formats.js";
import { missingPackage } from "../node/optional-package.js";
import { withFrontMatter, type ConvertedFacts } from "./front-matter.js";

/** What became of a document or of one part of it. */
export interface PartResult {
  /** Absent where no format was recognised. */
  readonly format?: Format;
  /** The body, without front matter; empty where it was refused. */
  readonly markdown: string;
  /** What the engine left out, as blocks of Markdown; empty where nothing was. */
  readonly recovered: string;
  readonly certificate: Certificate;
  readonly facts: Pick<Conversion, "title" | "language" | "date" | "pagesTotal">;
}

/** A document when all its parts are together. */
export interface ConvertedDocument {
  /** With front matter; empty where it was refused. */
  readonly markdown: string;
  readonly certificate: Certificate;
}

/**
 * The parts in which a document of more than `threshold` pages is best converted: its chapters. One part that is undefined is
 * the whole document.
 */
export async function partsOf(original: Original, threshold: number): Promise<readonly (PageRange | undefined)[]> {
  const detected = detect(original.bytes, original.path);
  if (!("format" in detected) || detected.format !== "pdf") return [undefined];
  try {
    const { chaptersOf } = await import("./pdf/chapters.js");
    return (await chaptersOf(original, threshold))?.map(({ pages }) => pages) ?? [undefined];
  } catch {
    // Whatever is wrong with it, or missing here, is said when it is converted.
    return [undefined];
  }
}

/**
 * Converts a document, or the pages of it that `options` name, and compares the Markdown with what an independent reader
 * sees. A document that cannot be converted is a certificate too.
 *
 * @throws MdcxError `missing-package` where an optional package is not installed
 */
export async function convertPart(original: Original, options: EngineOptions): Promise<PartResult> {
  let format: Format | undefined;
  try {
    const detected = await opened(original);
    format = detected.format;
    return { format, ...(await converted(detected.original, detected.format, options)) };
  } catch (error) {
    if (!(error instanceof MdcxError) || error.code !== "refused") throw error;
    const certificate = unconvertedCertificate("refused", error.message);
    return { ...(format !== undefined && { format }), markdown: "", recovered: "", certificate, facts: {} };
  }
}

/** The format, and the bytes that its engine reads: those inside, where the file is encrypted as a whole. */
async function opened(original: Original): Promise<{ format: Format; original: Original }> {
  const detected = detect(original.bytes, original.path);
  if ("refused" in detected) throw new MdcxError("refused", detected.refused);
  if ("format" in detected) return { format: detected.format, original };
  const { openProtected } = await import("./encrypted-office/open.js");
  const bytes = await openProtected(original);
  const inside = detect(bytes, original.path);
  if (!("format" in inside)) throw new MdcxError("refused", "What the encrypted file holds is no document of Office.");
  return { format: inside.format, original: { path: original.path, bytes } };
}

async function converted(
  original: Original,
  format: Format,
  options: EngineOptions,
): Promise<Omit<PartResult, "format">> {
  const parts = FORMATS[format];
  if (parts === undefined) throw new MdcxError("refused", `No engine for ${format} is there.`);
  const { engine, reader } = parts;
  const conversion = await guarded("convert", original, async () => (await engine())(original, options));
  const { title, language, date, pagesTotal } = conversion;
  const facts = {
    ...(title !== undefined && { title }),
    ...(language !== undefined && { language }),
    ...(date !== undefined && { date }),
    ...(pagesTotal !== undefined && { pagesTotal }),
  };
  let reference: Reference;
  try {
    reference = await guarded("check", original, async () => (await reader())(original, options));
  } catch (error) {
    if (!(error instanceof MdcxError) || error.code !== "refused") throw error;
    return {
      markdown: conversion.markdown,
      recovered: "",
      certificate: uncheckedCertificate(conversion, error.message),
      facts,
    };
  }
  const certificate = await certify(conversion, reference);
  const { markdown: recovered, recovered: words } = recover(certificate);
  return {
    markdown: conversion.markdown,
    recovered,
    certificate: words === 0 ? certificate : { ...certificate, words: { ...certificate.words, recovered: words } },
    facts,
  };
}

/** A library may throw anything at a damaged file: that is the file's refusal and no crash. */
async function guarded<T>(what: "convert" | "check", { path }: Original, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MdcxError) throw error;
    const missing = missingPackage(error, `Converting ${path}`);
    if (missing !== undefined) throw missing;
    const said = error instanceof Error ? error.message : String(error);
    throw new MdcxError(
      "refused",
      `${path} could not be ${what === "convert" ? "read" : "checked"}, most likely because it is damaged (${said.split("\n")[0]!.slice(0, 200)}): open it in its program and save it again.`,
      { cause: error },
    );
  }
}

/** Makes one document of its parts, in their order: front matter, bodies, and what they left out under one heading. */
export function assemble(
  source: { readonly path: string; readonly sha256: string },
  parts: readonly PartResult[],
  options: EngineOptions,
): ConvertedDocument {
  const certificate = combine(parts.map((part) => part.certificate));
  if (certificate.status === "refused" || certificate.status === "timed-out") return { markdown: "", certificate };
  const facts: ConvertedFacts = {
    ...parts[0]!.facts,
    source: source.path,
    sourceSha256: source.sha256,
    sampled: options.sample !== undefined && (parts[0]!.facts.pagesTotal ?? 0) > options.sample,
  };
  const recovered = parts.map((part) => part.recovered).filter((blocks) => blocks !== "");
  // A Markdown original stays byte for byte.
  if (parts.length === 1 && recovered.length === 0)
    return { markdown: withFrontMatter(parts[0]!.markdown, facts, certificate), certificate };
  const bodies = parts.map(({ markdown }) => markdown.replace(/\n+$/, "")).filter((body) => body !== "");
  const body = [...bodies, ...(recovered.length === 0 ? [] : [RECOVERED_HEADING, ...recovered])].join("\n\n");
  return { markdown: withFrontMatter(`${body}\n`, facts, certificate), certificate };
}
