import type { Engine } from "../engine.js";
import { refuse } from "../refusal.js";
import { topLevelNames } from "./compound-file.js";
import { convertExcel } from "./excel.js";
import { convertWord } from "./word.js";

/** Office up to 2003, as far as a library reads it; the rest is refused with the way out. */
export const engine: Engine = async (original) => {
  const names = topLevelNames(original.bytes) ?? [];
  if (names.includes("WordDocument")) return convertWord(original);
  if (names.includes("Workbook") || names.includes("Book")) return convertExcel(original);
  refuse(
    `${original.path} is an old PowerPoint presentation (.ppt): open it in PowerPoint or LibreOffice and save it as .pptx.`,
  );
};
