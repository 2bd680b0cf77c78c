import { child, children, type XmlElement } from "../xml.js";
import type { Block } from "./blocks.js";
import { numberOf, switchOf, valueOf, vocabularyOf } from "./properties.js";
import { chosenOf } from "./choices.js";
import type { Story } from "./story.js";

/** Word knows 63 columns; other writers some more, and a fuzzed file any number. */
const MOST_COLUMNS = 1_000;

interface GrowingCell {
  blocks: Block[];
  readonly colspan: number;
  rowspan: number;
}

/** Reads `w:tbl`. A table of one cell is a frame around its content, and read as that. */
export function readTable(story: Story, table: XmlElement): Block[] {
  const rows: GrowingCell[][] = [];
  /** The cell that is merged downwards, by the column of the grid where it begins. */
  let open = new Map<number, GrowingCell>();
  for (const row of rowsOf(table, "tr")) {
    const properties = child(row, "trPr");
    const deletion = properties === undefined ? undefined : child(properties, "del");
    if (deletion !== undefined) {
      story.deleted(deletion, () => {
        for (const cell of rowsOf(row, "tc")) story.cellBlocks(cell);
      });
      continue;
    }
    const cells: GrowingCell[] = [];
    const stillOpen = new Map<number, GrowingCell>();
    const before = columns(valueOf(properties, "gridBefore"), 0);
    if (before > 0) cells.push({ blocks: [], colspan: before, rowspan: 1 });
    let column = before;
    for (const element of rowsOf(row, "tc")) {
      const format = child(element, "tcPr");
      const blocks = story.cellBlocks(element);
      const colspan = columns(valueOf(format, "gridSpan"), 1);
      const merge = format === undefined ? undefined : child(format, "vMerge");
      const above = merge !== undefined && merge.attributes.val !== "restart" ? open.get(column) : undefined;
      if (above !== undefined) {
        above.rowspan++;
        above.blocks.push(...blocks);
        stillOpen.set(column, above);
      } else if (isJoinedToTheLeft(format) && cells.length > 0) cells.at(-1)!.blocks.push(...blocks);
      else {
        const cell = { blocks, colspan, rowspan: 1 };
        cells.push(cell);
        if (merge !== undefined) stillOpen.set(column, cell);
      }
      column += colspan;
    }
    open = stillOpen;
    rows.push(cells);
  }
  const cells = rows.flat();
  if (cells.every(({ blocks }) => blocks.length === 0)) return [];
  if (cells.length === 1) return cells[0]!.blocks;
  return [{ kind: "table", rows: rows }];
}

/** Rows of a table or cells of a row, also those inside controls and tags. */
function* rowsOf(container: XmlElement, name: "tr" | "tc"): Generator<XmlElement> {
  for (const element of children(container)) {
    if (vocabularyOf(element) === "compatibility") {
      const chosen = chosenOf(element);
      if (chosen !== undefined) yield* rowsOf(chosen, name);
    } else if (element.name === name) yield element;
    else if (["sdt", "sdtContent", "customXml", "ins", "moveTo"].includes(element.name)) yield* rowsOf(element, name);
  }
}

function columns(value: string | undefined, otherwise: number): number {
  const number = numberOf(value) ?? otherwise;
  return number < otherwise ? otherwise : Math.min(number, MOST_COLUMNS);
}

/** The merging of cells before Word 2003. */
function isJoinedToTheLeft(format: XmlElement | undefined): boolean {
  if (format === undefined) return false;
  const merge = child(format, "hMerge");
  return merge !== undefined && merge.attributes.val !== "restart" && switchOf(format, "hMerge") !== false;
}
