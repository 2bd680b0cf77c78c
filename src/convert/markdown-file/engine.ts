import type { Engine } from "../engine.js";
import { decodeText } from "../text/encoding.js";
import { encodingFindings } from "../text/engine.js";

/** A document that is Markdown already: it passes through as it is, its front matter and its line ends included. */
export const engine: Engine = (original) => {
  const decoded = decodeText(original.bytes);
  return Promise.resolve({
    engine: "none (Markdown already)",
    markdown: decoded.text,
    withheld: [],
    labels: [],
    findings: encodingFindings(decoded),
  });
};
