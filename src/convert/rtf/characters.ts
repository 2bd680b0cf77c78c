/** How RTF writes characters: code pages by the character set of a font, and words for signs. */

/** Code page by `\fcharset`. */
const CHARACTER_SETS: Readonly<Record<number, string>> = {
  77: "macroman",
  128: "cp932",
  129: "cp949",
  134: "cp936",
  136: "cp950",
  161: "cp1253",
  162: "cp1254",
  163: "cp1258",
  177: "cp1255",
  178: "cp1256",
  186: "cp1257",
  204: "cp1251",
  222: "cp874",
  238: "cp1250",
  254: "cp437",
  255: "cp850",
};

export function codePageOfCharset(charset: number): string | undefined {
  return CHARACTER_SETS[charset];
}

/** Code page by `\ansicpg`. */
export function codePage(number: number): string {
  if (number === 10000) return "macroman";
  if (number === 65001) return "utf-8";
  return number === 0 ? "cp1252" : `cp${number}`;
}

/** Control words and symbols that stand for signs. */
export const SIGNS: Readonly<Record<string, string>> = {
  "\\": "\\",
  "{": "{",
  "}": "}",
  "~": "\u00a0",
  _: "\u2011",
  tab: " ",
  emdash: "—",
  endash: "–",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  emspace: " ",
  enspace: " ",
  qmspace: " ",
  zwj: "\u200d",
  zwnj: "\u200c",
  ltrmark: "\u200e",
  rtlmark: "\u200f",
};

/** Groups that hold no text of the document, whether or not they are marked as such by `\*`. */
export const UNREAD = new Set(
  (
    "colortbl rsidtbl generator themedata colorschememapping datastore latentstyles pict nonshppict shppict objdata objclass " +
    "bkmkstart bkmkend xe tc rxe pntxta pntxtb pnseclvl filetbl revtbl userprops xmlnstbl factoidname mmathPr " +
    "atnid atnref atntime atndate atnparent atrfstart atrfend atnicn ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn formfield " +
    "datafield do sp company operator keywords comment doccomm category manager hlinkbase docvar template passwordhash " +
    "protusertbl wgrffmtfilter stylesheet listtable listoverridetable fonttbl info picprop blipuid blipuid fchars lchars ffname " +
    "background private oleclsid panose falt fontemb password"
  ).split(" "),
);
