/** The parts of an OpenDocument file (ISO/IEC 26300): one zip archive, or all of it in a single XML file. */
import { Archive } from "../archive.js";
import type { Finding } from "../engine.js";
import { refuse } from "../refusal.js";
import { startsWith } from "../signatures.js";
import { child, descendants, parseXml, textOf, type XmlElement } from "../xml.js";

/** The parts that hold text and its looks. */
export interface OdfDocument {
  /** `office:text`, `office:spreadsheet` or `office:presentation`. */
  readonly body: XmlElement;
  /** Elements that hold styles: those of the content and those of the document. */
  readonly styles: readonly XmlElement[];
  readonly meta: XmlElement | undefined;
  /** A part of the archive as XML, where it is there: embedded formulas. */
  readonly object: (path: string) => XmlElement | undefined;
  readonly findings: readonly Finding[];
}

/** Content with the XML of one part: above this a text of thousands of pages. */
export function openOdf(bytes: Uint8Array, kind: "text" | "spreadsheet" | "presentation"): OdfDocument {
  if (!startsWith(bytes, "PK")) {
    const root = parseXml(bytes, "The file");
    const styles = ["styles", "automatic-styles", "master-styles"].flatMap((name) => child(root, name) ?? []);
    return { body: bodyOf(root, kind), styles, meta: child(root, "meta"), object: () => undefined, findings: [] };
  }
  const archive = Archive.open(bytes);
  const part = (name: string): XmlElement | undefined => {
    const found = archive.find(name);
    return found === undefined ? undefined : parseXml(archive.read(found), `Its part ${name}`);
  };
  const manifest = part("META-INF/manifest.xml");
  if (manifest !== undefined && !descendants(manifest, "encryption-data").next().done)
    refuse("The document is protected by a password: open it in LibreOffice and save it without one.");
  const content = part("content.xml");
  if (content === undefined) refuse("The document lacks its part content.xml: get it again from where it came.");
  const look = part("styles.xml");
  const styles = [content, look].flatMap((root) =>
    root === undefined
      ? []
      : ["automatic-styles", "styles", "master-styles"].flatMap((name) => child(root, name) ?? []),
  );
  const metadata = part("meta.xml");
  return {
    body: bodyOf(content, kind),
    styles,
    meta: metadata && child(metadata, "meta"),
    object: (path) => part(`${path.replace(/^\.\//, "").replace(/\/+$/, "")}/content.xml`),
    get findings() {
      return archive.findings;
    },
  };
}

function bodyOf(root: XmlElement, kind: string): XmlElement {
  const body = child(root, "body");
  const found = body && child(body, kind);
  if (found === undefined) refuse(`The document holds no ${kind}, although it says so: it is damaged.`);
  return found;
}

/** Title and language as the document's properties state them; its dates are those of saving it. */
export function propertiesOf({ meta }: OdfDocument): { title?: string; language?: string } {
  if (meta === undefined) return {};
  const text = (name: string): string => {
    const found = child(meta, name);
    return found === undefined ? "" : textOf(found).trim();
  };
  const title = text("title");
  const language = text("language");
  return {
    ...(title !== "" && !/^(?:untitled|unbenannt)/i.test(title) && { title }),
    ...(/^[a-z]{2,3}(?:-[A-Za-z0-9]+)*$/.test(language) && { language }),
  };
}
