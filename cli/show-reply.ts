import type { Hit, Reply } from "../src/index.js";
import type { FoundPassages, PassageContext } from "./passage-context.js";
import { counted, note, printableLine, say, styled } from "./print.js";
import { shownPassage } from "./shown-passage.js";

/** Packages of which each is named for what it lacks. */
const FEW_PACKAGES = 4;

/**
 * Prints a reply for a person: rank, document and place, headings, and the passage with what found it marked; what stands
 * around it and which package holds it where that was asked and there are several.
 *
 * @param names of the packages by their ids
 */
export function showReply({ reply, contexts }: FoundPassages, names: ReadonlyMap<string, string>): void {
  sayBefore(reply, names);
  if (reply.passages.length === 0) {
    say(reply.hint ?? "Nothing was found.");
    return;
  }
  if (reply.warning !== undefined) note(`${styled("yellow", printableLine(reply.warning))}\n`);
  const matched = new Set(reply.matched);
  say(reply.passages.map((hit, i) => passage(hit, contexts[i]!, matched, names.size > 1)).join("\n\n"));
  sayBehind(reply, names);
}

/** How the question was asked, where that is not as one would expect. */
function sayBefore(reply: Reply, names: ReadonlyMap<string, string>): void {
  for (const one of reply.notices ?? []) note(`mdcx: ${printableLine(one)}`);
  for (const one of Object.values(reply.meaningUnavailable ?? {}))
    if (one.state !== "available") note(`mdcx: by words alone: ${printableLine(one.reason)} ${one.remedy}`);
  const models = together(reply.modelsByPackage ?? {}, names);
  if (models.size > 1)
    for (const [model, packages] of models) note(styled("dim", `Asked with ${printableLine(model)}: ${packages}`));
  for (const [word, forms] of Object.entries(reply.readAs))
    note(styled("dim", `${printableLine(word)} was read as ${forms.map(printableLine).join(", ")}.\n`));
  for (const [word, forms] of Object.entries(reply.likenedTo))
    note(
      styled(
        "dim",
        `${printableLine(word)} is in no document; words like it were looked up: ${forms.map(printableLine).join(", ")}.\n`,
      ),
    );
  if (reply.preferReason !== undefined)
    note(`mdcx: recent ones are not preferred: ${printableLine(reply.preferReason)}`);
}

/** What was made of its words. */
function sayBehind(reply: Reply, names: ReadonlyMap<string, string>): void {
  const shown = reply.passages.length;
  if (reply.found > shown)
    note(
      styled(
        "dim",
        `\n${shown} of ${counted(reply.found, "passage")} with a word of the question or one like it; --limit shows more.`,
      ),
    );
  sayUnknown(reply, names);
}

/**
 * Words of the question that are not in a package. Of many packages only those are named that the answer is from: each share
 * of a collection lacks some word.
 */
function sayUnknown({ unknownTerms, passages }: Reply, names: ReadonlyMap<string, string>): void {
  // The id of a passage begins with that of its package.
  const shown = (id: string): boolean => passages.some((hit) => id.startsWith(hit.id.slice(0, hit.id.indexOf("/"))));
  let others = 0;
  const said = Object.entries(unknownTerms).flatMap(([id, terms]): [string, string][] => {
    // Single characters of a script without spaces are no words to a reader.
    const words = terms.filter((term) => Array.from(term).length > 1);
    if (words.length === 0) return [];
    if (names.size <= FEW_PACKAGES || shown(id)) return [[id, words.map(printableLine).join(", ")]];
    others++;
    return [];
  });
  for (const [words, packages] of together(Object.fromEntries(said), names))
    note(styled("dim", `Not in ${names.size === 1 ? "the package" : packages}: ${words}`));
  if (others > 0)
    note(
      styled(
        "dim",
        `${counted(others, "other package")} ${others === 1 ? "lacks" : "lack"} words of the question; --json names them.`,
      ),
    );
}

/** By what is said of packages, the names of those of which it is. */
function together(said: Readonly<Record<string, string>>, names: ReadonlyMap<string, string>): Map<string, string> {
  const packages = new Map<string, string[]>();
  for (const [id, what] of Object.entries(said))
    packages.set(what, [...(packages.get(what) ?? []), printableLine(names.get(id) ?? id)]);
  return new Map([...packages].map(([what, each]) => [what, each.join(", ")]));
}

function passage(hit: Hit, { before, after }: PassageContext, matched: ReadonlySet<string>, several: boolean): string {
  // An overview is about its document as a whole.
  const where = hit.place ? ` · ${hit.place.kind} ${printableLine(hit.place.value)}` : ` · line ${hit.line}`;
  const place = hit.kind === "overview" ? " · an overview of it" : where;
  const dated = hit.dated === undefined ? "" : ` · ${hit.dated}`;
  const direction = hit.direction === undefined ? "" : ` · ${hit.direction}`;
  const by = hit.foundBy.includes("word") ? "" : " · by meaning";
  const from = several ? ` · ${printableLine(hit.package)}` : "";
  const head = `${styled("bold", String(hit.rank).padStart(2))}  ${styled("cyan", printableLine(hit.document))}`;
  const shown = shownPassage(hit, matched, "    ", { before, after });
  return `${head}${styled("dim", place + dated + direction + by + from)}\n${shown}`;
}
