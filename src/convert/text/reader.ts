import type { Reader } from "../engine.js";
import { optional } from "../../node/optional-package.js";
import { decodeText } from "./encoding.js";

/**
 * Plain text decoded by iconv-lite's tables, where the engine uses the platform's. In which encoding is one judgement for
 * both: without a statement there is nothing to hold it against, and the engine reports it as a finding.
 */
export const reader: Reader = async (original) => {
  const decode = await independentDecoder();
  const text = decode(original.bytes, decodeText(original.bytes).encoding);
  return { reader: "iconv-lite 0.7.3", units: [{ text: visible(text) }] };
};

/** Decodes by iconv-lite; the one encoding that it lacks, ISO-2022-JP, by the platform. */
export async function independentDecoder(): Promise<(bytes: Uint8Array, encoding: string) => string> {
  const { default: iconv } = await optional("Comparing text with its original", () => import("iconv-lite"));
  return (bytes, encoding) =>
    iconv.encodingExists(encoding)
      ? iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding)
      : new TextDecoder(encoding).decode(bytes);
}

/** What a screen shows of text: no control characters, no colours of a terminal, letters struck over once. */
export function visible(text: string): string {
  const shown: string[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x08) {
      if (shown.length > 0 && shown.at(-1) !== "\n") shown.pop();
    } else if (code === 0x1b && text[i + 1] === "[") {
      i += 2;
      while (i < text.length && !/[A-Za-z]/.test(text[i]!)) i++;
    } else if (code < 0x20 || (code >= 0x7f && code <= 0x9f))
      shown.push(code === 0x0a || code === 0x09 ? text[i]! : code === 0x0d ? "\n" : " ");
    else shown.push(text[i]!);
  }
  return shown.join("");
}
