/** `mdcx convert --report`: every certificate on one page that needs nothing but a browser. */
import { createHash } from "node:crypto";
import { writeFileAtomically } from "../../node/atomic-file.js";
import type { RunRecord } from "../run/record.js";
import type { RunSummary } from "../run/summary.js";
import { percent, STATUSES, type Totals, totalsOf, worstFirst } from "../run/totals.js";
import { SCRIPT, STYLE } from "./assets.js";
import { documentView } from "./certificate-view.js";
import { Html, markup } from "./html.js";

/** Writes the page, one document after the other: a file for its owner alone, because it quotes what the documents say. */
export async function writeReport(path: string, record: RunRecord, summary: RunSummary): Promise<void> {
  await writeFileAtomically(path, async (sink) => {
    let offset = 0;
    for await (const piece of page(record, summary)) {
      const bytes = new TextEncoder().encode(piece.text);
      await sink.write(offset, bytes);
      offset += bytes.length;
    }
  });
}

async function* page(record: RunRecord, summary: RunSummary): AsyncGenerator<Html> {
  const documents = record.all();
  yield head();
  yield top(totalsOf(documents), summary);
  yield tools(totalsOf(documents));
  yield markup`<div id="documents">`;
  for (const [rank, brief] of worstFirst(documents).entries())
    yield documentView(brief, (await record.entryOf(brief)).certificate, rank);
  yield markup`</div>`;
  yield list(
    "Left out",
    record.leftOut.map(({ path, reason }) => markup`<li>${path}: ${reason}</li>`),
  );
  yield list("Markdown whose original has gone", [
    ...summary.stale.removed.map((target) => markup`<li>${target}: removed</li>`),
    ...summary.stale.kept.map(({ target, reason }) => markup`<li>${target}: kept, ${reason}</li>`),
  ]);
  yield markup`<script>${new Html(SCRIPT)}</script></body></html>
`;
}

function head(): Html {
  const allowed = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; style-src ${allowed(STYLE)}; script-src ${allowed(SCRIPT)}; base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Html(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>Conversion report</title>
        <style>${new Html(STYLE)}</style>
      </head>
      <body>`;
}

function top({ documents, byStatus, words }: Totals, { seconds, reused, interrupted }: RunSummary): Html {
  const when = new Date().toISOString().slice(0, 16).replace("T", " ");
  const card = (name: string, figure: string | number): Html => markup`<li>${name}<b>${figure}</b></li>`;
  // Widths would need a style in the attribute, which the policy forbids: so many equal pieces, a hundred at most.
  const bar = STATUSES.flatMap((status) =>
    Array.from({ length: Math.ceil((byStatus[status] * 100) / Math.max(1, documents)) }, () => status),
  );
  return markup`<header>
      <h1>Conversion report</h1>
      <p class="soft">
        ${when} UTC · the last run took ${seconds.toFixed(1)} s and reused
        ${reused}${interrupted ? " · it was interrupted" : ""}
      </p>
    </header>
    <ul class="totals">
      ${[
        card("Documents", documents),
        card("Coverage, before recovery", percent(words.coverage)),
        card("Words", words.reference),
        card("Lost", words.lost),
        card("Recovered", words.recovered),
        card("Added", words.added),
      ]}
    </ul>
    <div class="bar" aria-hidden="true">${bar.map((status) => markup`<i class="${status}"></i>`)}</div> `;
}

function tools({ byStatus }: Totals): Html {
  const boxes = STATUSES.filter((status) => byStatus[status] > 0).map(
    (status) =>
      markup`<label
        ><input type="checkbox" name="status" value="${status}" checked />
        <span class="status ${status}">${status}</span> ${byStatus[status]}</label
      >`,
  );
  return markup`<h2>Documents</h2>
    <div class="tools">
      <input type="search" id="filter" placeholder="Filter by name or title" aria-label="Filter by name or title" />
      ${boxes}<label
        >Order
        <select id="order">
          <option value="worst">worst first</option>
          <option value="path">path</option>
          <option value="coverage">coverage</option>
          <option value="lost">words lost</option>
        </select></label
      >
      <span id="count" class="soft" role="status"></span>
    </div> `;
}

function list(title: string, items: readonly Html[]): Html {
  return items.length === 0
    ? markup``
    : markup`<h2>${title}</h2>
        <ul class="places">
          ${items}
        </ul>`;
}
