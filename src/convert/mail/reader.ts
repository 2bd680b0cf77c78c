import type { Reader, Reference } from "../engine.js";
import { reader as htmlReader } from "../html/reader.js";
import { isCompoundFile } from "../legacy/compound-file.js";
import { visible } from "../text/reader.js";
import { rawMime } from "./raw-mime.js";
import { rawProperties } from "./raw-properties.js";

/** What a message says, by what the file itself holds: MIME taken apart by hand, or Outlook's property streams. */
export interface RawMessage {
  /** Subject, people, date: the values alone. */
  readonly head: readonly string[];
  readonly text: string | undefined;
  readonly html: string | undefined;
  /** Names of attachments. */
  readonly attachments: readonly string[];
}

export const reader: Reader = async ({ bytes, path }, options) => {
  const outlook = isCompoundFile(bytes);
  const raw = outlook ? await rawProperties(bytes, path) : await rawMime(bytes);
  const plain = raw.text !== undefined && raw.text.trim() !== "";
  const page: Reference | undefined =
    plain || raw.html === undefined
      ? undefined
      : await htmlReader({ path: "message.html", bytes: Buffer.from(`\uFEFF${raw.html}`) }, options);
  return {
    reader: outlook ? "property streams by cfb 1.2.2" : "raw MIME by iconv-lite 0.7.3",
    units: [
      { text: raw.head.join("\n") },
      ...(plain ? [{ text: visible(raw.text) }] : []),
      ...(page?.units ?? []),
      { text: raw.attachments.join("\n") },
    ],
    ...(page?.tables !== undefined && { tables: page.tables }),
    ...(page?.links !== undefined && { links: page.links }),
    ...(page?.images !== undefined && { images: page.images }),
  };
};
