import type { Certificate, Difference } from "../certificate.js";
import { link } from "../markdown.js";
import { hrefOf, NOT_INDEXED, totalsTable, visible } from "./index-page.js";
import type { Brief, RunRecord } from "./record.js";
import { remediesOf } from "./remedies.js";
import { isFinding, percent, worstFirst } from "./totals.js";

/** Places that are shown of a document; the manifest has them all. */
const SHOWN = 10;

/** FINDINGS.md: what a person should look at, the worst first, with what to do. */
export async function* findingsPage(record: RunRecord): AsyncGenerator<string> {
  const documents = record.all();
  const found = worstFirst(documents.filter(isFinding));
  const unverifiable = documents.filter(({ status }) => status === "unverifiable");
  yield `${NOT_INDEXED}# Findings\n\n${totalsTable(documents)}\n`;
  if (found.length === 0) yield "\nNothing was found: every document that could be verified is whole.\n";
  for (const brief of found) yield* document(brief, (await record.entryOf(brief)).certificate);
  if (unverifiable.length === 0) return;
  yield "\n## Not verifiable\n\nNothing says what these hold, so they neither raise nor lower the coverage.\n\n";
  for (const brief of unverifiable) {
    const { certificate } = await record.entryOf(brief);
    yield `- ${nameOf(brief)}: ${[certificate.reason ?? "", ...remediesOf(certificate)].map(visibleCode).join(" ")}\n`;
  }
}

function* document(brief: Brief, certificate: Certificate): Generator<string> {
  const { words, lost, added, findings, order } = certificate;
  yield `\n## ${nameOf(brief)}\n\n**${certificate.status}**: ${visible(certificate.reason ?? "no reason given")}\n\n`;
  if (words.reference > 0) {
    const inOrder = order === null ? "" : `, ${percent(order)} in order`;
    yield (
      `${percent(words.coverage)} of ${words.reference.toLocaleString("en")} words${inOrder}; ` +
      `${words.lost.toLocaleString("en")} lost (${words.recovered.toLocaleString("en")} recovered), ` +
      `${words.added.toLocaleString("en")} added.\n\n`
    );
  }
  for (const remedy of remediesOf(certificate)) yield `- ${remedy}\n`;
  for (const { text } of findings) yield `- ${visible(text)}\n`;
  yield* differences("Lost", lost);
  yield* differences("Added", added);
}

function* differences(title: string, all: readonly Difference[]): Generator<string> {
  if (all.length === 0) return;
  yield `\n### ${title}\n\n`;
  for (const { place, words, text } of all.slice(0, SHOWN)) {
    const where = place === undefined ? "" : `${visible(place)}: `;
    yield `- ${where}**${visible(words.join(" ")).trim()}** in “${visible(text).trim()}”\n`;
  }
  if (all.length > SHOWN) yield `- and ${all.length - SHOWN} more places, in \`_manifest.json\`\n`;
}

function nameOf({ source, target }: Brief): string {
  const name = visible(source);
  return target === undefined ? name : link(name, hrefOf(target));
}

/** Sentences of ours hold code between backticks. */
function visibleCode(text: string): string {
  return text
    .split("`")
    .map((piece, i) => (i % 2 === 0 ? visible(piece) : `\`${piece}\``))
    .join("");
}
