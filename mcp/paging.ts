import { unitTokens } from "./reply-size.js";

const LINE_FEED = 0x0a;
/** Share of a page that must be filled for it to end at a line: a heading alone is no page. */
const LEAST_FILLED = 0.25;

/**
 * Cuts a text into pages of at most `limit` estimated tokens, at line ends where it can; a line that is more than a page, or
 * behind which little stands on its page, is cut within, never between the halves of a surrogate pair. The pages joined give the text back, and the same text
 * gives the same pages at every call.
 */
export function pagesOf(text: string, limit: number): string[] {
  const pages: string[] = [];
  let page = 0;
  let line = 0;
  let tokensBefore = 0; // of the page, without the line
  let tokens = 0; // of the line
  const cut = (at: number): void => {
    if (at > page) pages.push(text.slice(page, at));
    page = at;
    tokensBefore = 0;
  };
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const cost = unitTokens(unit);
    if (tokensBefore + tokens + cost > limit && tokensBefore >= LEAST_FILLED * limit) cut(line);
    if (tokensBefore + tokens + cost > limit && at > page) {
      const inPair = unit >= 0xdc00 && unit <= 0xdfff;
      line = inPair && at - 1 > page ? at - 1 : at;
      tokens = line < at ? unitTokens(text.charCodeAt(line)) : 0;
      cut(line);
    }
    tokens += cost;
    if (unit === LINE_FEED) {
      line = at + 1;
      tokensBefore += tokens;
      tokens = 0;
    }
  }
  pages.push(text.slice(page));
  return pages;
}
