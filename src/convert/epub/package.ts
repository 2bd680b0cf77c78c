/** The package of a book (EPUB 3.3, 2.0.1): what it says of itself and which files are read in which order. */
import { Archive } from "../archive.js";
import type { Finding } from "../engine.js";
import { relative } from "../html/address.js";
import { isoDate, languageTag } from "../html/metadata.js";
import { refuse } from "../refusal.js";
import { child, children, descendants, parseXml, textOf, type XmlElement } from "../xml.js";

/** A file of the reading order. */
export interface SpineItem {
  /** Its name in the archive. */
  readonly path: string;
  readonly kind: "page" | "drawing" | "picture";
}

export interface Book {
  readonly archive: Archive;
  readonly title?: string;
  readonly language?: string;
  readonly date?: string;
  readonly spine: readonly SpineItem[];
  /** The files that hold the table of contents: that of EPUB 3, that of EPUB 2. */
  readonly nav?: string;
  readonly ncx?: string;
  readonly findings: readonly Finding[];
}

/** Opens a book. Refuses what is no book, or protected. */
export function openBook(bytes: Uint8Array): Book {
  const archive = Archive.open(bytes);
  const path = packagePath(archive);
  const root = parseXml(archive.read(path), path);
  const files = new Files(archive, path);
  const manifest = child(root, "manifest");
  const items = new Map<string, XmlElement>();
  for (const item of manifest === undefined ? [] : children(manifest, "item"))
    if (item.attributes.id !== undefined) items.set(item.attributes.id, item);
  const spine = child(root, "spine");
  if (spine === undefined) refuse("The book states no reading order (its package has no spine): it is damaged.");
  const order = spineItems(spine, items, files);
  refuseProtected(
    archive,
    order.map((item) => item.path),
  );
  const nav = Array.from(items.values()).find((item) => /(?:^|\s)nav(?:\s|$)/.test(item.attributes.properties ?? ""));
  const ncx =
    items.get(spine.attributes.toc ?? "") ??
    Array.from(items.values()).find((item) => item.attributes["media-type"] === "application/x-dtbncx+xml");
  const navPath = nav === undefined ? undefined : files.find(nav);
  const ncxPath = ncx === undefined ? undefined : files.find(ncx);
  return {
    archive,
    ...metadataOf(root),
    spine: order,
    ...(navPath === undefined ? {} : { nav: navPath }),
    ...(ncxPath === undefined ? {} : { ncx: ncxPath }),
    findings: files.findings,
  };
}

/** The name of the package's file, from the container's description; where that is missing, the only one there is. */
function packagePath(archive: Archive): string {
  const container = archive.find("META-INF/container.xml");
  if (container !== undefined) {
    const roots = Array.from(descendants(parseXml(archive.read(container), container), "rootfile"));
    const root = roots.find((each) => (each.attributes["media-type"] ?? "").includes("oebps-package")) ?? roots[0];
    const stated = root?.attributes["full-path"];
    const path = stated === undefined ? undefined : inside(archive, "", stated);
    if (path !== undefined) return path;
    if (stated !== undefined)
      refuse(`The book's description names ${stated} as its package, which is not in the file: it is damaged.`);
  }
  const packages = archive.names.filter((name) => /\.opf$/i.test(name));
  if (packages.length !== 1)
    refuse("The file lacks the description of a book (META-INF/container.xml): it is no EPUB or damaged.");
  return packages[0]!;
}

/** The name in the archive of a relative address; undefined where nothing is there, or it leads out. */
export function inside(archive: Archive, from: string, href: string): string | undefined {
  const target = relative(href);
  if (target === undefined || target.path === "") return undefined;
  const folders = target.path.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const step of target.path.split("/")) {
    if (step === "..") {
      if (folders.pop() === undefined) return undefined;
    } else if (step !== "." && step !== "") folders.push(step);
  }
  const path = folders.join("/");
  // Some writers name the files as they stand in addresses.
  return archive.find(path) ?? archive.find(encodeURI(path));
}

class Files {
  readonly findings: Finding[] = [];

  constructor(
    readonly archive: Archive,
    readonly packagePath: string,
  ) {}

  find(item: XmlElement): string | undefined {
    return inside(this.archive, this.packagePath, item.attributes.href ?? "");
  }

  note(kind: string, text: string): void {
    this.findings.push({ severity: "warn", kind, text });
  }
}

