/**
 * How engines write Markdown: CommonMark 0.31.2 with the tables, strikethrough and footnotes of GitHub. What a function here
 * is given as *text* is characters of the original and comes out escaped; *inline* and *markdown* were written already.
 */

/** A cell of a table. */
export interface Cell {
  readonly markdown: string;
  readonly colspan?: number;
  readonly rowspan?: number;
}

/**
 * Characters of the original as inline Markdown that reads as themselves: white space is one blank, and a backslash
 * stands before what would be syntax; dollars count as syntax where a formula could stand between them. The beginning of a
 * line is guarded by `paragraph`.
 */
export function escapeText(text: string): string {
  return (
    text
      .replace(/[\t\n\v\f\r \u2028\u2029]+/g, " ")
      // A backslash counts only before punctuation of ASCII.
      .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\")
      .replace(/`/g, "\\`")
      // Two dollars that could hold a formula between them, as Pandoc reads them; `$5` and `$5-$10` cannot.
      .replace(/\$(?=\S)[^$]*[^\s$]\$(?!\d)/.test(text) ? /\$/g : /(?!)/g, "\\$")
      .replace(/\*+/g, (run: string, at: number, whole: string) =>
        whole[at - 1] === " " && whole[at + run.length] === " " ? run : "\\*".repeat(run.length),
      )
      .replace(/_+/g, (run: string, at: number, whole: string) =>
        endsInWord(whole.slice(Math.max(0, at - 2), at)) &&
        beginsWithWord(whole.slice(at + run.length, at + run.length + 2))
          ? run
          : "\\_".repeat(run.length),
      )
      .replace(/~/g, (sign: string, at: number, whole: string) =>
        whole.indexOf("~") === whole.lastIndexOf("~") ? sign : "\\~",
      )
      .replace(/\[(?=\^)/g, "\\[")
      // Without this a bracket and what stands behind it, in the next run, would be a link.
      .replace(/\](?=[([]|$)/g, "\\]")
      .replace(/<(?=[A-Za-z/!?])/g, "\\<")
      .replace(/&(?=#?\w+;)/g, "\\&")
  );
}

/** Whether the text ends in a letter or digit, or begins with one: an underscore between two of them is no emphasis. */
function endsInWord(text: string): boolean {
  return /[\p{L}\p{M}\p{N}]$/u.test(text);
}

function beginsWithWord(text: string): boolean {
  return /^[\p{L}\p{M}\p{N}]/u.test(text);
}

/** Inline Markdown as a paragraph: no line of it becomes a heading, a list, a quotation, a rule or a fence. */
export function paragraph(inline: string): string {
  return inline
    .split("\n")
    .map((line) =>
      line
        .replace(/^[ \t]+/, "")
        .replace(/^(?:#{1,6}(?=[ \t]|$)|[-+](?=[ \t]|$)|>|={1,}[ \t]*$|-[- \t]*$|~{3})/, "\\$&")
        .replace(/^\*(?=[ \t]|$)/, "\\*")
        // What a reference stands for, by which links would be made of words elsewhere.
        .replace(/^\[(?=[^[\]]*\]:)/, "\\[")
        .replace(/^(\d{1,9})([.)])(?=[ \t]|$)/, "$1\\$2"),
    )
    .join("\n");
}

/** `level` is cut to 1 to 6. */
export function heading(level: number, inline: string): string {
  const line = inline.replace(/\s+/g, " ").trim();
  // Number signs at the end of a heading's line are taken as its closing sequence.
  return `${"#".repeat(Math.min(6, Math.max(1, level)))} ${line.replace(/(^|\s)(#+)$/, "$1\\$2")}`;
}

/** Inline Markdown emphasised; blanks at its ends stay outside, where alone the delimiters count. */
export function emphasis(
  inline: string,
  style: { readonly bold?: boolean; readonly italic?: boolean; readonly strike?: boolean },
): string {
  const [, start, inside, end] = /^(\s*)([\s\S]*?)(\s*)$/.exec(inline)!;
  if (inside === "") return inline;
  let marked = inside!;
  if (style.strike) marked = `~~${marked}~~`;
  if (style.italic) marked = `*${marked}*`;
  if (style.bold) marked = `**${marked}**`;
  return start! + marked + end!;
}

/** Text as code within a line. */
export function codeSpan(text: string): string {
  const line = text.replace(/[\r\n]+/g, " ");
  if (line.trim() === "") return line;
  const fence = "`".repeat(longestRun(line, "`") + 1);
  const padded = line.startsWith("`") || line.endsWith("`") || /^ .* $/.test(line) ? ` ${line} ` : line;
  return fence + padded + fence;
}

/** Text as a fenced block of code. */
export function codeBlock(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(text, "`") + 1));
  return `${fence}${language.replace(/[^\w+#.-]/g, "")}\n${text.replace(/\r\n?/g, "\n").replace(/\n+$/, "")}\n${fence}`;
}

function longestRun(text: string, sign: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(new RegExp(`${sign}+`, "g"))) longest = Math.max(longest, run.length);
  return longest;
}

/** A link that leads to a page, a mail address or a place in the same collection; any other target is left out, its words stay. */
export function link(inline: string, target: string): string {
  const address = safeTarget(target);
  if (address === undefined || inline.trim() === "") return inline;
  const [, start, label, end] = /^(\s*)([\s\S]*?)(\s*)$/.exec(inline)!;
  if (/^https?:/i.test(address) && label === escapeText(target.trim()) && !/[<>\s]/.test(address))
    return `${start!}<${address}>${end!}`;
  return `${start!}[${label!}](${address})${end!}`;
}

/** A target that may stand in Markdown, percent-encoded as far as Markdown needs; undefined where it runs or opens something. */
export function safeTarget(target: string): string | undefined {
  // Browsers drop tabs and line ends inside a scheme: java\nscript: runs.
  const address = Array.from(target.trim())
    .filter((sign) => sign > "\u001f" && (sign < "\u007f" || sign > "\u009f"))
    .join("");
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (address === "" || (scheme !== undefined && !["http", "https", "mailto", "tel", "ftp"].includes(scheme)))
    return undefined;
  // Brackets may stand in a target as long as they are balanced, as in many names of articles.
  const signs = /^[^()]*(?:\([^()]*\)[^()]*)*$/.test(address) ? /[ <>\\"`|]/g : /[ ()<>\\"`|]/g;
  return address.replace(signs, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}

/** The place of an image: its alternative text, empty where it has none, and its name without folders. */
export function image(alt: string, name: string): string {
  const file = name.replace(/[?#].*$/, "").replace(/^.*[/\\]/, "");
  const text = escapeText(alt)
    .trim()
    .replace(/(?<!\\)[[\]]/g, "\\$&");
  return `![${text}](${safeTarget(file.replaceAll(":", "%3A")) ?? ""})`;
}

/** A formula in LaTeX: `$…$` in a line, or `$$…$$` as a block of its own. */
export function formula(latex: string, display: boolean): string {
  const line = latex
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(?<!\\)\$/g, "\\$");
  if (line === "") return "";
  return display ? `$$\n${line}\n$$` : `$${line}$`;
}

/** An item of a list: `sign` is `-` or `3.`; what follows its first line is indented below it. `depth` is 0 for the outermost. */
export function listItem(sign: string, markdown: string, depth: number): string {
  // Four columns a level suit `-` as well as `10.`: nested blocks begin at most three columns inside their item.
  const indent = "    ".repeat(depth);
  const continued = indent + " ".repeat(sign.length + 1);
  const lines = markdown.split("\n");
  return lines
    .map((line, i) => (i === 0 ? `${indent}${sign} ${line}` : line === "" ? "" : continued + line))
    .join("\n");
}

/** The text of a note, referred to by `[^label]`. */
export function footnote(label: string, markdown: string): string {
  const lines = markdown.trim().split("\n");
  return `[^${label}]: ${lines.map((line, i) => (i === 0 || line === "" ? line : `    ${line}`)).join("\n")}`;
}

/** A quotation. */
export function quote(markdown: string): string {
  return markdown.replace(/^/gm, "> ").replace(/^> $/gm, ">");
}

/**
 * A table: with pipes where every cell is a line, as HTML where cells span or hold blocks, so that no cell is lost. The
 * first row is the header unless `header` is false: then an empty one is written, which GitHub's tables need.
 */
export function table(
  rows: readonly (readonly Cell[])[],
  { header = true }: { readonly header?: boolean } = {},
): string {
  if (rows.length === 0) return "";
  const cells = rows.flat();
  if (cells.some(({ colspan = 1, rowspan = 1, markdown }) => colspan > 1 || rowspan > 1 || holdsBlocks(markdown)))
    return htmlTable(rows, header);
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const line = (texts: readonly string[]): string => `| ${texts.join(" | ")} |`;
  const written = rows.map((row) => line(Array.from({ length: columns }, (_, i) => pipeCell(row[i]?.markdown ?? ""))));
  const empty = line(Array.from({ length: columns }, () => " "));
  const rule = line(Array.from({ length: columns }, () => "---"));
  const [first, ...rest] = header ? written : [empty, ...written];
  return [first, rule, ...rest].join("\n");
}

/** Blocks need lines of their own, which a row of pipes does not have. A break alone does not. */
function holdsBlocks(markdown: string): boolean {
  return /\n\s*\n|^(?: {0,3}(?:[-+*] |\d+[.)] |#{1,6} |>|```|\||<table))|\n {0,3}(?:[-+*] |\d+[.)] |```|\||<table)/.test(
    markdown,
  );
}

function pipeCell(markdown: string): string {
  return markdown
    .trim()
    .replace(/\|/g, "\\|")
    .replace(/\s*\n\s*/g, "<br>");
}

function htmlTable(rows: readonly (readonly Cell[])[], header: boolean): string {
  const lines = ["<table>"];
  rows.forEach((row, number) => {
    lines.push("<tr>");
    const tag = header && number === 0 ? "th" : "td";
    for (const { markdown, colspan = 1, rowspan = 1 } of row) {
      const spans = `${colspan > 1 ? ` colspan="${colspan}"` : ""}${rowspan > 1 ? ` rowspan="${rowspan}"` : ""}`;
      lines.push(`<${tag}${spans}>${htmlCell(markdown.trim())}</${tag}>`);
    }
    lines.push("</tr>");
  });
  lines.push("</table>");
  return lines.join("\n");
}

/** Plain words as HTML; anything with syntax stands between blank lines, where it is Markdown again (CommonMark 4.6). */
function htmlCell(markdown: string): string {
  if (!/[\\*_`[\]<>&$~!\n]|^(?:[-+#]|\d+[.)])/.test(markdown)) return markdown;
  return `\n\n${markdown}\n\n`;
}

/** Where in the original the text below stands; `ocr` where it was recognised in a picture. */
export type MarkedPlace =
  | { readonly kind: "page" | "slide"; readonly number: number; readonly ocr?: boolean }
  | { readonly kind: "chapter"; readonly name: string }
  | { readonly kind: "sheet"; readonly name: string; readonly range: string };

/** The line that packing turns into a place (spec/text.md §7.3): `<!-- mdcx:page 12 -->`. */
export function marker(place: MarkedPlace): string {
  switch (place.kind) {
    case "page":
    case "slide":
      return `<!-- mdcx:${place.kind} ${place.number}${place.ocr === true ? " ocr" : ""} -->`;
    case "chapter":
      return `<!-- mdcx:chapter ${quoted(place.name)} -->`;
    case "sheet":
      return `<!-- mdcx:sheet ${quoted(place.name)} ${place.range} -->`;
  }
}

/** A name as JSON on one line; two hyphens would end the comment. */
function quoted(name: string): string {
  return JSON.stringify(name.replace(/\s+/g, " ").trim().slice(0, 500)).replace(/--/g, "-\\u002d");
}
