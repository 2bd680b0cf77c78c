/** MIME taken apart by hand, for the reader: heads, parts, transfer encodings, character sets. */
import { independentDecoder } from "../text/reader.js";
import type { RawMessage } from "./reader.js";

type Decode = (bytes: Uint8Array, encoding: string) => string;

/** Multiparts within multiparts: real messages have five. */
const DEEPEST = 30;

interface Part {
  /** By name in lower case; the first counts. */
  readonly head: ReadonlyMap<string, string>;
  readonly body: string;
}

export async function rawMime(bytes: Uint8Array): Promise<RawMessage> {
  const decode = await independentDecoder();
  const decodeSafe: Decode = (part, encoding) => {
    try {
      return decode(part, encoding);
    } catch {
      return decode(part, "utf-8");
    }
  };
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const message = partOf(whole.replace(/^(?:\xef\xbb\xbf)?(?:From \S[^\n]*\n)?/, ""));
  const found = { text: [] as string[], html: [] as string[], attachments: [] as string[] };
  collect(message, found, decodeSafe, 0);
  const value = (name: string): string => decodeWords(message.head.get(name) ?? "", decodeSafe);
  return {
    head: ["subject", "from", "to", "cc", "date"].map((name) =>
      name === "date" ? (message.head.get(name) ?? "") : value(name),
    ),
    text: found.text.length === 0 ? undefined : found.text.join("\n"),
    html: found.html.length === 0 ? undefined : found.html.join("\n"),
    attachments: found.attachments,
  };
}

function partOf(raw: string): Part {
  const end = /\r?\n\r?\n/.exec(raw);
  const head = new Map<string, string>();
  const lines = (end === null ? raw : raw.slice(0, end.index)).replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !head.has(name)) head.set(name, line.slice(colon + 1).trim());
  }
  return { head, body: end === null ? "" : raw.slice(end.index + end[0].length) };
}

function collect(
  part: Part,
  found: { text: string[]; html: string[]; attachments: string[] },
  decode: Decode,
  depth: number,
): void {
  const type = part.head.get("content-type") ?? "text/plain";
  const kind = /^[^;\s]+/.exec(type)?.[0].toLowerCase() ?? "text/plain";
  if (kind.startsWith("multipart/") && depth < DEEPEST) {
    const boundary = /boundary\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(type);
    const mark = `--${boundary?.[1] ?? boundary?.[2] ?? ""}`;
    const pieces = `\n${part.body}`.split(`\n${mark}`).slice(1);
    for (const piece of pieces) {
      if (piece.startsWith("--")) break;
      collect(partOf(piece.replace(/^[ \t]*\r?\n/, "").replace(/\r?$/, "")), found, decode, depth + 1);
    }
    return;
  }
  const disposition = part.head.get("content-disposition") ?? "";
  const name = fileName(disposition, "filename", decode) ?? fileName(type, "name", decode);
  const isBody = /^text\/(?:plain|html)$/.test(kind) && !/^attachment/i.test(disposition) && name === undefined;
  if (!isBody) {
    if (kind === "message/rfc822") {
      const inner = partOf(part.body);
      found.attachments.push(name ?? decodeWords(inner.head.get("subject") ?? "", decode));
    } else found.attachments.push(name ?? "");
    return;
  }
  const bytes = transferDecoded(part);
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1] ?? "utf-8";
  (kind === "text/html" ? found.html : found.text).push(decode(bytes, charset));
}

function transferDecoded({ head, body }: Part): Buffer {
  const encoding = (head.get("content-transfer-encoding") ?? "").toLowerCase();
  if (encoding === "base64") return Buffer.from(body, "base64");
  if (encoding === "quoted-printable") return quotedPrintable(body.replace(/[ \t]*=[ \t]*\r?\n/g, ""));
  return Buffer.from(body, "latin1");
}

function quotedPrintable(text: string): Buffer {
  return Buffer.from(
    text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    "latin1",
  );
}

/** Words of RFC 2047: `=?utf-8?B?…?=`; blanks between two of them are none. Eight-bit heads are UTF-8 (RFC 6532). */
function decodeWords(value: string, decode: Decode): string {
  return value
    .replace(/(=\?[^?]+\?[BbQq]\?[^?]*\?=)\s+(?==\?)/g, "$1")
    .split(/(=\?[^?]+\?[BbQq]\?[^?]*\?=)/)
    .map((piece) => {
      const word = /^=\?([^?*]+)(?:\*[^?]*)?\?([BbQq])\?([^?]*)\?=$/.exec(piece);
      if (word === null) return decode(Buffer.from(piece, "latin1"), "utf-8");
      const [, charset = "", kind = "", text = ""] = word;
      const bytes = /b/i.test(kind) ? Buffer.from(text, "base64") : quotedPrintable(text.replaceAll("_", " "));
      return decode(bytes, charset);
    })
    .join("");
}

/** `filename="a"`, `filename*=utf-8''a%20b`, and the latter in pieces (RFC 2231). */
function fileName(header: string, name: string, decode: Decode): string | undefined {
  const pieces = [
    ...header.matchAll(new RegExp(`(?:^|[;\\s])${name}(\\*?\\d*\\*?)\\s*=\\s*(?:"([^"]*)"|([^;\\s]+))`, "gi")),
  ];
  if (pieces.length === 0) return undefined;
  const value = pieces.map(([, , quoted, bare]) => quoted ?? bare ?? "").join("");
  if (!pieces.some(([, star]) => star!.endsWith("*"))) return decodeWords(value, decode);
  const [, charset = "utf-8", text = value] = /^([^']*)'[^']*'(.*)$/.exec(value) ?? [];
  return decode(quotedPrintable(text.replaceAll("%", "=")), charset === "" ? "utf-8" : charset);
}
