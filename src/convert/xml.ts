import { SaxesParser } from "saxes";
import { MdcxError } from "../errors.js";
import { refuse } from "./refusal.js";
import { decodeBytes } from "./text/encoding.js";

/** Deeper nesting is no document but an attack on whoever recurses; Word's deepest real files are under 100. */
const DEEPEST = 500;

/** An element, its attributes by local name. */
export interface XmlElement {
  /** Local name: `p` of `w:p`. */
  readonly name: string;
  readonly prefix: string;
  /** The namespace's URI, empty where there is none. */
  readonly uri: string;
  /** By local name; where two share one, the one without a prefix. */
  readonly attributes: Readonly<Record<string, string>>;
  /** By the name as written: `r:id`. */
  readonly qualified: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  /** Namespaces in scope by prefix, `""` being the default one. */
  readonly namespaces: Readonly<Record<string, string>>;
}

export type XmlNode = XmlElement | string;

interface Growing extends XmlElement {
  readonly children: XmlNode[];
}

/**
 * Parses XML into a light tree. No entity but the five of XML is known, nothing outside is read.
 *
 * @param what names the part in the refusal: `word/document.xml`
 * @throws MdcxError `refused` where it is not well-formed, declares entities, or is nested deeper than 500
 */
export function parseXml(bytes: Uint8Array | string, what: string): XmlElement {
  const text = typeof bytes === "string" ? bytes : decodeXml(bytes);
  const parser = new SaxesParser({ xmlns: false });
  let root: Growing | undefined;
  const open: Growing[] = [];
  parser.on("doctype", (doctype) => {
    // An entity may stand for a file of this machine, an address, or a billion copies of itself.
    if (/<!ENTITY/i.test(doctype))
      refuse(`${what} declares entities of its own, which no document needs: it is not converted.`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (open.length >= DEEPEST) refuse(`${what} is nested deeper than ${DEEPEST} elements: it is not converted.`);
    const above = open.at(-1);
    const element = elementOf(name, attributes, above?.namespaces ?? NO_NAMESPACES);
    above?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on("closetag", () => open.pop());
  const characters = (text: string): void => {
    if (text !== "") open.at(-1)?.children.push(text);
  };
  parser.on("text", characters);
  parser.on("cdata", characters);
  try {
    parser.write(text).close();
  } catch (cause) {
    if (cause instanceof MdcxError) throw cause;
    refuse(`${what} is not well-formed XML, so the file is damaged: ${(cause as Error).message}.`, { cause });
  }
  if (root === undefined) refuse(`${what} holds no element: the file is damaged.`);
  return root;
}

const NO_NAMESPACES: Readonly<Record<string, string>> = Object.freeze({ xml: "http://www.w3.org/XML/1998/namespace" });

function elementOf(
  name: string,
  written: Readonly<Record<string, string>>,
  inherited: Readonly<Record<string, string>>,
): Growing {
  let namespaces = inherited;
  const qualified: Record<string, string> = Object.create(null) as Record<string, string>;
  const attributes: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [key, value] of Object.entries(written)) {
    qualified[key] = value;
    const [prefix, local] = split(key);
    if (key === "xmlns" || prefix === "xmlns") namespaces = { ...namespaces, [key === "xmlns" ? "" : local]: value };
    else if (prefix === "" || !(local in attributes)) attributes[local] = value;
  }
  const [prefix, local] = split(name);
  return { name: local, prefix, uri: namespaces[prefix] ?? "", attributes, qualified, children: [], namespaces };
}

function split(name: string): [prefix: string, local: string] {
  const colon = name.indexOf(":");
  return colon < 0 ? ["", name] : [name.slice(0, colon), name.slice(colon + 1)];
}

/** Text of XML bytes by their byte order mark, their first two bytes or their declaration, else UTF-8 (XML 1.0, appendix F). */
export function decodeXml(bytes: Uint8Array): string {
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return decode(bytes, "utf-16le");
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return decode(bytes, "utf-16be");
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const declared = /^(?:ï»¿)?<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1] ?? "utf-8";
  return decode(bytes, /^utf-?16/i.test(declared) ? "utf-8" : declared);
}

function decode(bytes: Uint8Array, encoding: string): string {
  try {
    return decodeBytes(bytes, encoding);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** The first child element of a name, whatever its namespace. */
export function child(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((node): node is XmlElement => typeof node !== "string" && node.name === name);
}

/** The child elements, all or those of a name. */
export function children(element: XmlElement, name?: string): XmlElement[] {
  return element.children.filter(
    (node): node is XmlElement => typeof node !== "string" && (name === undefined || node.name === name),
  );
}

/** Every element of a name below this one, in document order. */
export function* descendants(element: XmlElement, name: string): Generator<XmlElement> {
  for (const node of element.children) {
    if (typeof node === "string") continue;
    if (node.name === name) yield node;
    yield* descendants(node, name);
  }
}

/** All characters in an element. */
export function textOf(node: XmlNode): string {
  return typeof node === "string" ? node : node.children.map(textOf).join("");
}

/** An element as XML of its own: every namespace that it uses is declared where it is first used. */
export function serialise(element: XmlElement): string {
  return write(element, {});
}

function write(element: XmlElement, declared: Readonly<Record<string, string>>): string {
  const needed = new Set([element.prefix, ...Object.keys(element.qualified).map((name) => split(name)[0])]);
  const scope = { ...declared };
  let attributes = "";
  for (const prefix of needed) {
    const uri = element.namespaces[prefix];
    if (prefix === "xml" || prefix === "xmlns" || uri === undefined || scope[prefix] === uri) continue;
    scope[prefix] = uri;
    attributes += ` ${prefix === "" ? "xmlns" : `xmlns:${prefix}`}="${escape(uri)}"`;
  }
  for (const [name, value] of Object.entries(element.qualified))
    if (name !== "xmlns" && !name.startsWith("xmlns:")) attributes += ` ${name}="${escape(value)}"`;
  const tag = element.prefix === "" ? element.name : `${element.prefix}:${element.name}`;
  const inside = element.children
    .map((node) => (typeof node === "string" ? escape(node) : write(node, scope)))
    .join("");
  return `<${tag}${attributes}>${inside}</${tag}>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]!);
}
