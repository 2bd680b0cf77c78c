import type { Certificate, Difference, Tally } from "../certificate.js";
import type { Brief } from "../run/record.js";
import { remediesOf } from "../run/remedies.js";
import { percent } from "../run/totals.js";
import { type Html, markup } from "./html.js";

/** One document, folded to a line that opens to its certificate. `rank` is its place with the worst first. */
export function documentView(brief: Brief, certificate: Certificate, rank: number): Html {
  const { source, status, words, facts } = brief;
  const verified = status !== "unverifiable" && words.reference > 0;
  const coverage = verified && words.coverage !== null ? words.coverage : 2;
  const title = facts.title === undefined ? undefined : markup`<small>${facts.title}</small>`;
  const figure = verified
    ? markup`${percent(words.coverage)}<br /><small class="soft">${words.lost} lost</small>`
    : undefined;
  return markup`<details
    class="doc"
    data-status="${status}"
    data-path="${source}"
    data-rank="${String(rank)}"
    data-coverage="${String(coverage)}"
    data-lost="${String(words.lost)}"
  >
    <summary>
      <span class="status ${status}">${status}</span><span class="name">${source}${title}</span
      ><span class="figure">${figure}</span>
    </summary>
    <div class="body">${certificateView(brief, certificate)}</div>
  </details> `;
}

function certificateView({ target, facts, seconds }: Brief, certificate: Certificate): Html[] {
  const { reason, engine, reader, lost, added, findings, words, order } = certificate;
  const made = [
    target === undefined ? undefined : `Markdown: ${target}`,
    facts.format,
    engine === undefined ? undefined : `converted by ${engine}`,
    reader === undefined ? undefined : `checked by ${reader}`,
    `${seconds.toFixed(1)} s`,
  ];
  const withheld = Object.entries(words.withheld).map(([kind, count]) => `${count.toLocaleString("en")} ${kind}`);
  const remarks = [
    ...(order === null ? [] : [`${percent(order)} of the common words are in order.`]),
    ...(withheld.length > 0 ? [`Kept out on purpose, in words: ${withheld.join(", ")}.`] : []),
    ...(words.unverifiable > 0
      ? [`Recognised in pictures, and nothing says whether rightly: ${counted(words.unverifiable)}.`]
      : []),
    ...findings.map(({ text }) => text),
    ...remediesOf(certificate).map((remedy) => remedy.replaceAll("`", "")),
  ];
  return [
    ...(reason === undefined ? [] : [markup`<p><strong>${reason}</strong></p>`]),
    markup`<p class="soft">${made.filter((part) => part !== undefined).join(" · ")}</p>`,
    ...(words.reference + words.added === 0 ? [] : [figures(certificate)]),
    ...(remarks.length === 0
      ? []
      : [
          markup`<ul class="places">
            ${remarks.map((remark) => markup`<li>${remark}</li>`)}
          </ul>`,
        ]),
    ...differences("Lost", lost),
    ...differences("Added", added),
  ];
}

function figures({ words, numbers, tables, links, footnotes, comments, formulas, images }: Certificate): Html {
  const row = (name: string, reference: number, lost: number, added: number): Html =>
    markup`<tr>
      <td>${name}</td>
      <td>${reference}</td>
      <td>${lost}</td>
      <td>${added}</td>
    </tr>`;
  const tally = (name: string, counts: Tally | undefined): Html[] =>
    counts === undefined ? [] : [row(name, counts.reference, counts.lost, counts.added)];
  const cells = tables && markup`<p>${tables.inPlace} of ${tables.cells} cells of tables are in their place.</p>`;
  const pictures =
    images &&
    markup`<p>${images.placed} of ${images.reference} images have their place, ${images.withoutText} without a text.</p>`;
  return markup`<table>
      <thead>
        <tr>
          <th></th>
          <th>in the original</th>
          <th>lost</th>
          <th>added</th>
        </tr>
      </thead>
      <tbody>
        ${[
          ...tally("Words", words),
          ...tally("Numbers", numbers),
          ...(tables === undefined ? [] : [row("Cells of tables", tables.cells, tables.lost, tables.added)]),
          ...tally("Links", links),
          ...tally("Footnotes", footnotes),
          ...tally("Comments", comments),
          ...tally("Formulas", formulas),
        ]}
      </tbody>
    </table>
    ${cells}${pictures}`;
}

function differences(title: string, all: readonly Difference[]): Html[] {
  if (all.length === 0) return [];
  return [
    markup`<h3>${title}</h3>
      <ul class="places">
        ${all.map((one) => markup`<li>${place(one)}${inContext(one)}</li>`)}
      </ul>`,
  ];
}

function counted(words: number): string {
  return `${words.toLocaleString("en")} ${words === 1 ? "word" : "words"}`;
}

function place({ place }: Difference): Html | undefined {
  return place === undefined ? undefined : markup`<span class="soft">${place}: </span>`;
}

/** The words where they stand, or before their surroundings where these hold them in another shape. */
function inContext({ words, text }: Difference): Html {
  const pattern = words.map((word) => word.replace(/[.*+?^$()|[\]{}\\]/g, "\\$&")).join("[^\\p{L}\\p{N}]+");
  const found = pattern === "" ? null : new RegExp(pattern, "iu").exec(text);
  if (found === null) return markup`<mark>${words.join(" ")}</mark> in “${text}”`;
  const end = found.index + found[0].length;
  return markup`${text.slice(0, found.index)}<mark>${found[0]}</mark>${text.slice(end)}`;
}
