import { child, children, textOf, type XmlElement } from "../xml.js";
import { plainParagraph, type Block } from "./blocks.js";
import { readDrawing } from "./drawings.js";
import { chosenOf } from "./choices.js";
import { closedFields, drawnText, fieldTarget, formField, isPageNumber, type OpenField } from "./fields.js";
import { isEmpty, PLAIN, plainText, type Inline, type Look } from "./inline.js";
import { ommlToLatex } from "../math/omml.js";
import { blockOf } from "./paragraphs.js";
import { valueOf, vocabularyOf } from "./properties.js";
import type { DocumentState } from "./state.js";
import { formatOf, isMonospaced, type Format, type ParagraphStyle } from "./styles.js";
import { pictureText, symbolOf } from "./symbols.js";
import { readTable } from "./table-reading.js";

/** Who took text away, and when. */
interface Change {
  readonly author: string;
  readonly date: string;
}

interface Paragraph {
  readonly style: ParagraphStyle;
  readonly inlines: Inline[];
  /** Text boxes, charts and drawings that hang on it. */
  readonly below: Block[];
  /** Its text by a field of page numbers. */
  pageNumbers: string;
  hasPageNumber: boolean;
}

/** One flow of text: the body, a note, a comment, a head. Reads paragraphs and tables in order, bounded by the tree's depth. */
export class Story {
  readonly #relationships;
  readonly #closed: ReadonlySet<XmlElement>;
  readonly #fields: OpenField[] = [];
  #paragraph: Paragraph | undefined;
  #change: Change | undefined;
  #freshChange = true;
  #cellDepth = 0;
  /** What a paragraph whose end was deleted leaves to the next one. */
  #carried: Inline[] = [];

  constructor(
    readonly state: DocumentState,
    part: string,
    root: XmlElement,
    private readonly heads = false,
  ) {
    this.#relationships = state.pack.relationships(part);
    this.#closed = closedFields(root);
  }

