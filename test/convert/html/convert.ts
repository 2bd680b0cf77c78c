import { certify } from "../../../src/convert/compare/certify.js";
import type { Certificate } from "../../../src/convert/certificate.js";
import type { Conversion, Engine, Reader, Reference } from "../../../src/convert/engine.js";
import { engine } from "../../../src/convert/html/engine.js";
import { reader } from "../../../src/convert/html/reader.js";

export interface Converted {
  readonly conversion: Conversion;
  readonly reference: Reference;
  readonly certificate: Certificate;
}

/** Engine, reader and certificate of one original. */
export async function convertWith(
  way: { readonly engine: Engine; readonly reader: Reader },
  bytes: Uint8Array,
  path: string,
  sample?: number,
): Promise<Converted> {
  const options = { ocr: "off", ...(sample === undefined ? {} : { sample }) } as const;
  const conversion = await way.engine({ path, bytes }, options);
  const reference = await way.reader({ path, bytes }, options);
  return { conversion, reference, certificate: await certify(conversion, reference) };
}

export function convertPage(page: string | Uint8Array, path = "page.html"): Promise<Converted> {
  return convertWith({ engine, reader }, typeof page === "string" ? new TextEncoder().encode(page) : page, path);
}

/** The Markdown of a page, without the line end at its end. */
export async function markdownOf(page: string): Promise<string> {
  return (await convertPage(page)).conversion.markdown.trimEnd();
}
