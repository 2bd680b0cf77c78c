import { PAGE } from "../format/pages.js";
import { badImage } from "./cells.js";

/** Type of a page that leads to others (sqlite.org/fileformat2.html, section 1.6). */
const INTERIOR = 5;
/** Pages above one another, as in PieceTable. */
const MOST_DEPTH = 6;

/**
 * Wants every page of a table, level by level, before its rows are read one after the other: its pages stand among those of other
 * tables, and each would be a journey of its own.
 *
 * @param want throws `NotHereYet` for what has not come
 * @param readPage page `number` from 0
 * @param root numbered from 1
 * @param count pages of the image
 * @throws MdcxError "bad-image" for pages that lead out of it, or to one another
 */
export function wantTable(
  want: (pages: readonly number[]) => void,
  readPage: (number: number) => Uint8Array,
  root: number,
  count: number,
): void {
  const seen = new Set<number>();
  let level = [root - 1];
  for (let depth = 0; level.length > 0; depth++) {
    for (const page of level) {
      // A forged page may name itself a thousand times.
      if (page < 1 || page >= count || seen.has(page) || depth > MOST_DEPTH) badImage("a table leads out of the image");
      seen.add(page);
    }
    want(level);
    // All pages of a level are of one kind.
    level = readPage(level[0]!)[0] === INTERIOR ? level.flatMap((page) => childrenOf(readPage(page))) : [];
  }
}

/** The pages, from 0, to which an interior page leads. */
function childrenOf(page: Uint8Array): number[] {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const cells = view.getUint16(3);
  if (page[0] !== INTERIOR || 12 + 2 * cells > PAGE) badImage("a page of a table is malformed");
  const children = Array.from({ length: cells }, (_, index) => {
    const at = view.getUint16(12 + 2 * index);
    return at + 4 <= PAGE ? view.getUint32(at) : badImage("a page of a table is malformed");
  });
  return [...children, view.getUint32(8)].map((number) => number - 1);
}
