import { decodeEscapes } from "./shared-strings.js";
import type { OfficePackage } from "../ooxml/package.js";
import { child, children, textOf, type XmlElement } from "../xml.js";
import { parseCell } from "./reference.js";

/** A remark on a cell. */
export interface CellComment {
  readonly reference: string;
  readonly author: string;
  readonly text: string;
}

/** Comments of a sheet: threads where there are some, and notes on the other cells. A note beside a thread only repeats it. */
export function readComments(office: OfficePackage, sheet: string, people: ReadonlyMap<string, string>): CellComment[] {
  const threads = office.related(sheet, "threadedComment").flatMap((part) => readThreads(office.tree(part), people));
  const threaded = new Set(threads.map(({ reference }) => reference));
  const notes = office
    .related(sheet, "comments")
    .flatMap((part) => readNotes(office.tree(part)))
    .filter(({ reference }) => !threaded.has(reference));
  return [...threads, ...notes].sort((a, b) => order(a.reference) - order(b.reference));
}

/** Names of those who wrote in threads, by id. */
export function readPeople(office: OfficePackage): Map<string, string> {
  const people = new Map<string, string>();
  for (const part of office.related(office.main, "person")) {
    const list = office.tree(part);
    for (const { attributes } of list === undefined ? [] : children(list, "person"))
      if (attributes.id !== undefined) people.set(attributes.id, attributes.displayName ?? "");
  }
  return people;
}

function readThreads(list: XmlElement | undefined, people: ReadonlyMap<string, string>): CellComment[] {
  if (list === undefined) return [];
  return children(list, "threadedComment").map((each) => ({
    reference: each.attributes.ref ?? "",
    author: people.get(each.attributes.personId ?? "") ?? "",
    text: textOf(child(each, "text") ?? "").trim(),
  }));
}

function readNotes(list: XmlElement | undefined): CellComment[] {
  const names = list && child(list, "authors");
  const notes = list && child(list, "commentList");
  if (notes === undefined) return [];
  const authors = names === undefined ? [] : children(names, "author").map((each) => textOf(each).trim());
  return children(notes, "comment").map((each) => {
    const body = child(each, "text");
    const text = body === undefined ? "" : decodeEscapes(runs(body)).trim();
    const author = authors[Number(each.attributes.authorId)] ?? "";
    // Excel begins a note with its author's name and a colon.
    const words = author !== "" && text.startsWith(`${author}:`) ? text.slice(author.length + 1).trim() : text;
    return { reference: each.attributes.ref ?? "", author, text: words };
  });
}

function runs(body: XmlElement): string {
  return children(body)
    .filter(({ name }) => name !== "rPh")
    .map((each) => (each.name === "t" ? textOf(each) : each.name === "r" ? textOf(child(each, "t") ?? "") : ""))
    .join("");
}

function order(reference: string): number {
  const cell = parseCell(reference);
  return cell === undefined ? Infinity : cell.row * 20_000 + cell.column;
}
