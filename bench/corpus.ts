import { Corpus, openPackage, type Package } from "../src/index.js";
import { MemorySink } from "../src/format/sink.js";
import { nodeDeflate } from "../src/node/deflate.js";
import { primitives } from "../src/node/primitives.js";
import { pack, type DocumentInput } from "../src/pack.js";
import { evenly } from "../src/ranking/own-questions.js";
import { mean } from "./measures.js";
import { passagesOf } from "./quality.js";
import { readSet, type RetrievalSet, type SetQuestion } from "./retrieval-sets.js";
import type { VectorCache } from "./vector-cache.js";

/** What becomes of one collection's questions beside packages on other subjects. */
export interface BesideOthers {
  readonly set: string;
  /** Whether rules may be chosen by this collection; the others only report. */
  readonly forChoosing: boolean;
  readonly others: number;
  readonly asked: number;
  /** Questions with a right passage among the first five, its package alone and beside the others. */
  readonly right: readonly [alone: number, beside: number];
  /** Of those that were right alone, how many no longer are. */
  readonly lost: number;
  /** Share of the questions that warns though their package is mounted, alone and beside the others. */
  readonly warnedAnswered: readonly [alone: number, beside: number];
  /** Share that warns where their package is not mounted: mean over the others, each alone, and all of them together. */
  readonly warnedUnanswered: readonly [alone: number, together: number];
}

/** The collections as packages, and whether rules may be chosen by them. */
const SETS: Readonly<Record<string, boolean>> = {
  "xquad/en": true,
  cranfield: true,
  "debref/en": true,
  "debref/de": true,
  med: false,
  cacm: false,
  sextant: false,
  "xquad/de": false,
  "debref/fr": false,
  "debref/es": false,
  npl: false,
};
/** Only packages: too few of their questions are off the subject of all others, or in the languages of two. */
const NOT_ASKED: ReadonlySet<string> = new Set(["npl", "debref/fr", "debref/es"]);
/** Questions of each collection, spread over all. */
const MOST_ASKED = 40;
const FIRST = 5;

interface Mounted {
  readonly pkg: Package;
  readonly questions: readonly SetQuestion[];
}

/**
 * Whether many packages answer as one of them does: what mounting others on other subjects costs in right answers and in
 * warnings. Real packages and the product's own reading.
 *
 * @param data the folder of the shared data
 * @param cache of the model; what it lacks is encoded, once
 */
export async function measureCorpus(
  data: string,
  cache: VectorCache,
  note: (text: string) => void,
): Promise<BesideOthers[]> {
  const mounted = new Map<string, Mounted>();
  for (const name of Object.keys(SETS)) {
    note(`packing ${name}`);
    // The questions of Debian's reference are titles of its sections.
    const set = readSet(data, name, !name.startsWith("debref/"));
    const places = evenly(set.questions.length, MOST_ASKED);
    mounted.set(name, {
      pkg: await packageOf(set, cache),
      questions: places.map((place) => set.questions[place]!),
    });
  }
  const figures: BesideOthers[] = [];
  for (const [name, forChoosing] of Object.entries(SETS)) {
    if (NOT_ASKED.has(name)) continue;
    note(name);
    figures.push(await besideOthers(name, forChoosing, mounted));
  }
  for (const { pkg } of mounted.values()) await pkg.close();
  return figures;
}

