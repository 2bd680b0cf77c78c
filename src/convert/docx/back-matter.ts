import { escapeText, footnote, listItem } from "../markdown.js";
import { children, descendants, textOf, type XmlElement } from "../xml.js";
import type { Block } from "./blocks.js";
import { isEmpty, type Inline } from "./inline.js";
import { Story } from "./story.js";
import type { DocumentState } from "./state.js";
import type { BlockWriter } from "./writing.js";

/** What stands behind the body: read first, all of it, because a note may hold a comment and a comment a deletion. */
export interface BackMatter {
  readonly notes: readonly { readonly label: string; readonly blocks: readonly Block[] }[];
  readonly heads: readonly (readonly Block[])[];
  readonly comments: readonly Comment[];
}

interface Comment {
  readonly heading: string;
  readonly blocks: readonly Block[];
}

export function readBackMatter(state: DocumentState): BackMatter {
  const notes = readNotes(state);
  const heads = readHeads(state);
  return { notes, heads, comments: readComments(state) };
}

/** Notes by their label, in the order of the text; a note that nothing refers to is not shown by Word either. */
function readNotes(state: DocumentState): { label: string; blocks: Block[] }[] {
  const notes: { label: string; blocks: Block[] }[] = [];
  for (const kind of ["footnote", "endnote"] as const) {
    const [part] = state.pack.related(state.pack.main, `${kind}s`);
    const root = part === undefined ? undefined : state.pack.tree(part);
    if (part === undefined || root === undefined) continue;
    const byId = new Map(children(root, kind).map((note) => [note.attributes.id, note]));
    const story = new Story(state, part, root);
    for (const reference of state.notes.filter((each) => each.kind === kind)) {
      const note = byId.get(reference.id);
      const blocks = note === undefined ? [] : story.blocks(note);
      if (blocks.length > 0) notes.push({ label: reference.label, blocks });
    }
  }
  return notes;
}

/** Heads and feet, each text once, in the order of the sections. */
function readHeads(state: DocumentState): Block[][] {
  const parts = new Set<string>();
  for (const name of ["headerReference", "footerReference"])
    for (const reference of descendants(state.main, name)) {
      const found = state.pack
        .relationships(state.pack.main)
        .get(reference.qualified["r:id"] ?? reference.attributes.id ?? "");
      if (found !== undefined && !found.external) parts.add(found.target);
    }
  const known = new Set<string>();
  const heads: Block[][] = [];
  for (const part of parts) {
    const root = state.pack.archive.has(part) ? state.pack.tree(part) : undefined;
    if (root === undefined) continue;
    const text = [...descendants(root, "t")].map(textOf).join("").replace(/\s+/g, "");
    if (known.has(text) && text !== "") continue;
    known.add(text);
    const blocks = new Story(state, part, root, true).blocks(root).flatMap(flattened).filter(isSaying);
    if (blocks.length > 0) heads.push(blocks);
  }
  return heads;
}

/** A table in a head only places its parts. */
function flattened(block: Block): Block[] {
  if (block.kind === "table") return block.rows.flat().flatMap(({ blocks }) => blocks.flatMap(flattened));
  if (block.kind === "code" || block.kind === "number") return [block];
  // A logo without words says nothing.
  const inlines = block.inlines.filter((each: Inline) => each.kind !== "image" || each.alt !== "");
  return isEmpty(inlines) ? [] : [{ kind: "paragraph", inlines, quote: false, indent: 0, listing: false }];
}

function isSaying(block: Block): boolean {
  return block.kind !== "paragraph" || !isEmpty(block.inlines);
}

