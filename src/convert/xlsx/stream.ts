import { SaxesParser } from "saxes";
import { MdcxError } from "../../errors.js";
import { refuse } from "../refusal.js";
import { decodeXml } from "../xml.js";

/** Called with local names: `row` for `x:row`. */
export interface Handlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
}

/** Deeper nesting is no sheet; nothing here recurses, but attributes and names of open elements are kept. */
const DEEPEST = 500;
/** Characters handed to the parser at once. */
const SLICE = 65_536;

/** Thrown by a handler that has seen enough. */
export class Enough extends Error {}

/**
 * Goes through XML by events: a sheet of a million cells would be gigabytes as a tree.
 *
 * @returns what is wrong with the XML where it is not well-formed; what stood before has been handed on
 * @throws MdcxError `refused` where it declares entities or is nested deeper than 500
 */
export function streamXml(bytes: Uint8Array, what: string, handlers: Handlers): string | undefined {
  const text = decodeXml(bytes);
  const parser = new SaxesParser({ xmlns: false });
  let depth = 0;
  parser.on("doctype", (doctype) => {
    if (/<!ENTITY/i.test(doctype))
      refuse(`${what} declares entities of its own, which no document needs: it is not converted.`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (++depth > DEEPEST) refuse(`${what} is nested deeper than ${DEEPEST} elements: it is not converted.`);
    handlers.open(local(name), attributes);
  });
  parser.on("closetag", ({ name }) => {
    depth--;
    handlers.close(local(name));
  });
  parser.on("text", (characters) => {
    handlers.text(characters);
  });
  parser.on("cdata", (characters) => {
    handlers.text(characters);
  });
  try {
    for (let at = 0; at < text.length; at += SLICE) parser.write(text.slice(at, at + SLICE));
    parser.close();
  } catch (cause) {
    if (cause instanceof Enough) return undefined;
    if (cause instanceof MdcxError) throw cause;
    return (cause as Error).message;
  }
  return undefined;
}

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** An attribute by its local name: `id` finds `r:id`, whatever the prefix. */
export function attribute(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name];
  const key = Object.keys(attributes).find((each) => each.endsWith(`:${name}`));
  return key === undefined ? undefined : attributes[key];
}