/** A line a collection, and sums or means of those for choosing and of the held-out ones. */
export function corpusTable(figures: readonly BesideOthers[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  const share = (of: (one: BesideOthers) => number, among: readonly BesideOthers[]): string =>
    mean(among.map(of)).toFixed(3);
  const sum = (of: (one: BesideOthers) => number, among: readonly BesideOthers[]): number =>
    among.reduce((total, one) => total + of(one), 0);
  const cells = (title: string, among: readonly BesideOthers[]): string =>
    line([
      title,
      share((one) => one.others, among).replace(/\.000$/, ""),
      sum((one) => one.asked, among),
      sum((one) => one.right[0], among),
      sum((one) => one.right[1], among),
      sum((one) => one.lost, among),
      ...[0, 1].map((place) => share((one) => one.warnedAnswered[place]!, among)),
      ...[0, 1].map((place) => share((one) => one.warnedUnanswered[place]!, among)),
    ]);
  const titles = [
    "collection",
    "others",
    "asked",
    "right alone",
    "right beside",
    "lost",
    "answered, warned alone",
    "beside",
    "unanswered, warned alone",
    "together",
  ];
  return [
    line(titles),
    line(titles.map(() => "---")),
    ...figures.map((one) => cells(one.set, [one])),
    ...[true, false].map((chosen) =>
      cells(
        chosen ? "for choosing" : "held out",
        figures.filter(({ forChoosing }) => forChoosing === chosen),
      ),
    ),
  ].join("\n");
}

async function besideOthers(
  name: string,
  forChoosing: boolean,
  mounted: ReadonlyMap<string, Mounted>,
): Promise<BesideOthers> {
  const { pkg, questions } = mounted.get(name)!;
  const others = [...mounted].filter(([other]) => subjectOf(other) !== subjectOf(name));
  const unrelated = others.map(([, { pkg: other }]) => other);
  const [alone, beside] = [new Corpus([pkg]), new Corpus([pkg, ...unrelated])];
  const isRight: [boolean[], boolean[]] = [[], []];
  const warned: [number[], number[]] = [[], []];
  for (const question of questions)
    for (const [place, corpus] of [alone, beside].entries()) {
      const { passages, warning } = await corpus.search(question.text, { limit: FIRST });
      isRight[place]!.push(
        passages.some(({ id, document }) => id.startsWith(pkg.id.slice(0, 8)) && isRelevant(document, question)),
      );
      warned[place]!.push(warning === undefined ? 0 : 1);
    }
  const shares: number[] = [];
  for (const one of unrelated) shares.push(await warnedShare(new Corpus([one]), questions));
  const right = isRight.map((each) => each.filter(Boolean).length);
  return {
    set: name,
    forChoosing,
    others: others.length,
    asked: questions.length,
    right: [right[0]!, right[1]!],
    lost: isRight[0].filter((was, i) => was && !isRight[1][i]!).length,
    warnedAnswered: [mean(warned[0]), mean(warned[1])],
    warnedUnanswered: [mean(shares), await warnedShare(new Corpus(unrelated), questions)],
  };
}

async function warnedShare(corpus: Corpus, questions: readonly SetQuestion[]): Promise<number> {
  const warned: number[] = [];
  for (const { text } of questions)
    warned.push((await corpus.search(text, { limit: FIRST })).warning === undefined ? 0 : 1);
  return mean(warned);
}

function isRelevant(document: string, { relevant }: SetQuestion): boolean {
  return [...relevant.keys()].some((id) => document === `@/${pathOf(id)}`);
}

async function packageOf(set: RetrievalSet, cache: VectorCache): Promise<Package> {
  const documents = set.documents.map(({ id, title, text }): DocumentInput => ({
    path: pathOf(id),
    format: "markdown",
    read: () => Promise.resolve(new TextEncoder().encode(title === "" ? text : `# ${title}\n\n${text}`)),
  }));
  const secret = { kind: "key", bytes: new Uint8Array(32).fill(7) } as const;
  const sink = new MemorySink();
  // Other parts of the bench have encoded these passages with other breaks of lines; what they keep is as good.
  const known = new Map(
    passagesOf(set).flatMap(({ document, text }) => [text, `${document} ${text}`].map((of) => [spaced(of), text])),
  );
  const encoder = cache.asEncoder();
  const asKept: typeof encoder = {
    ...encoder,
    encode: (texts, role) =>
      encoder.encode(role === "passage" ? texts.map((text) => known.get(spaced(text)) ?? text) : texts, role),
  };
  await pack(documents, sink, {
    primitives,
    slots: [{ secret }],
    deflate: nodeDeflate(),
    meaning: { encoder: asKept },
    title: set.name,
  });
  return openPackage(sink.bytes(), { secret, encoder: () => encoder });
}

function pathOf(id: string): string {
  return `${id.replace(/[^\w.-]/g, "_")}.md`;
}

function spaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Translations of one collection are on one subject. */
function subjectOf(name: string): string {
  return name.split("/")[0]!;
}
