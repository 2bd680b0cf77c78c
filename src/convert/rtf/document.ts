/** Reads the text of an RTF file, group by group, into stories: the body, notes, comments, heads. */
import type { Piece } from "../html/line.js";
import { writeLine } from "../html/line.js";
import { codePage, SIGNS, UNREAD } from "./characters.js";
import { Story, type CellDefinition, type ParagraphKind } from "./story.js";
import { readTables, type RtfTables } from "./tables.js";
import { tokensOf } from "./tokens.js";

export type Decode = (bytes: Uint8Array, encoding: string) => string;

/** What a file says, its parts already Markdown. */
export interface RtfDocument {
  readonly body: string;
  /** In the order of their marks, `[^1]` first. */
  readonly notes: readonly string[];
  readonly comments: readonly { readonly author: string; readonly text: string }[];
  readonly heads: readonly string[];
  readonly deletions: readonly { readonly author: string; readonly text: string }[];
  readonly hidden: readonly string[];
  readonly pictures: number;
  readonly title: string;
}

/** Where characters go: into a story, into a text that is kept aside, or nowhere. */
type Destination =
  { readonly kind: "story" | "none" } | { readonly kind: "aside"; readonly name: string; text: string };

/** What holds until the end of a group. */
interface State {
  destination: Destination;
  font: number;
  /** Signs behind `\u` that stand for it in old readers. */
  skip: number;
  bold: boolean;
  italic: boolean;
  strike: boolean;
  hidden: boolean;
  deleted: boolean;
  author: number;
  link: string | undefined;
}

interface Paragraph {
  style: number;
  outline: number | undefined;
  inTable: boolean;
  list: number | undefined;
  level: number;
  /** The number or bullet that the writer put before the paragraph, as text. */
  sign: string | undefined;
}

const SIMPLE: ParagraphKind = { heading: undefined, list: undefined, inTable: false };
/** Groups within groups; files of Word have some twenty. */
const DEEPEST = 5_000;

export function readRtf(bytes: Uint8Array, decode: Decode): RtfDocument {
  const reading = new Reading(readTables(bytes), decode);
  reading.read(bytes);
  return reading.finish();
}

