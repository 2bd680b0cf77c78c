import { expect } from "vitest";
import type { Certificate } from "../../src/convert/certificate.js";
import { certify } from "../../src/convert/compare/certify.js";
import type { Conversion, Engine, Original, Reader } from "../../src/convert/engine.js";

/** What an engine makes of an original, with the certificate that the reader of its format gives it. */
export async function certified(
  engine: Engine,
  reader: Reader,
  original: Original,
): Promise<Conversion & { certificate: Certificate }> {
  const made = await engine(original, { ocr: "off" });
  return { ...made, certificate: await certify(made, await reader(original, { ocr: "off" })) };
}

export function expectNothingLost({ words, status, order }: Certificate): void {
  expect({ status, lost: words.lost, added: words.added, order }).toEqual({
    status: "ok",
    lost: 0,
    added: 0,
    order: 1,
  });
}
