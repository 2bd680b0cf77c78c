import type { Certificate } from "../certificate.js";

/** What a person can do about a document, in sentences; nothing where the reason says it already. */
export function remediesOf({ status, reason = "", words, findings }: Certificate): string[] {
  const remedies: string[] = [];
  if (status === "refused" && /password|encrypted|protected/i.test(reason) && !/--passwords|DRM/.test(reason))
    remedies.push("Put a line with its name, a tab and its password into a file, and convert with `--passwords FILE`.");
  if (status === "unverifiable")
    remedies.push(
      words.unverifiable > 0
        ? "Its text was recognised in pictures: read it against the original before you rely on it."
        : "It holds no text. Where its pages are pictures, convert with `--ocr eng` (or other languages) to recognise what they show.",
    );
  if ((status === "warn" || status === "fail") && words.lost > 0)
    remedies.push(
      words.recovered >= words.lost
        ? "What was lost stands at the end of the Markdown, under its own heading: search finds it, but not at its place."
        : "Compare the places below with the original.",
    );
  if (findings.some(({ kind }) => kind === "wrong checksum"))
    remedies.push("The file is damaged: get it anew, or open and save it in its program.");
  return remedies;
}
