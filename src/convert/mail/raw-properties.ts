/** Outlook's property streams ([MS-OXMSG] 2.1.3) by the compound file alone, for the reader. */
import { optional } from "../../node/optional-package.js";
import { refuse } from "../refusal.js";
import { decodeText } from "../text/encoding.js";
import { unsoundness } from "./compound-chains.js";
import type { RawMessage } from "./reader.js";

export async function rawProperties(bytes: Uint8Array, path: string): Promise<RawMessage> {
  const { default: cfb } = await optional(`Comparing ${path} with its original`, () => import("cfb"));
  const fault = unsoundness(bytes);
  if (fault !== undefined) refuse(`The message is damaged (${fault}): save it again from Outlook.`);
  let file: ReturnType<typeof cfb.read>;
  try {
    file = cfb.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { type: "buffer" });
  } catch (cause) {
    refuse("The message is damaged: save it again from Outlook.", { cause });
  }
  const streams = new Map<string, Buffer>();
  file.FullPaths.forEach((name, i) => {
    const content = file.FileIndex[i]!.content as unknown as Uint8Array | undefined;
    if (content !== undefined) streams.set(name.replace(/^[^/]*\//, ""), Buffer.from(content));
  });
  const text = (holder: string, tag: string): string => {
    const wide = streams.get(`${holder}__substg1.0_${tag}001F`);
    if (wide !== undefined) return wide.toString("utf16le").replace(/\0+$/, "");
    const narrow = streams.get(`${holder}__substg1.0_${tag}001E`);
    return narrow === undefined ? "" : decodeText(narrow).text.replace(/\0+$/, "");
  };
  const holders = (kind: string): string[] => [
    ...new Set(
      Array.from(streams.keys()).flatMap(
        (name) => new RegExp(`^__${kind}_version1\\.0_#[0-9A-F]+/`, "i").exec(name)?.[0] ?? [],
      ),
    ),
  ];
  const person = (holder: string, name: string, addresses: readonly string[]): string => {
    const address = addresses.map((tag) => text(holder, tag)).find((each) => each !== "" && !/^\/o=/i.test(each));
    const shown = text(holder, name);
    return address === undefined || address === shown ? shown : `${shown} ${address}`;
  };
  const html = streams.get("__substg1.0_10130102");
  return {
    head: [
      text("", "0037"),
      person("", "0C1A", ["5D01", "0C1F"]),
      ...holders("recip").map((holder) => person(holder, "3001", ["39FE", "3003"])),
      submitTime(streams.get("__properties_version1.0")),
    ],
    text: text("", "1000"),
    html: html === undefined ? text("", "1013") : decodeText(html).text,
    attachments: holders("attach").map(
      (holder) => text(holder, "3707") || text(holder, "3704") || text(holder, "3001"),
    ),
  };
}

/** When it was sent, or else delivered, as the head of a message has it; stands in the stream of fixed-size properties. */
function submitTime(properties: Buffer | undefined): string {
  if (properties === undefined) return "";
  for (const wanted of [0x00390040, 0x0e060040])
    for (let at = 32; at + 16 <= properties.length; at += 16) {
      if (properties.readUInt32LE(at) !== wanted) continue;
      // Tenths of microseconds since 1601.
      const time = Number(properties.readBigUInt64LE(at + 8) / 10_000n) - 11_644_473_600_000;
      return Number.isFinite(time) && Math.abs(time) < 8.64e15 ? new Date(time).toUTCString() : "";
    }
  return "";
}
