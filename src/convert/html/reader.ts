/** What a page holds, read by linkedom: visible text, never the markup. */
import { latin1 } from "../signatures.js";
import type { Reader } from "../engine.js";
import { decodeText } from "../text/encoding.js";
import { independentDecoder } from "../text/reader.js";
import { LINKEDOM, attribute, below, nameOf, readDom, type DomNode } from "./dom.js";
import { see } from "./seen.js";

export const reader: Reader = async ({ path, bytes }) => {
  const document = await readDom(await characters(bytes), false);
  const ids = new Map<string, DomNode[]>();
  // Among elements of one id their order counts, and that of the links to them.
  const order = new Map<DomNode, number>();
  for (const node of below(document)) {
    if (node.nodeType !== 1) continue;
    const id = attribute(node, "id") ?? attribute(node, "name");
    if (id === undefined && nameOf(node) !== "a") continue;
    order.set(node, order.size);
    if (id === undefined) continue;
    const known = ids.get(id);
    if (known === undefined) ids.set(id, [node]);
    else known.push(node);
  }
  const own = `${path.split(/[/\\]/).at(-1)!}#`;
  const isInside = (target: string): boolean => target.startsWith("#") || target.startsWith(own);
  const { text, hidden, notes, ...rest } = see(document, {
    leadsOut: (target) => target !== "" && !isInside(target),
    locate: (target, from) => {
      const all = isInside(target) ? (ids.get(unescape(target.slice(target.indexOf("#") + 1))) ?? []) : [];
      // Manuals of many files on one page have ids twice: the note is the one that follows.
      const isNote = (node: DomNode): boolean => /\bfootnote\b/.test(attribute(node, "class") ?? "");
      return (
        (all.length > 1 ? all.find((node) => isNote(node) && order.get(node)! > order.get(from)!) : undefined) ?? all[0]
      );
    },
  });
  return {
    reader: LINKEDOM,
    // What is not shown is held against the words that the engine says it withheld.
    units: hidden.trim() === "" ? [{ text }] : [{ text }, { place: "hidden", text: hidden }],
    ...rest,
    footnotes: Array.from(notes.values()),
  };
};

function unescape(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** By the byte order mark, then valid UTF-8, then what the page declares, decoded by another library than the engine's. */
export async function characters(bytes: Uint8Array): Promise<string> {
  const decode = await independentDecoder();
  const unstated = decodeText(bytes);
  if (unstated.certain) return decode(bytes, unstated.encoding);
  const stated = /<(?:meta|\?xml)\b[^>]*?\b(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)/i.exec(
    latin1(bytes, 0, bytes.length),
  )?.[1];
  try {
    return decode(bytes, stated ?? unstated.encoding);
  } catch {
    return decode(bytes, unstated.encoding);
  }
}
