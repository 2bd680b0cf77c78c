/** EPUB: its chapters in reading order, each by the engine of pages (html/). */
import type { Engine, Finding, Withheld } from "../engine.js";
import { relative } from "../html/address.js";
import { BlockWriter } from "../html/blocks.js";
import { decodeHtml } from "../html/decode.js";
import { firstHeading } from "../html/metadata.js";
import { findNotes } from "../html/notes.js";
import { parseHtml, parseXhtml, titleOf, find, type HtmlElement } from "../html/tree.js";
import { keepVisible } from "../html/visible.js";
import { marker, safeTarget } from "../markdown.js";
import { sampledPages } from "../pdf/sampling.js";
import { divisionsOf, readContents, type Entry } from "./contents.js";
import { inside, openBook, type Book, type SpineItem } from "./package.js";
import { placeMarks } from "./places.js";

interface Chapter {
  readonly item: SpineItem;
  readonly root: HtmlElement;
  readonly title: string;
}

export const engine: Engine = async ({ bytes }, options) => {
  const book = openBook(bytes);
  const entries = await readContents(book);
  const findings: Finding[] = [...book.findings];
  const withheld: Withheld[] = [];
  const wanted = sampledPages(book.spine.length, options.sample ?? book.spine.length);
  const chapters: Chapter[] = [];
  for (const number of wanted)
    chapters.push(await readChapter(book, book.spine[number - 1]!, entries, withheld, findings));

  const notes = findNotes(
    chapters.map(({ root, item }) => ({
      root,
      resolve: (href: string) => {
        const target = relative(href);
        if (target === undefined || target.id === "") return undefined;
        const path = target.path === "" ? item.path : inside(book.archive, item.path, href);
        const page = chapters.findIndex((chapter) => chapter.item.path === path);
        return page < 0 ? undefined : { page, id: target.id };
      },
    })),
  );
  const writer = new BlockWriter({ notes, linkTarget });
  const parts: string[] = [];
  for (const { root, title } of chapters)
    parts.push(marker({ kind: "chapter", name: title }), writer.write(root.children));
  findings.push(...book.archive.findings);
  return {
    engine: "saxes 6.0.0, parse5 8.1.1",
    markdown: `${parts.filter((part) => part !== "").join("\n\n")}\n`,
    ...(book.title === undefined ? {} : { title: book.title }),
    ...(book.language === undefined ? {} : { language: book.language }),
    ...(book.date === undefined ? {} : { date: book.date }),
    pagesTotal: book.spine.length,
    withheld,
    labels: [],
    findings,
  };
};

/** A link to another place in the book stays its words; relative ones lead nowhere else. */
function linkTarget(href: string): string | undefined {
  return relative(href) === undefined ? safeTarget(href) : undefined;
}

async function readChapter(
  book: Book,
  item: SpineItem,
  entries: readonly Entry[],
  withheld: Withheld[],
  findings: Finding[],
): Promise<Chapter> {
  const name = item.path.replace(/^.*\//, "");
  const divisions = divisionsOf(entries, item.path, book.spine.length);
  const listed = divisions.find(({ id }) => id === "") ?? (divisions.length === 1 ? divisions[0] : undefined);
  if (item.kind === "picture") return { item, root: pictureOf(item), title: listed?.title ?? name };
  const { text } = decodeHtml(book.archive.read(item.path));
  let root = await parseXhtml(text);
  if (root === undefined) {
    findings.push({
      severity: "note",
      kind: "chapter is not well-formed",
      text: `The chapter ${name} breaks the rules of XML and was read as HTML.`,
    });
    // Tags that XML closes by themselves are open tags in HTML.
    const opened = text.replace(/<([a-z][\w:-]*)(\s[^<>]*?)?\/>/gi, "<$1$2></$1>");
    // A title that is never closed takes all of the chapter in.
    const titled = /<\/title\s*>/i.test(opened) ? opened : opened.replace(/<title\b[^<>]*>[^<]*/i, "$&</title>");
    root = await parseHtml(titled);
  }
  const headed = find(root, (element) => element.name === "title");
  const title = listed?.title ?? firstHeading(root) ?? (headed === undefined ? "" : titleOf(headed));
  withheld.push(...keepVisible(root, { withholdNavigation: false }));
  placeMarks(
    root,
    divisions.filter((entry) => entry !== listed),
  );
  return { item, root, title: title === "" ? name : title };
}

function pictureOf({ path }: SpineItem): HtmlElement {
  const picture: HtmlElement = { name: "img", attributes: new Map([["src", path]]), children: [], block: false };
  return { name: "#root", attributes: new Map(), children: [picture], block: true };
}
