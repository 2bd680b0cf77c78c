/** What a book holds, read by linkedom: package, reading order and pages, with nothing of the engine's. */
import { Archive } from "../archive.js";
import type { Reader, ReferenceUnit } from "../engine.js";
import { LINKEDOM, attribute, below, nameOf, readDom, type DomNode } from "../html/dom.js";
import { characters } from "../html/reader.js";
import { see, type Seen } from "../html/seen.js";
import { sampledPages } from "../pdf/sampling.js";
import { refuse } from "../refusal.js";

interface Page {
  readonly name: string;
  readonly number: number;
  readonly document: DomNode;
  readonly ids: ReadonlyMap<string, DomNode>;
}

export const reader: Reader = async ({ bytes }, options) => {
  const archive = Archive.open(bytes);
  const order = await readingOrder(archive);
  const pages: Page[] = [];
  for (const number of sampledPages(order.length, options.sample ?? order.length)) {
    const { name, isPicture } = order[number - 1]!;
    const text = isPicture ? `<body><img alt="" src=""/></body>` : await characters(archive.read(name));
    const document = await readDom(text, true);
    const ids = new Map<string, DomNode>();
    for (const node of below(document)) {
      const id = attribute(node, "id");
      if (id !== undefined && !ids.has(id)) ids.set(id, node);
    }
    pages.push({ name, number, document, ids });
  }
  const seen = pages.map((page) =>
    see(page.document, {
      leadsOut: (target) => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target),
      locate: (target) => {
        const [path = "", id = ""] = target.split("#");
        const name = path === "" ? page.name : partOf(archive, page.name, path);
        return pages.find((each) => each.name === name)?.ids.get(unescaped(id));
      },
    }),
  );
  const units = seen.flatMap(({ text, hidden }, index): ReferenceUnit[] => {
    const place = `chapter ${pages[index]!.number}`;
    return hidden.trim() === ""
      ? [{ place, text }]
      : [
          { place, text },
          { place, text: hidden },
        ];
  });
  const all = <K extends "tables" | "links" | "images" | "formulas">(key: K): Seen[K][number][] =>
    seen.flatMap((each) => each[key] as readonly Seen[K][number][]);
  return {
    reader: LINKEDOM,
    units,
    tables: all("tables"),
    links: all("links"),
    images: all("images"),
    formulas: all("formulas"),
    footnotes: uniqueNotes(seen),
  };
};

/** Notes that several chapters refer to are one note each. */
function uniqueNotes(seen: readonly Seen[]): string[] {
  const notes = new Map<DomNode, string>();
  for (const { notes: own } of seen) for (const [body, text] of own) notes.set(body, text);
  return Array.from(notes.values());
}

async function readingOrder(archive: Archive): Promise<{ name: string; isPicture: boolean }[]> {
  const opf = await packageName(archive);
  const document = await readDom(await characters(archive.read(opf)), true);
  const elements = Array.from(below(document));
  const items = new Map(
    elements.filter((node) => nameOf(node) === "item").map((node) => [attribute(node, "id"), node]),
  );
  const order = new Map<string, boolean>();
  for (const node of elements) {
    if (nameOf(node) !== "itemref") continue;
    let item = items.get(attribute(node, "idref"));
    for (let turn = 0; turn < 10 && item !== undefined && !isRead(item); turn++)
      item = items.get(attribute(item, "fallback")) ?? undefined;
    item ??= items.get(attribute(node, "idref"));
    const name = item === undefined ? undefined : partOf(archive, opf, attribute(item, "href") ?? "");
    if (name === undefined || order.has(name)) continue;
    const type = attribute(item!, "media-type") ?? "";
    order.set(name, type.startsWith("image/") && type !== "image/svg+xml");
  }
  return Array.from(order, ([name, isPicture]) => ({ name, isPicture }));
}

function isRead(item: DomNode): boolean {
  const type = attribute(item, "media-type") ?? "";
  if (/html|oeb1-document|dtbook|^$|^image\/svg/.test(type)) return true;
  return type.startsWith("image/") && attribute(item, "fallback") === undefined;
}

async function packageName(archive: Archive): Promise<string> {
  const container = archive.find("META-INF/container.xml");
  if (container !== undefined)
    for (const node of below(await readDom(await characters(archive.read(container)), true))) {
      if (nameOf(node) !== "rootfile") continue;
      const name = archive.find(attribute(node, "full-path") ?? "");
      if (name !== undefined) return name;
    }
  const name = archive.names.find((each) => each.toLowerCase().endsWith(".opf"));
  return name ?? refuse("The file holds no package of a book: it is no EPUB or damaged.");
}

/** The part of the archive that an address in another part leads to. */
function partOf(archive: Archive, from: string, href: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return undefined;
  const steps =
    `${href.startsWith("/") ? "" : from.replace(/[^/]*$/, "")}${unescaped(href.replace(/[?#].*$/s, ""))}`.split("/");
  const path: string[] = [];
  for (const step of steps) {
    if (step === "..") {
      if (path.length === 0) return undefined;
      path.pop();
    } else if (step !== "" && step !== ".") path.push(step);
  }
  return archive.find(path.join("/")) ?? archive.find(encodeURI(path.join("/")));
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
