/** A message as Markdown, whichever file it came in: its head, its text, its attachments by name. */
import type { Conversion, Finding } from "../engine.js";
import { engine as htmlEngine } from "../html/engine.js";
import { escapeText, heading, quote } from "../markdown.js";
import { cleanText, plainToMarkdown } from "../text/plain.js";

/** Somebody with name and address, as far as both are stated. */
export interface Person {
  readonly name: string;
  readonly address: string;
}

export interface Attachment {
  readonly name: string;
  readonly type: string;
  /** In bytes; absent for a message within the message. */
  readonly size?: number;
}

/** What a message says. */
export interface Message {
  readonly subject: string;
  readonly from: readonly Person[];
  readonly to: readonly Person[];
  readonly cc: readonly Person[];
  /** As it is written in the head. */
  readonly date: string;
  readonly text: string | undefined;
  readonly html: string | undefined;
  readonly attachments: readonly Attachment[];
}

/** Text is taken before HTML: it is what the writer meant to be read without a browser. */
export async function messageToMarkdown(message: Message, engine: string): Promise<Conversion> {
  const labels: string[] = [];
  const withheld: Conversion["withheld"][number][] = [];
  const findings: Finding[] = [];
  const line = (name: string, value: string): string[] => {
    if (value === "") return [];
    labels.push(name);
    return [`**${name}:** ${escapeText(value)}`];
  };
  const head = [
    ...line("From", peopleText(message.from)),
    ...line("To", peopleText(message.to)),
    ...line("Cc", peopleText(message.cc)),
    ...line("Date", message.date),
  ];
  const blocks: string[] = [];
  if (message.subject.trim() !== "") blocks.push(heading(1, escapeText(message.subject.trim())));
  if (head.length > 0) blocks.push(head.join("\\\n"));
  if (message.text !== undefined && message.text.trim() !== "") blocks.push(textBody(cleanText(message.text).text, 0));
  else if (message.html !== undefined) {
    const page = Buffer.from(`\uFEFF${message.html}`);
    const made = await htmlEngine({ path: "message.html", bytes: page }, { ocr: "off" });
    blocks.push(made.markdown.trim());
    withheld.push(...made.withheld);
    findings.push(...made.findings);
  }
  if (message.attachments.length > 0) {
    labels.push("Attachments");
    blocks.push("## Attachments", message.attachments.map((each) => `- ${attachmentText(each, labels)}`).join("\n"));
    findings.push({
      severity: "note",
      kind: "attachments",
      text: `${message.attachments.length === 1 ? "An attachment is" : `${message.attachments.length} attachments are`} listed and not converted: save them as files of their own to have them too.`,
    });
  }
  const date = new Date(message.date);
  const markdown = blocks.filter((block) => block !== "").join("\n\n");
  return {
    engine,
    markdown: markdown === "" ? "" : `${markdown}\n`,
    ...(message.subject.trim() !== "" && { title: message.subject.replace(/\s+/g, " ").trim() }),
    ...(!Number.isNaN(date.getTime()) && { date: date.toISOString() }),
    withheld,
    labels,
    findings,
  };
}

/** `Ann Lee (ann@example.org), bob@example.org` */
export function peopleText(people: readonly Person[]): string {
  return people
    .map(({ name, address }) =>
      name === "" || name === address ? address : address === "" ? name : `${name} (${address})`,
    )
    .filter((each) => each !== "")
    .join(", ");
}

function attachmentText({ name, type, size }: Attachment, labels: string[]): string {
  const said = [type, ...(size === undefined ? [] : [sizeText(size)])].filter((each) => each !== "").join(", ");
  if (said !== "") labels.push(said);
  return `${escapeText(name === "" ? "(no name)" : name)}${said === "" ? "" : ` (${escapeText(said)})`}`;
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** Quotations of quotations beyond this are text. */
const DEEPEST_QUOTE = 8;

/** Text of a message: what is quoted with `>` becomes a quotation, the rest is plain text. */
function textBody(text: string, depth: number): string {
  const parts: { quoted: boolean; lines: string[] }[] = [];
  for (const each of text.split("\n")) {
    const quoted = depth < DEEPEST_QUOTE && each.startsWith(">");
    if (parts.at(-1)?.quoted !== quoted) parts.push({ quoted, lines: [] });
    parts.at(-1)!.lines.push(quoted ? each.replace(/^> ?/, "") : each);
  }
  return parts
    .map(({ quoted, lines }) => {
      const inside = lines.join("\n");
      return quoted ? quote(textBody(inside, depth + 1)) : plainToMarkdown(inside).trim();
    })
    .filter((block) => block !== "")
    .join("\n\n");
}