/** Items apart from the reading order (`linear="no"`: covers, answers, notes) stay where the publisher put them in it. */
function spineItems(spine: XmlElement, items: ReadonlyMap<string, XmlElement>, files: Files): SpineItem[] {
  const order: SpineItem[] = [];
  const seen = new Set<string>();
  for (const { attributes } of children(spine, "itemref")) {
    const item = readable(items.get(attributes.idref ?? ""), items);
    if (item === undefined) {
      files.note(
        "missing chapter",
        `The reading order names ${attributes.idref ?? "an item"}, which the book does not list.`,
      );
      continue;
    }
    const path = files.find(item);
    const href = item.attributes.href ?? "";
    if (path === undefined) {
      const remote = relative(href) === undefined || href.includes("..");
      files.note(
        "missing chapter",
        remote
          ? `The chapter ${href} lies outside the book and was not read.`
          : `The chapter ${href} is not in the file.`,
      );
    } else if (!seen.has(path)) {
      seen.add(path);
      order.push({ path, kind: kindOf(item) });
    }
  }
  if (order.length === 0)
    refuse("None of the chapters of the book is in the file: it is damaged, or they lie elsewhere.");
  return order;
}

function kindOf({ attributes }: XmlElement): SpineItem["kind"] {
  const type = attributes["media-type"] ?? "";
  if (type === "image/svg+xml") return "drawing";
  return type.startsWith("image/") ? "picture" : "page";
}

/** The item, or what it falls back to, as far as a page or a picture can be read from it. */
function readable(item: XmlElement | undefined, items: ReadonlyMap<string, XmlElement>): XmlElement | undefined {
  const tried = new Set<XmlElement>();
  for (let at = item; at !== undefined && !tried.has(at); at = items.get(at.attributes.fallback ?? "")) {
    tried.add(at);
    const type = at.attributes["media-type"] ?? "";
    const isPage = /xhtml|html|oeb1-document|dtbook/.test(type) || type === "" || type === "image/svg+xml";
    if (isPage || (type.startsWith("image/") && !items.has(at.attributes.fallback ?? ""))) return at;
  }
  return item;
}

const FONT_OBFUSCATION = new Set(["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"]);

/** Chapters that are encrypted are data for their shop's reader only; fonts that are made unreadable hinder nobody. */
function refuseProtected(archive: Archive, chapters: readonly string[]): void {
  const path = archive.find("META-INF/encryption.xml");
  if (path === undefined) return;
  for (const data of descendants(parseXml(archive.read(path), path), "EncryptedData")) {
    const [method] = descendants(data, "EncryptionMethod");
    if (FONT_OBFUSCATION.has(method?.attributes.Algorithm ?? "")) continue;
    for (const { attributes } of descendants(data, "CipherReference")) {
      const name = inside(archive, "", attributes.URI ?? "");
      if (name !== undefined && chapters.includes(name))
        refuse(
          "The book is protected by DRM, so only the reader of its shop opens it: convert a copy without protection.",
        );
    }
  }
}

function metadataOf(root: XmlElement): Pick<Book, "title" | "language" | "date"> {
  const metadata = child(root, "metadata") ?? root;
  const stated = (name: string): XmlElement[] => Array.from(descendants(metadata, name));
  const words = (element: XmlElement | undefined): string | undefined =>
    element === undefined ? undefined : textOf(element).replace(/\s+/g, " ").trim() || undefined;
  const titles = stated("title");
  const main = stated("meta").find(
    (meta) => meta.attributes.property === "title-type" && textOf(meta).trim() === "main",
  )?.attributes.refines;
  const title = words(titles.find(({ attributes }) => main === `#${attributes.id ?? ""}`) ?? titles[0]);
  const language = stated("language")
    .map((each) => languageTag(textOf(each)))
    .find(Boolean);
  const dates = stated("date");
  const event = (name: string): XmlElement | undefined => dates.find(({ attributes }) => attributes.event === name);
  const published =
    event("publication") ??
    event("original-publication") ??
    dates.find(({ attributes }) => attributes.event === undefined);
  const date = published === undefined ? undefined : isoDate(textOf(published));
  return {
    ...(title === undefined || title === "unknown" ? {} : { title }),
    ...(language === undefined ? {} : { language }),
    ...(date === undefined ? {} : { date }),
  };
}