class Reading {
  readonly #notes: string[] = [];
  readonly #comments: { author: string; text: string }[] = [];
  readonly #heads = new Set<string>();
  readonly #deletions: { author: string; text: string }[] = [];
  readonly #hidden: string[] = [];
  readonly #body = new Story();
  /** The open stories, the body first, and the depth of the group that each ends with. */
  readonly #stories: { story: Story; depth: number; end: (text: string) => void; paragraph: Paragraph }[] = [];
  readonly #groups: State[] = [];
  readonly #authors: string[] = [];
  readonly #counters = new Map<string, number>();
  #state: State = {
    destination: { kind: "story" },
    font: -1,
    skip: 1,
    bold: false,
    italic: false,
    strike: false,
    hidden: false,
    deleted: false,
    author: 0,
    link: undefined,
  };
  #paragraph = newParagraph();
  #story = this.#body;
  #ansi = "cp1252";
  #defaultFont = 0;
  /** Bytes of the code page that wait for the next, as two may make one sign. */
  #bytes: number[] = [];
  #toSkip = 0;
  #ignorable = false;
  #groupStart = false;
  #definitions: CellDefinition[] = [];
  #definition: { across: CellDefinition["across"]; down: CellDefinition["down"] } = {
    across: undefined,
    down: undefined,
  };
  #pictures = 0;
  #title = "";
  #commentAuthor = "";

  constructor(
    private readonly tables: RtfTables,
    private readonly decode: Decode,
  ) {}

  read(bytes: Uint8Array): void {
    for (const token of tokensOf(bytes)) {
      if (token.kind === "byte") {
        if (this.#toSkip > 0) this.#toSkip--;
        else this.#bytes.push(token.byte);
        this.#groupStart = false;
        continue;
      }
      if (token.kind === "word" && this.#toSkip > 0 && token.word !== "u") {
        this.#toSkip--;
        continue;
      }
      this.#flush();
      if (token.kind === "open") this.#open();
      else if (token.kind === "close") this.#close();
      else this.#word(token.word, token.param);
    }
    this.#flush();
  }

  finish(): RtfDocument {
    while (this.#stories.length > 0) this.#endStory();
    return {
      body: this.#body.finish(this.#kind()),
      notes: this.#notes,
      comments: this.#comments,
      heads: [...this.#heads],
      deletions: this.#deletions,
      hidden: this.#hidden,
      pictures: this.#pictures,
      title: this.#title.trim(),
    };
  }

  #open(): void {
    this.#toSkip = 0;
    if (this.#groups.length < DEEPEST) this.#groups.push({ ...this.#state });
    this.#groupStart = true;
    this.#ignorable = false;
  }

  #close(): void {
    this.#toSkip = 0;
    this.#groupStart = false;
    const { destination } = this.#state;
    if (this.#stories.at(-1)?.depth === this.#groups.length) this.#endStory();
    const above = this.#groups.pop();
    if (above === undefined) return;
    this.#state = above;
    if (destination.kind === "aside" && above.destination !== destination) this.#take(destination);
  }

  /** Uses what a group kept aside. */
  #take({ name, text }: { readonly name: string; readonly text: string }): void {
    switch (name) {
      case "fldinst": {
        const link = /HYPERLINK\s+(?:\\\S+\s+)*"([^"]*)"|HYPERLINK\s+([^\s"\\]+)/.exec(text);
        const anchor = /HYPERLINK\s+\\l\b/.test(text);
        if (link !== null && !anchor) this.#state.link = link[1] ?? link[2];
        break;
      }
      case "listtext":
      case "pntext":
        this.#paragraph.sign = text.trim();
        break;
      case "title":
        this.#title = text;
        break;
      case "atnauthor":
        this.#commentAuthor = text.trim();
        break;
      case "revtbl":
        this.#authors.push(...text.split(";").map((name) => name.trim()));
        break;
    }
  }

  #word(word: string, param: number | undefined): void {
    const first = this.#groupStart;
    if (word === "*") {
      this.#ignorable = true;
      return;
    }
    this.#groupStart = false;
    if ((first || this.#ignorable) && this.#destination(word, this.#ignorable)) return;
    this.#ignorable = false;
    const on = param !== 0;
    const state = this.#state;
    switch (word) {
      case "u":
        // Numbers are of 16 bits with a sign.
        this.#toSkip = state.skip;
        this.#characters(String.fromCharCode((param ?? 0x3f) & 0xffff));
        return;
      case "uc":
        state.skip = Math.min(10, Math.max(0, param ?? 1));
        return;
      case "ansicpg":
        this.#ansi = codePage(param ?? 1252);
        return;
      case "mac":
        this.#ansi = "macroman";
        return;
      case "pc":
        this.#ansi = "cp437";
        return;
      case "pca":
        this.#ansi = "cp850";
        return;
      case "deff":
        this.#defaultFont = param ?? 0;
        return;
      case "f":
        state.font = param ?? 0;
        return;
      case "plain":
        Object.assign(state, { bold: false, italic: false, strike: false, hidden: false, font: this.#defaultFont });
        return;
      case "b":
        state.bold = on;
        return;
      case "i":
        state.italic = on;
        return;
      case "strike":
      case "striked":
        state.strike = on;
        return;
      case "v":
        state.hidden = on;
        return;
      case "deleted":
        state.deleted = on;
        return;
      case "revauthdel":
        state.author = param ?? 0;
        return;
    }
    const sign = SIGNS[word];
    if (sign !== undefined) this.#characters(sign);
    else if (state.destination.kind === "story") this.#structure(word, param);
    else if (state.destination.kind === "aside" && /^(?:line|par)$/.test(word)) state.destination.text += " ";
  }

  /** Paragraphs, cells, breaks. */
  #structure(word: string, param: number | undefined): void {
    const paragraph = this.#paragraph;
    switch (word) {
      case "par":
      case "page":
      case "column":
      case "sect":
      case "nestcell":
        this.#story.endParagraph(this.#kind());
        paragraph.sign = undefined;
        break;
      case "line":
      case "softline":
        if (this.#state.hidden || this.#state.deleted) this.#characters(" ");
        else this.#story.lineBreak();
        break;
      case "pard":
        this.#paragraph = { ...newParagraph(), sign: paragraph.sign };
        break;
      case "s":
        paragraph.style = param ?? 0;
        break;
      case "outlinelevel":
        paragraph.outline = param;
        break;
      case "intbl":
        paragraph.inTable = param !== 0;
        break;
      case "ls":
        paragraph.list = param;
        break;
      case "ilvl":
        paragraph.level = Math.min(20, Math.max(0, param ?? 0));
        break;
      case "trowd":
        this.#definitions = [];
        break;
      case "clmgf":
      case "clmrg":
        this.#definition.across = word === "clmgf" ? "first" : "rest";
        break;
      case "clvmgf":
      case "clvmrg":
        this.#definition.down = word === "clvmgf" ? "first" : "rest";
        break;
      case "cellx":
        this.#definitions.push({ ...this.#definition });
        this.#definition = { across: undefined, down: undefined };
        break;
      case "cell":
        this.#story.endCell(this.#kind());
        paragraph.sign = undefined;
        break;
      case "row":
        this.#story.endRow(this.#definitions);
        break;
    }
  }

  /** Where the characters of a group go, by its first word. @returns whether the word said so */
  #destination(word: string, ignorable: boolean): boolean {
    const state = this.#state;
    const unread = state.destination.kind === "none";
    if (word === "pict" && !unread) this.#pictures++;
    const reads = /^(?:fldinst|listtext|pntext|atnauthor|shpinst|shptxt|ud|revtbl|info|title)$/.test(word);
    if (word === "shppict" && ignorable) state.destination = { kind: "none" };
    else if (word === "info" || word === "revtbl") state.destination = { kind: "aside", name: word, text: "" };
    else if (/^(?:fldinst|listtext|pntext|atnauthor|title)$/.test(word)) {
      // Titles are read where they are properties of the document.
      if (!unread) state.destination = { kind: "aside", name: word, text: "" };
    } else if (word === "footnote" && !unread) this.#beginStory("note");
    else if (word === "annotation" && !unread) this.#beginStory("comment");
    else if (/^(?:header|footer)[lrf]?$/.test(word) && !unread) this.#beginStory("head");
    else if (UNREAD.has(word) || (ignorable && !reads)) state.destination = { kind: "none" };
    else if (word === "upr") state.destination = { kind: "none" };
    else if (word === "ud") state.destination = { kind: "story" };
    else if (!reads) return false;
    this.#ignorable = false;
    return true;
  }

  #beginStory(kind: "note" | "comment" | "head"): void {
    const story = new Story();
    let end: (text: string) => void;
    if (kind === "note") {
      // The place is taken before the note is read: notes are numbered by their marks.
      const at = this.#notes.push("") - 1;
      this.#story.inline(`[^${at + 1}]`);
      end = (text) => (this.#notes[at] = text);
    } else if (kind === "comment") {
      const author = this.#commentAuthor;
      end = (text) => this.#comments.push({ author, text });
    } else
      end = (text) => {
        if (text !== "") this.#heads.add(text);
      };
    this.#stories.push({ story, depth: this.#groups.length, end, paragraph: this.#paragraph });
    this.#story = story;
    this.#paragraph = newParagraph();
    Object.assign(this.#state, {
      destination: { kind: "story" },
      bold: false,
      italic: false,
      strike: false,
      link: undefined,
    });
  }

  #endStory(): void {
    const { story, end, paragraph } = this.#stories.pop()!;
    end(story.finish({ ...this.#kind(), inTable: false }));
    this.#story = this.#stories.at(-1)?.story ?? this.#body;
    this.#paragraph = paragraph;
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const page = this.tables.fonts.get(this.#state.font < 0 ? this.#defaultFont : this.#state.font) ?? this.#ansi;
    const bytes = Uint8Array.from(this.#bytes);
    this.#bytes = [];
    this.#characters(this.decode(bytes, page));
  }

  #characters(text: string): void {
    const { destination, hidden, deleted, author, bold, italic, strike, link } = this.#state;
    if (destination.kind === "none") return;
    if (destination.kind === "aside") {
      if (destination.text.length < 10_000) destination.text += text;
    } else if (deleted) {
      const name = this.#authors[author] ?? "";
      const last = this.#deletions.at(-1);
      if (last?.author === name) last.text += text;
      else this.#deletions.push({ author: name, text });
    } else if (hidden) this.#hidden.push(text);
    else this.#story.text(text, { bold, italic, strike, link });
  }

  /** What the paragraph that ends here is. */
  #kind(): ParagraphKind {
    const { style, outline, inTable } = this.#paragraph;
    const named = this.tables.styles.get(style);
    const level = outline ?? named?.outlineLevel;
    const byName = /^(?:heading|überschrift|titre|título|titolo|kop|rubrik) ?(\d)$/i.exec(named?.name ?? "")?.[1];
    let heading: number | undefined;
    if (level !== undefined && level < 9) heading = level + 1;
    else if (byName !== undefined) heading = Number(byName);
    else if (/^(?:title|titel)$/i.test(named?.name ?? "")) heading = 1;
    return { ...SIMPLE, heading, list: heading === undefined ? this.#listItem() : undefined, inTable };
  }

  #listItem(): ParagraphKind["list"] {
    const { list, level, sign } = this.#paragraph;
    if (list === 0 || (list === undefined && sign === undefined)) return undefined;
    const format = list === undefined ? undefined : this.tables.lists.get(list)?.[level];
    // 23 is a bullet, 255 nothing (levelnfc).
    if (format === 255 && (sign ?? "") === "") return undefined;
    const shown = sign?.replace(/[^\p{L}\p{N}]+/gu, " ").trim() ?? "";
    const bullet = format === 23 || (format === undefined && !/^(?:\d+|[a-z]|[ivxlcdm]+)$/i.test(shown));
    if (bullet) return { level, sign: "-" };
    const stated = /(\d{1,9})$/.exec(shown)?.[1];
    const key = `${list ?? ""}|${level}`;
    const number = stated === undefined ? (this.#counters.get(key) ?? 0) + 1 : Number(stated);
    this.#counters.set(key, number);
    // A level that begins again begins its numbers again.
    for (const other of this.#counters.keys())
      if (other.startsWith(`${list ?? ""}|`) && Number(other.split("|")[1]) > level) this.#counters.delete(other);
    return { level, sign: `${number}.` };
  }
}

function newParagraph(): Paragraph {
  return { style: 0, outline: undefined, inTable: false, list: undefined, level: 0, sign: undefined };
}

/** Plain text as one line of Markdown. */
export function lineOf(text: string): string {
  const pieces: Piece[] = [{ kind: "text", text }];
  return writeLine(pieces);
}
