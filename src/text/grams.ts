/** Version of these rules, kept in a package. */
export const GRAMS_VERSION = 1;

/**
 * The 4-grams of `_form_` by code points, each once (spec/text.md §4): `_wor`, `word`, `ord_`. A form of one or two
 * characters has one gram, the whole of `_form_`.
 */
export function grams(form: string): string[] {
  const padded = `_${form}_`;
  // Code points and UTF-16 units are the same thing unless a surrogate is present, which is rare.
  const points = /[\uD800-\uDFFF]/.test(padded) ? Array.from(padded) : padded;
  if (points.length <= 4) return [padded];
  const found = new Set<string>();
  for (let i = 0; i + 4 <= points.length; i++) {
    const gram = points.slice(i, i + 4);
    found.add(typeof gram === "string" ? gram : gram.join(""));
  }
  return [...found];
}