function readComments(state: DocumentState): Comment[] {
  const { pack } = state;
  const [part] = pack.related(pack.main, "comments");
  const root = part === undefined ? undefined : pack.tree(part);
  if (part === undefined || root === undefined) return [];
  const all = new Map(children(root, "comment").map((comment) => [comment.attributes.id ?? "", comment]));
  const answered = repliesOf(state, root);
  const story = new Story(state, part, root);
  const order = new Set([...state.comments.filter((id) => all.has(id)), ...all.keys()]);
  const comments: Comment[] = [];
  for (const id of order) {
    const comment = all.get(id)!;
    const blocks = story.blocks(comment);
    if (blocks.length === 0) continue;
    const { author = "", date = "" } = comment.attributes;
    const said = [author.trim() === "" ? "Comment" : author.trim()];
    if (/^\d{4}-\d\d-\d\d/.test(date)) said.push(date.slice(0, 10));
    const parent = answered.get(comment);
    const anchor = state.anchorOf(id);
    if (parent !== undefined) said.push(`in reply to ${parent.attributes.author ?? "a comment"}`);
    else if (anchor !== "") said.push(`on “${anchor}”`);
    comments.push({ heading: `${said.join(", ")}:`, blocks });
  }
  return comments;
}

/** The comment that each reply answers (commentsExtended, MS-DOCX 2.5.1): a comment is known by its last paragraph. */
function repliesOf(state: DocumentState, comments: XmlElement): Map<XmlElement, XmlElement> {
  const replies = new Map<XmlElement, XmlElement>();
  const [part] = state.pack.related(state.pack.main, "commentsExtended");
  const root = part === undefined ? undefined : state.pack.tree(part);
  if (root === undefined) return replies;
  const byParagraph = new Map<string, XmlElement>();
  for (const comment of children(comments, "comment")) {
    const id = children(comment, "p").at(-1)?.attributes.paraId;
    if (id !== undefined) byParagraph.set(id, comment);
  }
  for (const { attributes } of children(root, "commentEx")) {
    const reply = byParagraph.get(attributes.paraId ?? "");
    const parent = byParagraph.get(attributes.paraIdParent ?? "");
    if (reply !== undefined && parent !== undefined) replies.set(reply, parent);
  }
  return replies;
}

/** Notes, then what a reader of the pages sees beside the text, each under its heading. */
export function writeBackMatter(back: BackMatter, state: DocumentState, writer: BlockWriter): string[] {
  const written: string[] = [];
  const { labels } = writer;
  for (const { label, blocks } of back.notes) written.push(footnote(label, writer.write(blocks)));
  if (back.comments.length > 0) {
    labels.push("Comments");
    const items = back.comments.map(({ heading, blocks }) => {
      labels.push(heading);
      const text = writer.write(blocks);
      // A list or a table begins on a line of its own.
      const gap = blocks[0]!.kind === "paragraph" ? " " : "\n\n";
      return listItem("-", `${escapeText(heading)}${gap}${text}`, 0);
    });
    written.push("## Comments", items.join("\n"));
  }
  const deletions = state.deletions.filter(({ text }) => text.trim() !== "");
  if (deletions.length > 0) {
    labels.push("Tracked changes");
    const items = deletions.map(({ author, date, text }) => {
      const by = author.trim() === "" ? "Deleted" : `Deleted by ${author.trim()}`;
      const heading = /^\d{4}-\d\d-\d\d$/.test(date) ? `${by}, ${date}:` : `${by}:`;
      labels.push(heading);
      return listItem("-", `${escapeText(heading)} ${escapeText(text.trim())}`, 0);
    });
    written.push("## Tracked changes", items.join("\n"));
  }
  if (back.heads.length > 0) {
    labels.push("Headers and footers");
    written.push("## Headers and footers", ...back.heads.map((blocks) => writer.write(blocks)));
  }
  return written;
}

/** The title in the document's properties, unless a program put it there. */
export function statedTitle(title: string | undefined): string | undefined {
  const text = title?.trim() ?? "";
  if (
    text === "" ||
    /^(?:microsoft word\b|untitled|document ?\d*$|dokument ?\d*$|title$|word document|normal$|template)/i.test(text)
  )
    return undefined;
  return /\.(?:docx?|dotx?|rtf|odt)$/i.test(text) ? undefined : text;
}
