import { plainParagraphs } from "../ooxml/drawing-text.js";
import type { OfficePackage } from "../ooxml/package.js";
import { child, children, textOf, type XmlElement } from "../xml.js";

/** A remark on a slide, or an answer to one. */
export interface SlideComment {
  readonly author: string;
  /** `2026-06-18` */
  readonly date: string | undefined;
  readonly text: string;
}

/** Who wrote comments, by id, in the way before and since 2021. */
export function readAuthors(office: OfficePackage): Map<string, string> {
  const authors = new Map<string, string>();
  for (const part of [...office.related(office.main, "commentAuthors"), ...office.related(office.main, "authors")]) {
    const list = office.tree(part);
    for (const { attributes } of list === undefined ? [] : children(list))
      if (attributes.id !== undefined) authors.set(attributes.id, attributes.name ?? "");
  }
  return authors;
}

/** The comments of a slide in the order of the file, each followed by its answers. */
export function readComments(
  office: OfficePackage,
  slide: string,
  authors: ReadonlyMap<string, string>,
): SlideComment[] {
  const comments: SlideComment[] = [];
  for (const part of office.related(slide, "comments")) {
    const list = office.tree(part);
    for (const comment of list === undefined ? [] : children(list, "cm")) {
      comments.push(readOne(comment, authors));
      const replies = child(comment, "replyLst");
      for (const reply of replies === undefined ? [] : children(replies, "reply"))
        comments.push(readOne(reply, authors));
    }
  }
  return comments.filter(({ text }) => text !== "");
}

function readOne(comment: XmlElement, authors: ReadonlyMap<string, string>): SlideComment {
  const plain = child(comment, "text");
  const body = child(comment, "txBody");
  const text = plain === undefined ? (body === undefined ? "" : plainParagraphs(body).join("\n")) : textOf(plain);
  return {
    author: authors.get(comment.attributes.authorId ?? "") ?? "",
    date: /^\d{4}-\d\d-\d\d/.exec(comment.attributes.dt ?? comment.attributes.created ?? "")?.[0],
    text: text.trim(),
  };
}
