import { table, type Cell } from "../markdown.js";
import { child, children, type XmlElement } from "../xml.js";
import { writeParagraph, type RunContext } from "./runs.js";

/** A table of DrawingML (`a:tbl`). Cells that a merged one covers are written nowhere. */
export function writeTable(element: XmlElement, context: RunContext): string {
  const rows = children(element, "tr").map((row) =>
    children(row, "tc")
      .filter(({ attributes }) => !isOn(attributes.hMerge) && !isOn(attributes.vMerge))
      .map((cell): Cell => {
        const colspan = span(cell.attributes.gridSpan);
        const rowspan = span(cell.attributes.rowSpan);
        return { markdown: cellText(cell, context), ...(colspan > 1 && { colspan }), ...(rowspan > 1 && { rowspan }) };
      }),
  );
  return rows.every((row) => row.every(({ markdown }) => markdown === "")) ? "" : table(rows);
}

function cellText(cell: XmlElement, context: RunContext): string {
  const body = child(cell, "txBody");
  if (body === undefined) return "";
  return children(body, "p")
    .map((each) => writeParagraph(each, context))
    .filter((text) => text !== "")
    .join("\n");
}

function isOn(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

/** A span of thousands is a lie that no table has room for. */
function span(value: string | undefined): number {
  const number = Number(value ?? 1);
  return Number.isInteger(number) && number >= 1 && number <= 1_000 ? number : 1;
}