  /** The blocks in the body, a cell, a text box or a note. */
  blocks(container: XmlElement): Block[] {
    const blocks: Block[] = [];
    const outer = { paragraph: this.#paragraph, carried: this.#carried };
    this.#carried = [];
    this.#readBlocks(container, blocks);
    if (!isEmpty(this.#carried)) blocks.push(plainParagraph(this.#carried));
    this.#paragraph = outer.paragraph;
    this.#carried = outer.carried;
    return blocks;
  }

  /** The blocks in a cell of a table. */
  cellBlocks(cell: XmlElement): Block[] {
    this.#cellDepth++;
    const blocks = this.blocks(cell);
    this.#cellDepth--;
    return blocks;
  }

  /** Where an id of this part leads: a part's name or an address. */
  target(id: string | undefined): { readonly target: string; readonly external: boolean } | undefined {
    return id === undefined ? undefined : this.#relationships.get(id);
  }

  /** What is read as a deletion while `read` runs. */
  deleted(change: XmlElement, read: () => void): void {
    const before = this.#change;
    this.#change = { author: change.attributes.author ?? "", date: (change.attributes.date ?? "").slice(0, 10) };
    read();
    this.#change = before;
  }

  #readBlocks(container: XmlElement, blocks: Block[]): void {
    for (const element of children(container)) {
      const vocabulary = vocabularyOf(element);
      if (vocabulary === "compatibility" && element.name === "AlternateContent") {
        const chosen = chosenOf(element);
        if (chosen !== undefined) this.#readBlocks(chosen, blocks);
      } else if (vocabulary === "math") blocks.push(...this.#paragraphOf([element]));
      else if (vocabulary === "word") this.#readBlock(element, blocks);
    }
  }

  #readBlock(element: XmlElement, blocks: Block[]): void {
    switch (element.name) {
      case "p":
        blocks.push(...this.#readParagraph(element));
        break;
      case "tbl":
        if (!isEmpty(this.#carried)) blocks.push(plainParagraph(this.#carried.splice(0)));
        blocks.push(...readTable(this, element));
        break;
      case "del":
        this.deleted(element, () => {
          this.#readBlocks(element, blocks);
        });
        break;
      case "moveFrom":
        if (!this.state.moves)
          this.deleted(element, () => {
            this.#readBlocks(element, blocks);
          });
        break;
      case "commentRangeStart":
      case "commentRangeEnd":
        this.#readInline(element, PLAIN);
        break;
      case "altChunk":
        this.state.pack.note(
          "warn",
          "embedded text",
          `Another document is embedded whole (${this.target(element.qualified["r:id"])?.target ?? "without a name"}): its text is not converted, save the document again in Word.`,
        );
        break;
      case "r":
      case "hyperlink":
      case "fldSimple":
        // Text without its paragraph, in files that no Word wrote.
        blocks.push(...this.#paragraphOf([element]));
        break;
      default:
        if (!element.name.endsWith("Pr")) this.#readBlocks(element, blocks);
    }
  }

  #paragraphOf(elements: readonly XmlElement[]): Block[] {
    const paragraph = this.#begin(this.state.styles.paragraph(undefined));
    for (const element of elements) this.#readInline(element, PLAIN);
    return isEmpty(paragraph.inlines) ? paragraph.below : [plainParagraph(paragraph.inlines), ...paragraph.below];
  }

  #begin(style: ParagraphStyle): Paragraph {
    const paragraph = { style, inlines: [], below: [], pageNumbers: "", hasPageNumber: false };
    this.#paragraph = paragraph;
    this.#freshChange = true;
    return paragraph;
  }

  #readParagraph(element: XmlElement): Block[] {
    const properties = child(element, "pPr");
    const style = this.state.styles.paragraph(valueOf(properties, "pStyle"));
    const outer = this.#paragraph;
    const paragraph = this.#begin(style);
    paragraph.inlines.push(...this.#carried.splice(0));
    for (const node of children(element)) if (node !== properties) this.#readInline(node, PLAIN);
    this.#paragraph = outer;
    this.state.noteText(" ");

    const mark = properties === undefined ? undefined : child(properties, "rPr");
    const frame = properties === undefined ? undefined : child(properties, "framePr");
    const dropped = frame?.attributes.dropCap !== undefined && frame.attributes.dropCap !== "none";
    const removed =
      mark !== undefined &&
      (child(mark, "del") !== undefined || (this.state.moves && child(mark, "moveFrom") !== undefined));
    if ((removed || dropped) && paragraph.below.length === 0) {
      this.#carried = paragraph.inlines;
      return [];
    }
    if (this.heads && this.#withheldAsPageNumber(paragraph)) return paragraph.below;
    const block = blockOf(this.state, style, paragraph.inlines, properties, this.#cellDepth > 0);
    return block === undefined ? paragraph.below : [block, ...paragraph.below];
  }

  /** `Page 3 of 10` says nothing where there are no pages. */
  #withheldAsPageNumber(paragraph: Paragraph): boolean {
    if (!paragraph.hasPageNumber) return false;
    const text = plainText(paragraph.inlines);
    const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
    const numbers = paragraph.pageNumbers.match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length - numbers.length > 2) return false;
    this.state.withhold("page-number", text);
    return true;
  }

  #readInline(element: XmlElement, look: Look): void {
    const vocabulary = vocabularyOf(element);
    if (vocabulary === "math") this.#readFormula(element);
    else if (vocabulary === "compatibility" && element.name === "AlternateContent") {
      const chosen = chosenOf(element);
      if (chosen !== undefined) this.#readInlines(chosen, look);
    } else if (vocabulary === "word") this.#readWord(element, look);
  }

  #readInlines(container: XmlElement, look: Look): void {
    for (const element of children(container)) this.#readInline(element, look);
  }

  #readWord(element: XmlElement, look: Look): void {
    switch (element.name) {
      case "r":
        this.#readRun(element, look);
        break;
      case "hyperlink": {
        const link = this.target(element.qualified["r:id"] ?? element.attributes.id);
        const place = element.attributes.anchor;
        const target = link?.external === true ? link.target + (place === undefined ? "" : `#${place}`) : "";
        this.#readInlines(element, target === "" ? look : { ...look, target });
        break;
      }
      case "fldSimple": {
        const instruction = element.attributes.instr ?? "";
        this.#fields.push({ instruction, inResult: true, target: fieldTarget(instruction) });
        this.#readInlines(element, look);
        this.#fields.pop();
        break;
      }
      case "del":
        this.deleted(element, () => {
          this.#readInlines(element, look);
        });
        break;
      case "moveFrom":
        if (!this.state.moves)
          this.deleted(element, () => {
            this.#readInlines(element, look);
          });
        break;
      case "commentRangeStart":
        this.state.openComment(element.attributes.id ?? "");
        break;
      case "commentRangeEnd":
        this.state.closeComment(element.attributes.id ?? "");
        break;
      default:
        if (element.name === "ins") this.state.insertions++;
        // Controls, tags, insertions, directions and whatever a newer Word wraps around text.
        if (!element.name.endsWith("Pr")) this.#readInlines(element, look);
    }
  }

  #readFormula(element: XmlElement): void {
    if (element.name !== "oMath" && element.name !== "oMathPara") return;
    const formulas = element.name === "oMath" ? [element] : children(element, "oMath");
    for (const each of formulas) {
      const latex = ommlToLatex(each);
      if (latex !== "") this.#push({ kind: "formula", latex, display: element.name === "oMathPara" });
    }
  }

