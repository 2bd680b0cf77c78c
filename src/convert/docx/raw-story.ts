import type { Handler } from "htmlparser2";
import { attributeOf, localName } from "../ooxml/raw-package.js";
import { RawDrawings } from "./raw-drawings.js";
import { append, piecesToText, RawFields, type Piece } from "./raw-pieces.js";
import type { RawStory, RawStoryOptions } from "./raw-reading.js";
import { RawTables } from "./raw-tables.js";
import { symbolOf } from "./symbols.js";

type Attributes = Readonly<Record<string, string>>;

interface Paragraph {
  readonly pieces: Piece[];
  readonly below: Piece[];
  joined: boolean;
  hidden: boolean;
  /** Where the last word led: a link is a stretch of words that lead to one target. */
  target: string;
}

const SCHEMES = /^(?:https?|mailto|tel|ftp):/i;
/** Prefixes whose markup the newer half of a choice may use: those of shapes and text of Word itself. */
const KNOWN = /^(?:wps|wpg|wpc|wp14|w1\d\w*|a14|c14|v|wne)$/;

/**
 * Follows the events of one part. It knows nothing of styles and lists: text is what stands in `w:t`, wherever that is, so
 * whatever an engine overlooks shows as lost.
 */
export class RawStoryReader {
  readonly handler: Partial<Handler>;
  readonly #options: RawStoryOptions;
  readonly #vocabularies = new Map<string, string>();
  readonly #root: Piece[] = [];
  readonly #deletions: Piece[] = [];
  readonly #hiddenText: Piece[] = [];
  readonly #containers: Piece[][] = [this.#root];
  readonly #paragraphs: Paragraph[] = [];
  readonly #tables = new RawTables();
  readonly #fields = new RawFields();
  readonly #hyperlinks: string[] = [];
  readonly #choices: { taken: boolean }[] = [];
  readonly #drawings = new RawDrawings();
  readonly #links: string[] = [];
  readonly #formulas: string[] = [];
  readonly #images: string[] = [];
  readonly #references = { footnote: new Set<string>(), endnote: new Set<string>(), comment: new Set<string>() };
  readonly #entries = new Map<string, { pieces: Piece[]; separator: boolean }>();
  readonly #heads: string[] = [];
  #formula: string | undefined;
  #text: "word" | "math" | "instruction" | "deleted" | undefined;
  /** Levels of elements that are passed over, and of those whose text was taken away. */
  #skipped = 0;
  #deleted = 0;
  #depthInRunProperties = 0;
  #hidden: boolean | undefined;
  #font = "";
  #list: { entries: string[]; result: number } | undefined;
  #inMark = 0;

  constructor(options: RawStoryOptions) {
    this.#options = options;
    this.handler = {
      onopentag: (name, attributes) => {
        this.#open(name, attributes);
      },
      onclosetag: (name) => {
        this.#close(name);
      },
      ontext: (text) => {
        this.#characters(text);
      },
    };
  }

