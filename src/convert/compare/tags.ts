/** Raw HTML as a sequence of tags and texts, without a tree: what opens in one block of Markdown may close in another. */

export type HtmlPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "open"; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: "close"; readonly name: string };

const TAG = /<(?:!--[\s\S]*?(?:-->|$)|[!?][^>]*>?|(\/?)([A-Za-z][A-Za-z0-9-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>)/g;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** Elements whose content nobody reads. */
const UNSEEN = new Set(["script", "style", "template", "title"]);

/** Comments and declarations are left out; a `<` that begins nothing is text. */
export function* readTags(html: string): Generator<HtmlPiece> {
  let from = 0;
  let unseen: string | undefined;
  for (const found of html.matchAll(TAG)) {
    const name = found[2]?.toLowerCase();
    if (found.index > from && unseen === undefined) yield { kind: "text", text: html.slice(from, found.index) };
    from = found.index + found[0].length;
    if (name === undefined) continue;
    const closes = found[1] === "/";
    if (unseen !== undefined) {
      if (closes && name === unseen) unseen = undefined;
      continue;
    }
    if (UNSEEN.has(name)) {
      if (!closes) unseen = name;
      continue;
    }
    yield closes ? { kind: "close", name } : { kind: "open", name, attributes: attributesOf(found[3] ?? "") };
  }
  if (from < html.length && unseen === undefined) yield { kind: "text", text: html.slice(from) };
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, double, single, bare] of text.matchAll(ATTRIBUTE))
    attributes[name!.toLowerCase()] ??= double ?? single ?? bare ?? "";
  return attributes;
}
