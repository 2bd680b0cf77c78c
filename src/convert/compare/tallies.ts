/** Links, notes, comments, formulas and images: each kind counted as a multiset of what identifies one. */
import type { Tally } from "../certificate.js";
import { comparable } from "./words.js";

export function tally(reference: readonly string[], markdown: readonly string[]): Tally {
  const counts = count(reference);
  let added = 0;
  for (const key of markdown) {
    const left = counts.get(key) ?? 0;
    if (left === 0) added++;
    else counts.set(key, left - 1);
  }
  let lost = 0;
  for (const left of counts.values()) lost += left;
  return { reference: reference.length, lost, added };
}

function count(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** A target without what two writers of the same address do differently: encoding, case of the host, the last slash. */
export function linkKey(target: string): string {
  let address = target.trim().replace(/&amp;/g, "&");
  try {
    address = decodeURI(address);
  } catch {
    // Not encoded as UTF-8: compared as it stands.
  }
  return address
    .replace(/[\s\u200b]+/g, "%20")
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const sign = String.fromCharCode(parseInt(code.slice(1), 16));
      return /[!-~]/.test(sign) ? sign : code.toUpperCase();
    })
    .replace(/^[a-z][a-z0-9+.-]*:(?:\/\/[^/?#]*)?/i, (start) => start.toLowerCase())
    .replace(/\/$/, "")
    .normalize("NFC");
}

/** Links within the document lead nowhere else: readers do not list them. */
export function leadsOut(target: string): boolean {
  return target.trim() !== "" && !target.trim().startsWith("#");
}

/** Letters and digits alone: how a text is divided into words and what stands between them says nothing of a loss. */
export function textKey(text: string): string {
  return comparable(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

/** Commands of LaTeX that print their own name. */
const NAMED =
  /\\(?:arccos|arcsin|arctan|arg|cosh|cos|coth|cot|csc|deg|det|dim|exp|gcd|hom|inf|ker|lg|lim|ln|log|max|min|Pr|sec|sinh|sin|sup|tanh|tan)(?![A-Za-z])/g;

/**
 * The letters and digits of a formula, sorted, since LaTeX writes exponents and limits in another order than others do.
 * Greek letters are left out on both sides: LaTeX names them by commands.
 */
export function formulaKey(source: string): string {
  const letters = source
    .replace(/\\(?:begin|end)\s*\{[^}]*\}(?:\{[lcr| ]*\})?/g, " ")
    .replace(NAMED, (command) => command.slice(1))
    .replace(/\\[A-Za-z]+/g, " ")
    .normalize("NFKC")
    .toLowerCase();
  return Array.from(letters)
    .filter((sign) => /[\p{L}\p{N}]/u.test(sign) && !/\p{Script=Greek}/u.test(sign))
    .sort()
    .join("");
}

export function compareImages(
  reference: readonly string[],
  markdown: readonly string[],
): { readonly reference: number; readonly placed: number; readonly withoutText: number } {
  const { lost } = tally(reference.map(textKey), markdown.map(textKey));
  return {
    reference: reference.length,
    placed: reference.length - lost,
    withoutText: reference.filter((text) => text.trim() === "").length,
  };
}

/**
 * A comment is kept where its words stand in one item under the heading of the comments. Names and dates stand there too, so
 * an item only has to hold it.
 */
export function compareComments(reference: readonly string[], items: readonly string[]): Tally {
  const left = items.map(textKey);
  let lost = 0;
  for (const comment of reference) {
    const key = textKey(comment);
    const at = left.findIndex((item) => item.includes(key));
    if (at < 0) lost++;
    else left.splice(at, 1);
  }
  return { reference: reference.length, lost, added: left.length };
}
