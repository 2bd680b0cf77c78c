import { expect } from "vitest";
import type { Certificate } from "../../../src/convert/certificate.js";
import { certify } from "../../../src/convert/compare/certify.js";
import { engine } from "../../../src/convert/docx/engine.js";
import { reader } from "../../../src/convert/docx/reader.js";
import type { Conversion, Reference } from "../../../src/convert/engine.js";
import { wordFile, type WordFile } from "./build.js";

export interface Converted {
  readonly conversion: Conversion;
  readonly reference: Reference;
  readonly certificate: Certificate;
  readonly markdown: string;
}

export async function convertBytes(bytes: Uint8Array): Promise<Converted> {
  const original = { path: "test.docx", bytes };
  const conversion = await engine(original, { ocr: "off" });
  const reference = await reader(original, { ocr: "off" });
  const certificate = await certify(conversion, reference);
  return { conversion, reference, certificate, markdown: conversion.markdown };
}

/** Converts a file made here, of which every word is known: nothing may be lost, and nothing added unsaid. */
export async function convertKnown(file: WordFile | string): Promise<Converted> {
  const converted = await convertBytes(wordFile(typeof file === "string" ? { body: file } : file));
  const { certificate } = converted;
  expect({ lost: certificate.lost, added: certificate.added }).toEqual({ lost: [], added: [] });
  for (const kind of ["links", "footnotes", "comments", "formulas"] as const)
    expect({ kind, ...certificate[kind] }).toMatchObject({ lost: 0, added: 0 });
  const { cells = 0, inPlace = 0 } = certificate.tables ?? {};
  expect(inPlace).toBe(cells);
  const { reference = 0, placed = 0 } = certificate.images ?? {};
  expect(placed).toBe(reference);
  return converted;
}

/** The Markdown of a body made here, without its last line end. */
export async function markdownOf(file: WordFile | string): Promise<string> {
  const { markdown } = await convertKnown(file);
  return markdown.replace(/\n$/, "");
}
