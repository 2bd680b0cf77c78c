import type { Reader } from "../engine.js";
import { refuse } from "../refusal.js";
import { topLevelNames } from "./compound-file.js";
import { rawWordText } from "./raw-word.js";

/** Word documents by their piece table. For workbooks no second reader shows values as the sheet does, so it says so. */
export const reader: Reader = async ({ bytes, path }) => {
  if (!(topLevelNames(bytes) ?? []).includes("WordDocument"))
    refuse(`${path} is an old workbook, for which no second reader shows numbers and dates as the sheet does.`);
  const [body = "", notes = "", heads = "", , comments = "", endNotes = "", boxes = "", headBoxes = ""] =
    await rawWordText(bytes, path);
  return {
    reader: "piece table by cfb 1.2.2",
    units: [body, boxes, notes, endNotes, comments, heads, headBoxes].map((text) => ({ text })),
  };
};
