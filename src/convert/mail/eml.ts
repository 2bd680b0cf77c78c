import type { Email, Address, Attachment as MimePart } from "postal-mime";
import { optional } from "../../node/optional-package.js";
import { refuse } from "../refusal.js";
import { decodeBytes } from "../text/encoding.js";
import type { Attachment, Message, Person } from "./message.js";

/** A message as mail programs save it (RFC 5322, MIME). */
export async function readEml(bytes: Uint8Array, path: string): Promise<Message> {
  const { default: PostalMime } = await optional(`Converting ${path}`, () => import("postal-mime"));
  let email: Email;
  try {
    // A message within the message is an attachment: its text is not what this one says.
    email = await PostalMime.parse(bytes, { forceRfc822Attachments: true });
  } catch (cause) {
    refuse(`The message cannot be read (${(cause as Error).message}): save it again.`, { cause });
  }
  return {
    subject: mended(email.subject) ?? "",
    from: people(email.from === undefined ? [] : [email.from]),
    to: people(email.to ?? []),
    cc: people(email.cc ?? []),
    date: email.headers.find(({ key }) => key === "date")?.value.trim() ?? "",
    text: mended(email.text),
    html: mended(email.html),
    attachments: email.attachments.map(attachmentOf),
  };
}

/** The library decodes by TextDecoder, which in Node 20 turns the quotation marks of windows-1252 into control characters. */
function mended<T extends string | undefined>(text: T): T {
  return text?.replace(/[\u0080-\u009f]/g, (sign) =>
    decodeBytes(Uint8Array.of(sign.charCodeAt(0)), "windows-1252"),
  ) as T;
}

function people(addresses: readonly Address[]): Person[] {
  return addresses.flatMap((each) => {
    if (each.group !== undefined) return people(each.group);
    return [{ name: mended(each.name).trim(), address: each.address.trim() }];
  });
}

function attachmentOf({ filename, mimeType, content }: MimePart): Attachment {
  if (mimeType === "message/rfc822") {
    const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(content as Uint8Array<ArrayBuffer>);
    const subject = /^subject:[ \t]*(.*)$/im.exec(bytes.toString("latin1").slice(0, 20_000))?.[1] ?? "";
    return { name: filename ?? subject.trim(), type: "message" };
  }
  const size = typeof content === "string" ? Buffer.byteLength(content) : content.byteLength;
  return { name: filename ?? "", type: mimeType, size };
}
