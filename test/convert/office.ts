import { strToU8, zipSync } from "fflate";
import { expect } from "vitest";
import type { Certificate } from "../../src/convert/certificate.js";
import { certify } from "../../src/convert/compare/certify.js";
import type { Conversion, Engine, EngineOptions, Reader } from "../../src/convert/engine.js";

/** Office documents made of known parts, and what becomes of them. */

const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

export interface MadeRelationship {
  readonly id: string;
  /** The last word of its type. */
  readonly kind: string;
  readonly target: string;
  readonly external?: boolean;
}

export function relationships(list: readonly MadeRelationship[]): string {
  const items = list.map(
    ({ id, kind, target, external }) =>
      `<Relationship Id="${id}" Type="${TYPES}/${kind}" Target="${escape(target)}"${external === true ? ' TargetMode="External"' : ""}/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join("")}</Relationships>`;
}

/** A zip of parts given as text. */
export function packed(parts: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
}

export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export const OPTIONS: EngineOptions = { ocr: "off" };

/** Converts and compares, and wants both to agree to the last word, cell, link, comment and picture. */
export async function convertWhole(
  engine: Engine,
  reader: Reader,
  bytes: Uint8Array,
): Promise<Conversion & { readonly certificate: Certificate }> {
  const original = { path: "made", bytes };
  const conversion = await engine(original, OPTIONS);
  const certificate = await certify(conversion, await reader(original, OPTIONS));
  expectWhole(certificate);
  return { ...conversion, certificate };
}

export function expectWhole(certificate: Certificate): void {
  expect(certificate.lost).toEqual([]);
  expect(certificate.added).toEqual([]);
  expect(certificate.words).toMatchObject({ lost: 0, added: 0 });
  const { tables } = certificate;
  expect(tables).toMatchObject({ inPlace: tables?.cells, lost: 0, added: 0 });
  for (const tally of [certificate.links, certificate.comments, certificate.formulas])
    if (tally !== undefined) expect(tally).toMatchObject({ lost: 0, added: 0 });
  expect(certificate.images?.placed).toBe(certificate.images?.reference);
}
