import type { FolderComparison } from "../src/compare-folder.js";
import { counted, printableLine, say, styled } from "./print.js";

/** Says what became of the documents of a package in a folder: a line each of what differs. */
export function showComparison({ added, changed, gone, unchanged }: FolderComparison, folder: string): void {
  const facts = [
    `${added.length.toLocaleString("en")} added`,
    `${changed.length.toLocaleString("en")} changed`,
    `${gone.length.toLocaleString("en")} gone`,
  ];
  const same = `${counted(unchanged, "document")} unchanged`;
  say(`\n${styled("bold", `Against ${printableLine(folder)}:`)} ${[...facts, same].join(", ")}`);
  for (const [what, documents] of Object.entries({ added, changed, gone }))
    for (const document of documents) say(`  ${styled("dim", what.padEnd(7))}  ${printableLine(document)}`);
}
