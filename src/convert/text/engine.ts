import type { Engine, Finding } from "../engine.js";
import { decodeText, type DecodedText } from "./encoding.js";
import { cleanText, plainToMarkdown } from "./plain.js";

/** Plain text: decoded, and its lines kept. */
export const engine: Engine = (original) => {
  const decoded = decodeText(original.bytes);
  const { text, dropped } = cleanText(decoded.text);
  return Promise.resolve({
    engine: "mdcx text",
    markdown: plainToMarkdown(text),
    withheld: [],
    labels: [],
    findings: [...encodingFindings(decoded), ...controlFindings(dropped)],
  });
};

/** What a person should know of how bytes became text. */
export function encodingFindings({ text, encoding, certain }: DecodedText): Finding[] {
  const findings: Finding[] = [];
  if (!certain)
    findings.push({
      severity: "note",
      kind: "encoding judged",
      text: `No encoding is stated: the text was read as ${encoding}, in which it is likeliest.`,
    });
  // A sign of replacement that the original itself holds is text as any other.
  const lost = certain ? 0 : (text.match(/\uFFFD/g)?.length ?? 0);
  if (lost > 0)
    findings.push({
      severity: "warn",
      kind: "unreadable bytes",
      text: `At ${lost} ${lost === 1 ? "place" : "places"} the bytes are no text in ${encoding}: a replacement sign stands there.`,
    });
  return findings;
}

/** That control characters were taken out of a text. */
export function controlFindings(dropped: number): Finding[] {
  if (dropped === 0) return [];
  const what =
    dropped === 1
      ? "1 control character, which shows nothing, was"
      : `${dropped} control characters, which show nothing, were`;
  return [{ severity: "note", kind: "control characters", text: `${what} taken out.` }];
}
