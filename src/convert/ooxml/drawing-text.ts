import { child, children, type XmlElement } from "../xml.js";

/**
 * The element to read in a choice between what a newer and an older program understands (ISO 29500-3, §7.6): the newer,
 * because the older is a picture or an excuse, unless nothing comes of it.
 */
export function alternatives(element: XmlElement): readonly (readonly XmlElement[])[] {
  return [...children(element, "Choice"), ...children(element, "Fallback")].map((each) => children(each));
}

/** The plain text of DrawingML paragraphs below an element (`a:p`), a line each, formulas left out. */
export function plainParagraphs(body: XmlElement): string[] {
  return children(body, "p").map((paragraph) =>
    children(paragraph)
      .map((node) => {
        if (node.name === "br") return "\n";
        const text = node.name === "r" || node.name === "fld" ? child(node, "t") : undefined;
        return text === undefined ? "" : text.children.filter((each) => typeof each === "string").join("");
      })
      .join(""),
  );
}
