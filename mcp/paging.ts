import { replyTokens } from "./reply-size.js";

/**
 * Cuts a text into pages of at most `limit` estimated tokens, at line ends where it can. The pages joined give the text
 * back, and the same text gives the same pages at every call.
 */
export function pagesOf(text: string, limit: number): string[] {
  const pages: string[] = [];
  let page = "";
  let tokens = 0;
  for (const line of linesOf(text)) {
    for (const { piece, size } of piecesOf(line, limit)) {
      if (page !== "" && tokens + size > limit) {
        pages.push(page);
        page = "";
        tokens = 0;
      }
      page += piece;
      tokens += size;
    }
  }
  if (page !== "" || pages.length === 0) pages.push(page);
  return pages;
}

/** Lines with their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** A line that alone is more than a page, halved until its pieces fit; never between the halves of a surrogate pair. */
function piecesOf(line: string, limit: number): { piece: string; size: number }[] {
  const size = replyTokens(line);
  if (line.length < 2 || size <= limit) return [{ piece: line, size }];
  let middle = line.length >> 1;
  const unit = line.charCodeAt(middle);
  if (unit >= 0xdc00 && unit <= 0xdfff) middle++;
  if (middle >= line.length) return [{ piece: line, size }];
  return [...piecesOf(line.slice(0, middle), limit), ...piecesOf(line.slice(middle), limit)];
}
