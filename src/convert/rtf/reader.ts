import type { Reader } from "../engine.js";
import { optional } from "../../node/optional-package.js";
import { refuse } from "../refusal.js";
import { latin1 } from "../signatures.js";
import { independentDecoder } from "../text/reader.js";

/** What an RTF file says, over the tokens of rtf-stream-parser; it keeps no looks and builds no paragraphs. */
export const reader: Reader = async (original) => {
  const { bytes, path } = original;
  const { Tokenize } = await optional(`Comparing ${path} with its original`, () => import("rtf-stream-parser"));
  const text = new TextOfTokens(await independentDecoder());
  const tokenizer = new Tokenize();
  const done = new Promise<void>((resolve, reject) => {
    tokenizer.on("data", (token: Token) => {
      text.take(token);
    });
    tokenizer.on("end", resolve);
    tokenizer.on("error", reject);
  });
  tokenizer.end(forTokenizer(bytes));
  await done;
  return text.reference();
};

const CONTROL = /\\(?:'[\s\S]{0,2}|bin(\d{1,15}) ?|[\s\S])/g;

/** A copy that the tokeniser can take: it reserves as much memory as binary data says it is long, and prints a line at every bad digit. */
function forTokenizer(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  const text = latin1(bytes, 0, bytes.length);
  CONTROL.lastIndex = 0;
  for (let found = CONTROL.exec(text); found !== null; found = CONTROL.exec(text)) {
    const [control, length] = found;
    if (length !== undefined) {
      if (Number(length) > bytes.length) refuse("Binary data in the file is longer than the file: it is damaged.");
      CONTROL.lastIndex += Number(length);
    } else if (control.startsWith("\\'"))
      // It takes a bad digit for none, as it takes 0.
      for (let at = 2; at < control.length; at++) if (!/[\da-f]/i.test(control[at]!)) copy[found.index + at] = 0x30;
  }
  return copy;
}

/** As the package's own type, whose kinds are a constant enumeration: group, end of group, control word, text. */
interface Token {
  readonly type: 0 | 1 | 2 | 3;
  readonly word?: string;
  readonly param?: number;
  readonly data?: Buffer;
}

type Where = "body" | "unread" | "font-table" | "instruction" | "number" | "note" | "comment" | "head" | "deleted";

const UNREAD =
  /^(?:colortbl|stylesheet|info|pict|nonshppict|shppict|object?data|objdata|bkmkstart|bkmkend|xe|tc|rxe|generator|listtable|listoverridetable|revtbl|rsidtbl|themedata|colorschememapping|datastore|latentstyles|filetbl|xmlnstbl|pnseclvl|atnid|atnauthor|atnref|atntime|atndate|atnparent|atrfstart|atrfend|atnicn|a?ftnsepc?|a?ftncn|formfield|datafield|sp|userprops|docvar|background|upr|mmathPr|pntxta|pntxtb|panose|falt|do|wgrffmtfilter|template|private|picprop)$/;

const SIGNS: Readonly<Record<string, string>> = {
  emdash: "\u2014",
  endash: "\u2013",
  bullet: "\u2022",
  lquote: "\u2018",
  rquote: "\u2019",
  ldblquote: "\u201c",
  rdblquote: "\u201d",
  "~": "\u00a0",
  _: "\u2011",
  zwj: "\u200d",
  zwnj: "\u200c",
  ltrmark: "\u200e",
  rtlmark: "\u200f",
};
const BREAKS = /^(?:par|line|page|column|sect|cell|nestcell|row|softline)$/;

/** Charset of a font to the name of its code page, by iconv-lite's names. */
const PAGES = new Map(
  Object.entries({
    77: "macintosh",
    128: "shift_jis",
    129: "euc-kr",
    134: "gbk",
    136: "big5",
    161: "win1253",
    162: "win1254",
    163: "win1258",
    177: "win1255",
    178: "win1256",
    186: "win1257",
    204: "win1251",
    222: "win874",
    238: "win1250",
    255: "cp850",
  }).map(([charset, page]) => [Number(charset), page]),
);

class TextOfTokens {
  readonly #notes: string[] = [];
  readonly #comments: string[] = [];
  readonly #heads = new Set<string>();
  readonly #links: string[] = [];
  readonly #fonts = new Map<number, string>();
  readonly #open: { where: Where; font: number; fallback: number; text: string; deleted: boolean }[] = [];
  #now = { where: "body" as Where, font: -1, fallback: 1, text: "", deleted: false };
  #deleted = "";
  #page = "win1252";
  #defaultFont = 0;
  #tableFont = 0;
  #pending: Buffer[] = [];
  #skip = 0;
  #fresh = false;
  #starred = false;

  constructor(private readonly decode: (bytes: Uint8Array, encoding: string) => string) {}

  take({ type, word = "", param, data }: Token): void {
    if (type === 3 || (type === 2 && word === "'")) {
      let bytes = data ?? Buffer.alloc(0);
      if (this.#skip > 0) {
        const dropped = Math.min(this.#skip, bytes.length);
        this.#skip -= dropped;
        bytes = bytes.subarray(dropped);
      }
      if (bytes.length > 0) this.#pending.push(bytes);
      this.#fresh = false;
      return;
    }
    if (type === 2 && word !== "u" && this.#skip > 0) {
      this.#skip--;
      return;
    }
    this.#flush();
    if (type === 0) {
      this.#open.push(this.#now);
      this.#now = { ...this.#now, text: "" };
      this.#fresh = true;
      this.#starred = false;
      this.#skip = 0;
    } else if (type === 1) this.#end();
    else this.#control(word, param);
  }

  reference(): Awaited<ReturnType<Reader>> {
    this.#flush();
    while (this.#open.length > 0) this.#end();
    const text = this.#now.text;
    const back = [...this.#notes, ...this.#comments, this.#deleted, ...this.#heads].filter(
      (each) => each.trim() !== "",
    );
    return {
      reader: "rtf-stream-parser 3.8.1",
      units: [text, ...back].map((each) => ({ text: each })),
      links: this.#links,
      footnotes: this.#notes,
      comments: this.#comments,
    };
  }

  #end(): void {
    const { where, text } = this.#now;
    const above = this.#open.pop();
    this.#skip = 0;
    this.#fresh = false;
    if (above === undefined) return;
    this.#now = above;
    if (where === above.where) {
      above.text += text;
      return;
    }
    switch (where) {
      case "note":
        this.#notes.push(text.trim());
        break;
      case "comment":
        this.#comments.push(text.trim());
        break;
      case "head":
        for (const line of text.split("\n")) this.#heads.add(line.trim());
        break;
      case "instruction": {
        const target = /HYPERLINK\s+(?:\\[a-km-z]\s+)*(?:"([^"]*)"|([^\s"\\]\S*))/.exec(text);
        if (target !== null) this.#links.push(target[1] ?? target[2] ?? "");
        break;
      }
    }
  }

  #control(word: string, param: number | undefined): void {
    if (word === "*") {
      this.#starred = true;
      return;
    }
    const begins = this.#fresh || this.#starred;
    const starred = this.#starred;
    this.#fresh = false;
    this.#starred = false;
    const now = this.#now;
    if (begins && now.where !== "unread" && this.#place(word, starred)) return;
    if (word === "u") {
      this.#skip = now.fallback;
      this.#add(String.fromCharCode((param ?? 63) & 0xffff));
    } else if (word === "uc") now.fallback = Math.min(10, Math.max(0, param ?? 1));
    else if (word === "ansicpg") this.#page = param === 10000 ? "macintosh" : `win${param ?? 1252}`;
    else if (word === "mac") this.#page = "macintosh";
    else if (word === "pc") this.#page = "cp437";
    else if (word === "pca") this.#page = "cp850";
    else if (word === "deff") this.#defaultFont = param ?? 0;
    else if (word === "f" && now.where === "font-table") this.#tableFont = param ?? 0;
    else if (word === "f") now.font = param ?? 0;
    else if (word === "plain") now.font = this.#defaultFont;
    else if (word === "fcharset" && now.where === "font-table") {
      const page = PAGES.get(param ?? 0);
      if (page !== undefined) this.#fonts.set(this.#tableFont, page);
    } else if (word === "deleted") now.deleted = param !== 0;
    else if (word === "tab" || word === "emspace" || word === "enspace" || word === "qmspace") this.#add(" ");
    else if (BREAKS.test(word)) this.#add("\n");
    else if (/^[\\{}]$/.test(word)) this.#add(word);
    else if (SIGNS[word] !== undefined) this.#add(SIGNS[word]);
  }

  #place(word: string, starred: boolean): boolean {
    const known: Readonly<Record<string, Where>> = {
      fonttbl: "font-table",
      fldinst: "instruction",
      listtext: "number",
      pntext: "number",
      footnote: "note",
      annotation: "comment",
    };
    const where =
      known[word] ?? (/^(?:header|footer)[lrf]?$/.test(word) ? "head" : UNREAD.test(word) ? "unread" : undefined);
    if (where !== undefined) this.#now.where = where;
    else if (word === "ud") this.#now.where = "body";
    else if (starred && word !== "shpinst") this.#now.where = "unread";
    else return /^(?:shpinst|shptxt|fldrslt)$/.test(word);
    return true;
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    const { font } = this.#now;
    const page = this.#fonts.get(font < 0 ? this.#defaultFont : font) ?? this.#page;
    try {
      this.#add(this.decode(bytes, page));
    } catch {
      this.#add(this.decode(bytes, "win1252"));
    }
  }

  #add(text: string): void {
    const { where, deleted } = this.#now;
    if (where === "unread" || where === "font-table" || where === "number") return;
    if (deleted) this.#deleted += text;
    else this.#now.text += text;
  }
}