  /** Where text goes that stands in no paragraph. */
  get #outside(): Piece[] {
    return this.#containers.at(-1) ?? this.#root;
  }

  finish(): RawStory {
    const entries = new Map<string, { text: string; separator: boolean }>();
    for (const [id, { pieces, separator }] of this.#entries) entries.set(id, { text: piecesToText(pieces), separator });
    return {
      text: piecesToText(this.#root),
      deletions: piecesToText(this.#deletions),
      hidden: piecesToText(this.#hiddenText),
      tables: this.#tables.texts,
      links: this.#links,
      formulas: this.#formulas,
      images: this.#images,
      footnotes: [...this.#references.footnote],
      endnotes: [...this.#references.endnote],
      comments: [...this.#references.comment],
      entries,
      heads: this.#heads,
    };
  }

  #vocabularyOf(name: string): string {
    const colon = name.indexOf(":");
    return this.#vocabularies.get(colon < 0 ? "" : name.slice(0, colon)) ?? "";
  }

  #open(qualified: string, attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes))
      if (name === "xmlns" || name.startsWith("xmlns:")) this.#vocabularies.set(name.slice(6), vocabulary(value));
    if (this.#skipped > 0) {
      this.#skipped++;
      return;
    }
    const name = localName(qualified);
    switch (this.#vocabularyOf(qualified)) {
      case "word":
        this.#openWord(name, attributes);
        break;
      case "math":
        if (name === "oMath" && this.#formula === undefined) this.#formula = "";
        else if (name === "t" && this.#formula !== undefined) this.#text = "math";
        break;
      case "compatibility":
        this.#openChoice(name, attributes);
        break;
      default:
        this.#openDrawn(name, attributes);
    }
  }

  #close(qualified: string): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    const name = localName(qualified);
    switch (this.#vocabularyOf(qualified)) {
      case "word":
        this.#closeWord(name);
        break;
      case "math":
        this.#text = undefined;
        if (name === "oMath" && this.#formula !== undefined) {
          if (this.#deleted === 0 && this.#formula.trim() !== "") this.#formulas.push(this.#formula);
          this.#formula = undefined;
        }
        break;
      case "compatibility":
        if (name === "AlternateContent") this.#choices.pop();
        break;
      default:
        if (name === "pic") this.#image(this.#drawings.closePicture());
    }
  }

  #openChoice(name: string, attributes: Attributes): void {
    if (name === "AlternateContent") this.#choices.push({ taken: false });
    const choice = this.#choices.at(-1);
    if (choice === undefined) return;
    if (name === "Choice") {
      const wanted = (attributes.Requires ?? "").split(/\s+/).filter((prefix) => prefix !== "");
      if (choice.taken || !wanted.every((prefix) => KNOWN.test(prefix))) this.#skipped = 1;
      else choice.taken = true;
    } else if (name === "Fallback" && choice.taken) this.#skipped = 1;
  }

  #openWord(name: string, attributes: Attributes): void {
    const value = attributeOf(attributes, "val");
    const id = attributeOf(attributes, "id") ?? "";
    if (this.#options.entry === name) {
      const pieces: Piece[] = [];
      const type = attributeOf(attributes, "type") ?? "normal";
      this.#entries.set(id, { pieces, separator: type !== "normal" });
      this.#containers.push(pieces);
    }
    switch (name) {
      case "p":
        this.#paragraphs.push({ pieces: [], below: [], joined: false, hidden: false, target: "" });
        break;
      case "t":
        this.#text = "word";
        break;
      case "delText":
        this.#text = "deleted";
        break;
      case "instrText":
        this.#text = "instruction";
        break;
      case "rPr":
        this.#depthInRunProperties++;
        break;
      case "pPr":
        this.#inMark++;
        break;
      case "r":
        this.#font = "";
        this.#hidden = undefined;
        break;
      case "rStyle":
        if (this.#inMark === 0 && this.#options.hiddenStyles.has(value ?? "")) this.#hidden ??= true;
        break;
      case "pStyle":
        if (this.#options.hiddenStyles.has(value ?? "")) this.#hideParagraph();
        break;
      case "vanish":
        if (this.#inMark === 0) this.#hidden = !["0", "false", "off"].includes(value ?? "");
        break;
      case "rFonts":
        this.#font = attributeOf(attributes, "ascii") ?? attributeOf(attributes, "hAnsi") ?? "";
        break;
      case "tab":
      case "ptab":
        if (this.#inMark === 0) this.#say(" ");
        break;
      case "br":
      case "cr":
        this.#say(" ");
        break;
      case "noBreakHyphen":
        this.#say("-");
        break;
      case "sym": {
        const code = Number.parseInt(attributeOf(attributes, "char") ?? "", 16);
        this.#say(Number.isNaN(code) ? "" : (symbolOf(attributeOf(attributes, "font") ?? this.#font, code) ?? ""));
        break;
      }
      case "fldSimple":
        this.#fields.openSimple(attributeOf(attributes, "instr") ?? "");
        break;
      case "fldChar":
        this.#say(this.#fields.mark(attributeOf(attributes, "fldCharType")));
        break;
      case "ddList":
        this.#list = { entries: [], result: 0 };
        break;
      case "listEntry":
        this.#list?.entries.push(value ?? "");
        break;
      case "result":
        if (this.#list !== undefined) this.#list.result = Number(value ?? 0);
        break;
      case "hyperlink": {
        const target = this.#options.external(id);
        const place = attributeOf(attributes, "anchor");
        this.#hyperlinks.push(target === undefined ? "" : target + (place === undefined ? "" : `#${place}`));
        break;
      }
      case "del":
      case "moveFrom":
        this.#openRemoved(name);
        break;
      case "framePr":
        if (!["none", undefined].includes(attributeOf(attributes, "dropCap"))) this.#join();
        break;
      case "footnoteReference":
      case "endnoteReference":
        this.#references[name === "footnoteReference" ? "footnote" : "endnote"].add(id);
        break;
      case "commentReference":
        this.#references.comment.add(id);
        break;
      case "headerReference":
      case "footerReference":
        this.#heads.push(`${name === "headerReference" ? 0 : 1} ${id}`);
        break;
      case "tbl":
      case "tr":
      case "gridBefore":
      case "tc":
      case "gridSpan":
      case "vMerge":
        this.#openTable(name, value);
        break;
      case "drawing":
      case "pict":
      case "object":
        this.#drawings.enter();
        break;
      case "txbxContent":
        this.#containers.push([]);
        break;
    }
  }

  #closeWord(name: string): void {
    if (this.#options.entry === name) this.#containers.pop();
    switch (name) {
      case "t":
      case "delText":
      case "instrText":
        this.#text = undefined;
        break;
      case "rPr":
        this.#depthInRunProperties--;
        break;
      case "pPr":
        this.#inMark--;
        break;
      case "r":
        this.#hidden = undefined;
        break;
      case "p":
        this.#hiddenText.push({ text: "\n" });
        this.#closeParagraph();
        break;
      case "ddList":
        this.#say(this.#list?.entries[this.#list.result] ?? "", true);
        this.#list = undefined;
        break;
      case "fldSimple":
        this.#fields.closeSimple();
        break;
      case "hyperlink":
        this.#hyperlinks.pop();
        break;
      case "del":
      case "moveFrom":
        if (this.#inMark === 0 && this.#deleted > 0) {
          this.#deleted--;
          this.#deletions.push({ text: "\n" });
        }
        break;
      case "tc":
      case "tr":
      case "tbl":
        this.#closeTable(name);
        break;
      case "drawing":
      case "pict":
      case "object":
        this.#drawings.leave();
        break;
      case "txbxContent": {
        const pieces = this.#containers.pop() ?? [];
        const paragraph = this.#paragraphs.at(-1);
        append(paragraph?.below ?? this.#outside, [...pieces, { text: "\n" }]);
        break;
      }
    }
  }

  #openRemoved(name: "del" | "moveFrom"): void {
    const moved = name === "moveFrom" && this.#options.moves;
    if (this.#inMark > 0) {
      // The end of the paragraph is gone, so it goes on with the next one.
      if (this.#depthInRunProperties > 0 && (name === "del" || moved)) this.#join();
      return;
    }
    if (this.#tables.betweenCells) {
      this.#tables.deleteRow();
      return;
    }
    if (moved) this.#skipped = 1;
    else this.#deleted++;
  }

  #hideParagraph(): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.hidden = true;
  }

  #join(): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.joined = true;
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (paragraph === undefined) return;
    const outside = this.#outside;
    const joined = paragraph.joined && paragraph.below.length === 0;
    append(outside, paragraph.pieces);
    if (!joined) outside.push({ text: "\n" });
    append(outside, paragraph.below);
  }

  #openTable(name: string, value: string | undefined): void {
    switch (name) {
      case "tbl":
        this.#outside.push({ text: "\n" });
        this.#tables.openTable();
        break;
      case "tr":
        this.#tables.openRow();
        break;
      case "gridBefore":
        this.#tables.skip(Number(value));
        break;
      case "tc":
        if (this.#tables.rowIsDeleted) this.#deleted++;
        this.#containers.push(this.#tables.openCell());
        break;
      case "gridSpan":
        this.#tables.span(Number(value));
        break;
      case "vMerge":
        this.#tables.merge(value === "restart");
        break;
    }
  }

  #closeTable(name: string): void {
    if (name === "tbl") this.#tables.closeTable();
    else if (name === "tr") this.#tables.closeRow();
    else {
      if (this.#containers.length > 1) this.#containers.pop();
      if (this.#tables.rowIsDeleted) this.#deleted--;
      this.#tables.closeCell(this.#outside);
    }
  }

  #openDrawn(name: string, attributes: Attributes): void {
    const external = (id: string | undefined): string => this.#options.external(id ?? "") ?? "";
    const found = this.#drawings.open(name, attributes, external);
    if (found.image !== undefined) this.#image(found.image);
    if (found.words !== undefined) this.#below(found.words);
    if (found.part !== undefined) this.#below(this.#options.drawn(found.part.id, found.part.kind));
  }

  #below(text: string): void {
    if (text.trim() !== "" && this.#deleted === 0)
      (this.#paragraphs.at(-1)?.below ?? this.#outside).push({ text: `${text}\n` });
  }

  #image(alt: string | undefined): void {
    if (alt === undefined || this.#deleted > 0) return;
    this.#images.push(alt);
    const { target } = this.#drawings;
    this.#lead(target === "" ? (this.#hyperlinks.at(-1) ?? "") : target);
  }

  #characters(text: string): void {
    if (this.#skipped > 0) return;
    if (this.#text === "math") this.#formula = (this.#formula ?? "") + text;
    else if (this.#text === "word") this.#say(/[\uF020-\uF0FF]/.test(text) ? pictured(text, this.#font) : text);
    else if (this.#text === "deleted") this.#deletions.push({ text });
    else if (this.#text === "instruction") {
      const field = this.#fields.instructed;
      if (field !== undefined) field.instruction += text;
    }
  }

  /** @param shown the text is what a form shows: no part of an instruction */
  #say(text: string, shown = false): void {
    if (text === "") return;
    if (this.#deleted > 0) {
      this.#deletions.push({ text });
      return;
    }
    const paragraph = this.#paragraphs.at(-1);
    if (this.#hidden ?? paragraph?.hidden === true) {
      this.#hiddenText.push({ text });
      return;
    }
    const of = shown ? undefined : this.#fields.instructed;
    (paragraph?.pieces ?? this.#outside).push({ text, of });
    if (of !== undefined) of.instruction += text;
    else if (text.trim() !== "")
      this.#lead(this.#fields.target === "" ? (this.#hyperlinks.at(-1) ?? "") : this.#fields.target);
  }

  #lead(target: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph === undefined) return;
    if (target !== "" && target !== paragraph.target && leads(target)) this.#links.push(target);
    paragraph.target = target;
  }
}

function vocabulary(uri: string): string {
  if (uri.includes("wordprocessingml")) return "word";
  if (/officeDocument\/(?:2006\/)?math$/.test(uri)) return "math";
  return uri.includes("markup-compatibility") ? "compatibility" : "";
}

function pictured(text: string, font: string): string {
  return Array.from(text, (sign) => symbolOf(font, sign.codePointAt(0)!) ?? sign).join("");
}

/** Addresses that a document of Markdown may lead to; programs and files of somebody's disk are not among them. */
function leads(target: string): boolean {
  const address = target.replace(/[\u0000-\u001f\u007f-\u009f]/g, "").trim();
  return address !== "" && !address.startsWith("#") && (SCHEMES.test(address) || !/^[a-z][a-z0-9+.-]*:/i.test(address));
}
