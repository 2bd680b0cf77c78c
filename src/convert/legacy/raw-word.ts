/** The text of a Word document up to 2003 by its piece table ([MS-DOC] 2.4.1), for the reader. */
import { optional } from "../../node/optional-package.js";
import { refuse } from "../refusal.js";
import { independentDecoder } from "../text/reader.js";

/** Offsets in the information block at the beginning of the stream, of Word 97 and later. */
const FLAGS = 0x0a;
const TABLE_IS_1 = 0x0200;
const ENCRYPTED = 0x0100;
/** Lengths of the stories in characters: body, notes, heads, macros, comments, end notes, text boxes, those of heads. */
const LENGTHS = 0x4c;
const STORIES = 8;
const PIECE_TABLE = 0x01a2;
const BYTE_CHARACTERS = 0x40000000;

export async function rawWordText(bytes: Uint8Array, path: string): Promise<string[]> {
  const { default: cfb } = await optional(`Comparing ${path} with its original`, () => import("cfb"));
  const decode = await independentDecoder();
  const file = cfb.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { type: "buffer" });
  const stream = (name: string): Buffer => {
    const content = cfb.find(file, `/${name}`)?.content;
    if (content === undefined) refuse(`${path} lacks its stream ${name}: it is damaged.`);
    return Buffer.from(content as Uint8Array);
  };
  const main = stream("WordDocument");
  if (main.length < 0x01aa) refuse(`${path} is older than Word 97: open it in LibreOffice and save it as .docx.`);
  const flags = main.readUInt16LE(FLAGS);
  if ((flags & ENCRYPTED) !== 0) refuse(`${path} is protected by a password.`);
  const pieces = pieceTable(stream((flags & TABLE_IS_1) !== 0 ? "1Table" : "0Table"), main);
  let text = "";
  for (const { count, offset } of pieces) {
    const narrow = (offset & BYTE_CHARACTERS) !== 0;
    const start = narrow ? (offset & ~BYTE_CHARACTERS) >>> 1 : offset;
    const part = main.subarray(start, start + count * (narrow ? 1 : 2));
    text += narrow ? decode(part, "cp1252") : part.toString("utf16le");
  }
  const stories: string[] = [];
  let from = 0;
  for (let i = 0; i < STORIES; i++) {
    const length = main.readInt32LE(LENGTHS + i * 4);
    stories.push(shown(text.slice(from, from + Math.max(0, length))));
    from += Math.max(0, length);
  }
  return stories;
}

function pieceTable(table: Buffer, main: Buffer): { count: number; offset: number }[] {
  let at = main.readUInt32LE(PIECE_TABLE);
  const end = Math.min(table.length, at + main.readUInt32LE(PIECE_TABLE + 4));
  // Before the table stand changes of properties, each with its length.
  while (at + 3 <= end && table[at] === 1) at += 3 + table.readUInt16LE(at + 1);
  if (at + 5 > end || table[at] !== 2) return [];
  const count = Math.floor((Math.min(table.readUInt32LE(at + 1), end - at - 5) - 4) / 12);
  const positions = at + 5;
  return Array.from({ length: Math.max(0, count) }, (_, i) => ({
    count: Math.max(0, table.readUInt32LE(positions + (i + 1) * 4) - table.readUInt32LE(positions + i * 4)),
    offset: table.readUInt32LE(positions + (count + 1) * 4 + i * 8 + 2),
  }));
}

/** Text without the instructions of fields and the marks of what is no character. */
function shown(text: string): string {
  let out = "";
  let instructions = 0;
  const fields: boolean[] = [];
  for (const sign of text) {
    if (sign === "\u0013") {
      fields.push(true);
      instructions++;
    } else if (sign === "\u0014" && fields.at(-1)) {
      fields[fields.length - 1] = false;
      instructions--;
    } else if (sign === "\u0015") {
      if (fields.pop()) instructions--;
    } else if (instructions === 0) {
      if (sign >= " ") out += sign;
      else if (sign === "\u001e") out += "\u2011";
      else if (/[\t\n\r\u0007\u000b\f]/.test(sign)) out += "\n";
    }
  }
  return out;
}
