/** What a run leaves beside the Markdown: the manifest for programs, two pages for people, and a report where one is asked for. */
import { resolve } from "node:path";
import { writeReport } from "../report/page.js";
import { findingsPage } from "./findings-page.js";
import { indexPage } from "./index-page.js";
import { VERSION } from "./options.js";
import type { Outputs } from "./outputs.js";
import type { DocumentEntry, RunRecord } from "./record.js";
import type { RunSummary } from "./summary.js";
import { FINDINGS, INDEX, MANIFEST } from "../../node/run-files.js";
import { type Totals, totalsOf } from "./totals.js";

/**
 * Writes them from the record, which holds also what other runs have converted into this folder, one document at a time:
 * the certificates of a large collection do not fit into memory together.
 */
export async function writePages(
  record: RunRecord,
  outputs: Outputs,
  summary: RunSummary,
  report: string | undefined,
): Promise<void> {
  // Shards end at about the same time: whichever writes last has seen what all of them recorded.
  do {
    await outputs.write(MANIFEST, manifest(record, summary));
    await outputs.write(INDEX, indexPage(record.all(), record.leftOut));
    await outputs.write(FINDINGS, findingsPage(record));
  } while (await record.refresh());
  if (report !== undefined) await writeReport(resolve(report), record, summary);
}

async function* manifest(record: RunRecord, summary: RunSummary): AsyncGenerator<string> {
  const documents = record.all();
  const head = {
    mdcx: VERSION,
    finished: new Date().toISOString(),
    interrupted: summary.interrupted,
    totals: totalsForProgram(totalsOf(documents)),
    run: {
      converted: summary.converted,
      reused: summary.reused,
      parts_converted: summary.parts.converted,
      parts_reused: summary.parts.reused,
      seconds: summary.seconds,
    },
    left_out: record.leftOut,
  };
  yield `${JSON.stringify(head, null, 1).slice(0, -2)},\n "documents": [`;
  for (const [i, brief] of documents.entries())
    yield `${i === 0 ? "" : ","}\n  ${JSON.stringify(forProgram(await record.entryOf(brief)))}`;
  yield "\n ]\n}\n";
}

/** Totals under the names that JSON has everywhere in mdcx. */
export function totalsForProgram({ documents, byStatus, words }: Totals): Record<string, unknown> {
  return { documents, by_status: byStatus, words };
}

function forProgram(entry: DocumentEntry): Record<string, unknown> {
  const { source, source_sha256, source_bytes, target, target_sha256, facts, seconds, at, certificate } = entry;
  const { format, title, language, date, pagesTotal } = facts;
  return {
    source,
    source_sha256,
    source_bytes,
    target,
    target_sha256,
    format,
    title,
    language,
    date,
    pages_total: pagesTotal,
    converted_at: new Date(at).toISOString(),
    seconds,
    certificate,
  };
}
