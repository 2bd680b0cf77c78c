/** Addresses in pages: whether they lead out of the document, and where they lead within it. */

/** The parts of a relative address; undefined for one with a scheme or a host. */
export function relative(href: string): { readonly path: string; readonly id: string } | undefined {
  const address = href.trim();
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address)) return undefined;
  const [, path = "", id = ""] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(address) ?? [];
  return { path: percentDecoded(path), id: percentDecoded(id) };
}

export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
