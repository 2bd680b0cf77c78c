import { MdcxError } from "../src/errors.js";
import type { CorpusReading, Hit, Reply } from "../src/index.js";

/** What stands around a passage in its document; a side that is at the end of the document is absent. */
export interface PassageContext {
  readonly before?: string;
  readonly after?: string;
}

/** A reply, and what stands around each of its passages. */
export interface FoundPassages {
  readonly reply: Reply;
  readonly contexts: readonly PassageContext[];
}

/** Passages that may be shown on either side of one. */
const MOST = 10;

/** @throws MdcxError `bad-input` */
export function requireContext(count: number): void {
  if (!Number.isInteger(count) || count < 0 || count > MOST)
    throw new MdcxError("bad-input", `--context needs a whole number from 0 to ${MOST}.`);
}

/** The `count` passages before and after each; nothing for 0. */
export async function contextsOf(
  corpus: Pick<CorpusReading, "document">,
  hits: readonly Hit[],
  count: number,
): Promise<PassageContext[]> {
  if (count === 0) return hits.map(() => ({}));
  const contexts: PassageContext[] = [];
  for (const { id, text } of hits) {
    const { text: until } = await corpus.document(id, { before: count });
    const { text: from } = await corpus.document(id, { after: count });
    const [before, after] = [until.slice(0, until.length - text.length), from.slice(text.length)];
    contexts.push({ ...(before !== "" && { before }), ...(after !== "" && { after }) });
  }
  return contexts;
}