  #readRun(run: XmlElement, around: Look): void {
    const properties = child(run, "rPr");
    const { styles } = this.state;
    const named = valueOf(properties, "rStyle");
    const format: Format = { ...(named === undefined ? {} : styles.character(named)), ...formatOf(properties) };
    const hidden = format.hidden ?? this.#paragraph?.style.hidden ?? false;
    const font = format.font ?? this.#paragraph?.style.font ?? "";
    const code =
      this.#paragraph?.style.role !== "code" &&
      !this.state.typewritten &&
      (format.code === true || isMonospaced(format.font));
    const look: Look = {
      bold: format.bold ?? false,
      italic: format.italic ?? false,
      strike: format.strike ?? false,
      code,
      script: format.script === undefined || format.script === "none" ? "" : format.script,
      target: around.target,
    };
    this.#readRunContent(run, look, { hidden, font });
  }

  #readRunContent(run: XmlElement, look: Look, how: { readonly hidden: boolean; readonly font: string }): void {
    const emit = (text: string): void => {
      this.#emit(text, look, how.hidden);
    };
    for (const node of children(run)) {
      if (vocabularyOf(node) === "compatibility") {
        const chosen = chosenOf(node);
        if (chosen !== undefined) this.#readRunContent(chosen, look, how);
        continue;
      }
      if (vocabularyOf(node) === "math") {
        this.#readFormula(node);
        continue;
      }
      switch (node.name) {
        case "t":
          emit(/[\uF020-\uF0FF]/.test(textOf(node)) ? pictureText(how.font, textOf(node)) : textOf(node));
          break;
        case "delText":
          if (this.#change === undefined)
            this.deleted(node, () => {
              emit(textOf(node));
            });
          else emit(textOf(node));
          break;
        case "tab":
        case "ptab":
          emit("\t");
          break;
        case "br":
        case "cr":
          if (this.#change !== undefined || how.hidden) emit(" ");
          else this.#push({ kind: "break" });
          break;
        case "noBreakHyphen":
          emit("-");
          break;
        case "sym": {
          const { font = how.font, char = "" } = node.attributes;
          emit(/^[0-9a-f]{1,6}$/i.test(char) ? (symbolOf(font, Number.parseInt(char, 16)) ?? "") : "");
          break;
        }
        case "fldChar":
          this.#readFieldMark(node, emit);
          break;
        case "instrText": {
          const open = this.#fields.findLast(({ inResult }) => !inResult);
          if (open !== undefined) open.instruction += textOf(node);
          break;
        }
        case "footnoteReference":
        case "endnoteReference":
          if (node.attributes.id !== undefined)
            this.#push({
              kind: "note",
              label: this.state.labelOf(node.name === "footnoteReference" ? "footnote" : "endnote", node.attributes.id),
            });
          break;
        case "commentReference":
          if (node.attributes.id !== undefined) this.state.referToComment(node.attributes.id);
          break;
        case "drawing":
        case "pict":
        case "object": {
          const { images, blocks } = readDrawing(this, node);
          for (const image of images)
            this.#push({ ...image, target: image.target === "" ? look.target : image.target });
          this.#paragraph?.below.push(...blocks);
          break;
        }
        case "ruby": {
          const [base, reading] = [child(node, "rubyBase"), child(node, "rt")];
          if (base !== undefined) this.#readInlines(base, look);
          if (reading === undefined) break;
          emit("(");
          this.#readInlines(reading, look);
          emit(")");
          break;
        }
        case "r":
          this.#readRun(node, look);
          break;
      }
    }
  }

  #readFieldMark(mark: XmlElement, emit: (text: string) => void): void {
    switch (mark.attributes.fldCharType) {
      case "begin":
        // What a form shows stands before its field: inside it would be taken for the instruction.
        emit(formField(mark));
        if (this.#closed.has(mark)) this.#fields.push({ instruction: "", inResult: false, target: "" });
        break;
      case "separate": {
        const field = this.#fields.at(-1);
        if (field === undefined || field.inResult) break;
        field.inResult = true;
        field.target = fieldTarget(field.instruction);
        break;
      }
      case "end": {
        const field = this.#fields.pop();
        if (field === undefined) break;
        // A field without a result is computed where it is printed.
        if (isPageNumber(field.instruction) && this.#paragraph !== undefined) this.#paragraph.hasPageNumber = true;
        if (!field.inResult) emit(drawnText(field.instruction));
        break;
      }
    }
  }

  /** Text that a reader of the document sees, or that was taken away, or that is an instruction, by where it stands. */
  #emit(text: string, look: Look, hidden: boolean): void {
    if (text === "") return;
    const instruction = this.#fields.findLast(({ inResult }) => !inResult);
    if (instruction !== undefined) instruction.instruction += text;
    else if (this.#change !== undefined) {
      this.state.delete(this.#change.author, this.#change.date, text, this.#freshChange);
      this.#freshChange = false;
    } else if (hidden) this.state.withhold("hidden", text);
    else {
      const field = this.#fields.findLast(({ target }) => target !== "");
      this.#push({ kind: "text", text, look: field === undefined ? look : { ...look, target: field.target } });
      this.state.noteText(text);
      if (this.#paragraph !== undefined && this.#fields.some(({ instruction }) => isPageNumber(instruction))) {
        this.#paragraph.hasPageNumber = true;
        this.#paragraph.pageNumbers += ` ${text}`;
      }
      this.#freshChange = true;
    }
  }

  #push(inline: Inline): void {
    if (this.#change === undefined) this.#paragraph?.inlines.push(inline);
  }
}
