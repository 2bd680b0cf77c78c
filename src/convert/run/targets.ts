import { createHash } from "node:crypto";
import { FINDINGS, INDEX } from "../../node/run-files.js";

/** Bytes of a name: most file systems allow 255, and a number and an ending may come to it. */
const LONGEST_NAME = 230;

/** Sorts by path, the same on every machine, and gives each source a target of its own. */
export function assignTargets<T extends { readonly path: string }>(sources: readonly T[]): (T & { target: string })[] {
  const sorted = [...sources].sort((a, b) => (a.path < b.path ? -1 : 1));
  const taken = new Set([INDEX, FINDINGS].map(folded));
  // A folder of the output must not meet a file of the same name: `x.pdf` beside a folder `x.pdf.md`.
  for (const { path } of sorted)
    for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1))
      taken.add(folded(path.slice(0, slash)));
  // Markdown first: what somebody named `lease.pdf.md` keeps its name, beside a `lease.pdf` too.
  const named = new Map<string, string>();
  for (const { path } of [...sorted].sort((a, b) => Number(isMarkdown(b.path)) - Number(isMarkdown(a.path)))) {
    const target = freeName(path, taken);
    taken.add(folded(target));
    named.set(path, target);
  }
  return sorted.map((source) => ({ ...source, target: named.get(source.path)! }));
}

function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

/** `lease.pdf` → `lease.pdf.md`; a Markdown original keeps its name; the second of equal names ends in ` (2)`. */
function freeName(path: string, taken: ReadonlySet<string>): string {
  const ending = /\.(?:md|markdown)$/i.exec(path)?.[0] ?? ".md";
  const stem = /\.(?:md|markdown)$/i.test(path) ? path.slice(0, -ending.length) : path;
  const short = shortened(stem);
  let name = short + ending;
  for (let n = 2; taken.has(folded(name)); n++) name = `${short} (${n})${ending}`;
  return name;
}

/** Names that some file system holds for the same one: macOS normalises, Windows and macOS ignore case. */
function folded(path: string): string {
  return path.normalize("NFC").toLowerCase().toUpperCase();
}

/** Cuts the last name of a path where no ending would fit behind it; what was cut stays in a digest. */
function shortened(path: string): string {
  const from = path.lastIndexOf("/") + 1;
  const name = path.slice(from);
  if (Buffer.byteLength(name) <= LONGEST_NAME) return path;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  let kept = "";
  let length = 0;
  for (const character of name) {
    length += Buffer.byteLength(character);
    if (length > LONGEST_NAME - 9) break;
    kept += character;
  }
  return `${path.slice(0, from)}${kept}~${digest}`;
}
