/** What a conversion left out, given back word for word. */
import type { Certificate } from "../certificate.js";
import { escapeText, marker, paragraph } from "../markdown.js";
import { lossOf } from "./certify.js";

/** Stands once in a document, above all that was recovered of it. */
export const RECOVERED_HEADING = "## Text that the conversion left out";

/** Blocks of Markdown to stand under `RECOVERED_HEADING`, empty where nothing was lost, and the lost words in them. */
export interface Recovery {
  readonly markdown: string;
  readonly recovered: number;
}

/**
 * The lines of the original (sentences, where its lines are long) that hold a lost word, each once, by place. Lines and not
 * words, because `12` alone tells nobody anything; so words that were not lost may stand there again. The certificate must
 * be the very object that `certify` gave: what it lists of the losses is bounded, what is recovered is not.
 */
export function recover(certificate: Certificate): Recovery {
  const loss = lossOf(certificate);
  if (loss === undefined || loss.lost.length === 0) return { markdown: "", recovered: 0 };
  const { words, lost } = loss;
  const blocks: string[] = [];
  let place: string | undefined;
  let last = -1;
  for (const at of lost) {
    const segment = words.segmentOf[at]!;
    if (segment === last) continue;
    last = segment;
    const { place: here, text } = words.segments[segment]!;
    if (here !== undefined && here !== place) blocks.push(...placeLines(here));
    place = here;
    blocks.push(paragraph(escapeText(text)));
  }
  return { markdown: blocks.join("\n\n"), recovered: lost.length };
}

/** Where the lines below stood: for people, and for packing as a marker, or they would be cited at the document's last page. */
function placeLines(place: string): string[] {
  const [, kind, number] = /^(page|slide) (\d+)$/.exec(place) ?? [];
  const said = `**${escapeText(`${place[0]!.toUpperCase()}${place.slice(1)}`)}**`;
  return kind === undefined ? [said] : [marker({ kind: kind as "page" | "slide", number: Number(number) }), said];
}
