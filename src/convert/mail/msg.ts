import type { FieldsData } from "@kenjiuno/msgreader";
import { optional } from "../../node/optional-package.js";
import { refuse } from "../refusal.js";
import { decodeText } from "../text/encoding.js";
import { unsoundness } from "./compound-chains.js";
import type { Attachment, Message, Person } from "./message.js";

/** A message as Outlook saves it ([MS-OXMSG]). */
export async function readMsg(bytes: Uint8Array, path: string): Promise<Message> {
  const fields = await fieldsOf(bytes, path);
  const html =
    textIn(fields.bodyHtml) ?? (fields.html instanceof Uint8Array ? decodeText(fields.html).text : undefined);
  const text = textIn(fields.body);
  const rtf = isEmpty(text) && isEmpty(html) ? await fromRtf(fields, path) : {};
  return {
    subject: textIn(fields.subject) ?? "",
    from: person(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail),
    to: recipients(fields, "to"),
    cc: recipients(fields, "cc"),
    date: textIn(fields.clientSubmitTime) ?? textIn(fields.messageDeliveryTime) ?? "",
    text: isEmpty(text) ? rtf.text : text,
    html: isEmpty(html) ? rtf.html : html,
    attachments: (fields.attachments ?? []).map(attachmentOf),
  };
}

/** A field's value has the type that the file states for it, whatever the field is. */
function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

async function fieldsOf(bytes: Uint8Array, path: string): Promise<FieldsData> {
  const loaded = await optional(`Converting ${path}`, () => import("@kenjiuno/msgreader"));
  // A CommonJS module whose default export is the class: Node and bundlers disagree on how deep it lies.
  const { default: outer } = loaded as unknown as { default: ReaderClass | { default: ReaderClass } };
  const Reader = "default" in outer ? outer.default : outer;
  const fault = unsoundness(bytes);
  if (fault !== undefined) refuse(`The message is damaged (${fault}): save it again from Outlook.`);
  let fields: FieldsData;
  try {
    fields = new Reader(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
    ).getFileData();
  } catch (cause) {
    refuse("The message is damaged: save it again from Outlook.", { cause });
  }
  // Bad files come back as an object, not as an error.
  if (fields.error !== undefined) refuse(`The message is damaged (${fields.error}): save it again from Outlook.`);
  return fields;
}

type ReaderClass = new (bytes: ArrayBuffer) => { getFileData: () => FieldsData };

function isEmpty(text: string | undefined): boolean {
  return text === undefined || text.trim() === "";
}

/** Outlook may keep only compressed RTF, in which the text or HTML of the message is wrapped. */
async function fromRtf({ compressedRtf }: FieldsData, path: string): Promise<{ text?: string; html?: string }> {
  if (!(compressedRtf instanceof Uint8Array)) return {};
  const purpose = `Converting ${path}`;
  const { decompressRTF } = await optional(purpose, () => import("@kenjiuno/decompressrtf"));
  const { deEncapsulateSync } = await optional(purpose, () => import("rtf-stream-parser"));
  const { default: iconv } = await optional(purpose, () => import("iconv-lite"));
  try {
    const rtf = Buffer.from(decompressRTF(Array.from(compressedRtf)));
    const { mode, text } = deEncapsulateSync(rtf, {
      decode: (part, encoding) => iconv.decode(part, encoding),
      // It would print on the console what it finds odd.
      warn: () => undefined,
    });
    return mode === "html" ? { html: text.toString() } : { text: text.toString() };
  } catch {
    return {};
  }
}

function person(statedName: unknown, statedAddress: unknown): Person[] {
  const name = textIn(statedName) ?? "";
  const address = textIn(statedAddress) ?? "";
  // Addresses inside an Exchange organisation are paths of its directory, which say nothing outside.
  const shown = address.startsWith("/o=") || address.startsWith("/O=") ? "" : address;
  return name === "" && shown === "" ? [] : [{ name, address: shown }];
}

function recipients({ recipients: all = [] }: FieldsData, kind: "to" | "cc"): Person[] {
  return all
    .filter(({ recipType }) => recipType === kind || (kind === "to" && recipType === undefined))
    .flatMap(({ name, smtpAddress, email }) => person(name, smtpAddress ?? email));
}

function attachmentOf(fields: FieldsData): Attachment {
  const name = textIn(fields.fileName) ?? textIn(fields.fileNameShort) ?? textIn(fields.name) ?? "";
  if (fields.innerMsgContent) return { name, type: "message" };
  return {
    name,
    type: textIn(fields.attachMimeTag) ?? "",
    ...(typeof fields.contentLength === "number" && { size: fields.contentLength }),
  };
}
