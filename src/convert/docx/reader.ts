import type { Reader, ReferenceUnit } from "../engine.js";
import { loadNumberFormatter } from "../ooxml/number-format.js";
import { readRawChart } from "../ooxml/raw-chart.js";
import { attributeOf, elementsIn, outermost, RawPackage } from "../ooxml/raw-package.js";
import { rawParagraphs } from "../ooxml/raw-text.js";
import { secondFormat } from "../ooxml/second-format.js";
import type { RawStory } from "./raw-reading.js";
import { RawStoryReader } from "./raw-story.js";

/**
 * What a Word document holds, from the events of its XML by another parser than the engine's tree. officeparser 7.8 would be
 * another library still, but on the files here it sees no text boxes, comments, notes, heads, deletions and charts, and
 * takes hidden text for text: a certificate by it would be wrong by more than the one point that is allowed.
 *
 * Hidden text is listed: it stands in the file, and the engine has to say that it left it out.
 */
export const reader: Reader = async ({ bytes }) => {
  const pack = await RawPackage.open(bytes, "word/document.xml");
  const numbers = pack.archive.names.some((name) => /chart/i.test(name)) ? await loadNumberFormatter() : undefined;
  const show = (code: string, value: number): string =>
    secondFormat(code, value, false) ?? numbers?.(code, value) ?? String(value);
  const drawnTables: (readonly (readonly string[])[])[] = [];
  const moves = hasMoves(pack);
  const hiddenStyles = readHiddenStyles(pack);

  const read = (part: string, entry?: string): RawStory => {
    const targets = pack.targets(part);
    const drawn = (id: string, kind: "chart" | "diagram"): string => {
      const target = targets.get(id);
      const root = target === undefined || target.external ? undefined : pack.tree(target.target);
      if (kind === "diagram") return diagramText(root);
      const { titles, tables } = readRawChart(root, show);
      drawnTables.push(...tables);
      return [...titles, ...tables.flatMap((rows) => rows.map((row) => row.join("\n")))].join("\n");
    };
    const story = new RawStoryReader({
      external: (id) => {
        const target = targets.get(id);
        return target?.external === true ? target.target : undefined;
      },
      drawn,
      moves,
      hiddenStyles,
      ...(entry === undefined ? {} : { entry }),
    });
    pack.stream(part, story.handler);
    return story.finish();
  };
  const related = (kind: string, entry: string): RawStory | undefined => {
    const [part] = pack.targetsOf(pack.main, kind);
    return part === undefined ? undefined : read(part, entry);
  };

  const body = read(pack.main);
  const footnotes = related("footnotes", "footnote");
  const endnotes = related("endnotes", "endnote");
  const comments = related("comments", "comment");
  const heads = readHeads(pack, body, read);

  const notes = [...entriesOf(footnotes, body.footnotes), ...entriesOf(endnotes, body.endnotes)];
  const said = commentsOf(comments, body.comments);
  const stories = [body, footnotes, endnotes, comments].filter((story) => story !== undefined);
  const units = [
    body.text,
    ...notes,
    ...said,
    ...[...stories, ...heads].map(({ deletions }) => deletions),
    ...heads.map(({ text }) => text),
    ...[...stories, ...heads].map(({ hidden }) => hidden),
  ];
  const all = <T>(list: (story: RawStory) => readonly T[]): T[] => [...stories, ...heads].flatMap(list);
  return {
    reader: "raw XML by htmlparser2 10.1.0",
    units: units.filter((text) => text.trim() !== "").map((text): ReferenceUnit => ({ text })),
    tables: [...stories.flatMap(({ tables }) => tables), ...drawnTables],
    links: all(({ links }) => links),
    footnotes: notes,
    comments: said,
    formulas: all(({ formulas }) => formulas),
    // A picture in a head is furniture, unless it says something.
    images: [
      ...stories.flatMap(({ images }) => images),
      ...heads.flatMap(({ images }) => images).filter((alt) => alt !== ""),
    ],
  };
};

function hasMoves(pack: RawPackage): boolean {
  let found = false;
  pack.stream(pack.main, {
    onopentagname: (name) => {
      if (name.endsWith(":moveTo") || name === "moveTo") found = true;
    },
  });
  return found;
}

/** Styles that hide their text, or are based on one that does. */
function readHiddenStyles(pack: RawPackage): ReadonlySet<string> {
  const [part] = pack.targetsOf(pack.main, "styles");
  const hidden = new Set<string>();
  const basedOn = new Map<string, string>();
  for (const style of outermost(part === undefined ? undefined : pack.tree(part), "style")) {
    const id = attributeOf(style.attributes, "styleId") ?? "";
    const [base] = elementsIn(style, "basedOn");
    if (base !== undefined) basedOn.set(id, attributeOf(base.attributes, "val") ?? "");
    const vanish = elementsIn(style, "rPr").flatMap((properties) => elementsIn(properties, "vanish"))[0];
    if (vanish === undefined) continue;
    if (/^(?:0|false|off)$/.test(attributeOf(vanish.attributes, "val") ?? "")) basedOn.delete(id);
    else hidden.add(id);
  }
  // Chains of styles are short, but a damaged one may be a circle.
  for (let round = 0; round < 20; round++) for (const [id, base] of basedOn) if (hidden.has(base)) hidden.add(id);
  return hidden;
}

function entriesOf(story: RawStory | undefined, ids: readonly string[]): string[] {
  return ids
    .map((id) => story?.entries.get(id))
    .filter((entry) => entry?.separator === false)
    .map((entry) => entry!.text)
    .filter((text) => text.trim() !== "");
}

/** Those that the text refers to in its order, then the others. */
function commentsOf(story: RawStory | undefined, ids: readonly string[]): string[] {
  if (story === undefined) return [];
  const order = new Set([...ids.filter((id) => story.entries.has(id)), ...story.entries.keys()]);
  return [...order].map((id) => story.entries.get(id)!.text).filter((text) => text.trim() !== "");
}

/** Heads before feet, each text once. */
function readHeads(pack: RawPackage, body: RawStory, read: (part: string) => RawStory): RawStory[] {
  const targets = pack.targets(pack.main);
  const parts = new Set<string>();
  for (const kind of ["0", "1"])
    for (const reference of body.heads) {
      const target = reference.startsWith(kind) ? targets.get(reference.slice(2)) : undefined;
      if (target !== undefined && !target.external) parts.add(target.target);
    }
  const known = new Set<string>();
  return [...parts].map(read).filter(({ text }) => {
    const key = text.replace(/\s+/g, "");
    const fresh = key === "" || !known.has(key);
    known.add(key);
    return fresh;
  });
}

function diagramText(model: Parameters<typeof outermost>[0]): string {
  return outermost(model, "pt")
    .filter(({ attributes }) => !/^(?:pres|parTrans|sibTrans)$/.test(attributes.type ?? ""))
    .flatMap((point) => elementsIn(point, "t").flatMap(rawParagraphs))
    .join("\n");
}
