import { charactersOf, elementsIn, pathIn, type RawNode } from "./raw-package.js";

/** The paragraphs of a text body with something in them; formulas are told apart by the caller. */
export function rawParagraphs(body: RawNode | undefined): string[] {
  return elementsIn(body, "p")
    .map((paragraph) => {
      let line = "";
      for (const node of elementsIn(paragraph, "r", "fld", "br"))
        line += node.name === "br" ? "\n" : charactersOf(pathIn(node, "t"));
      return line;
    })
    .filter((line) => line.trim() !== "");
}
