/** Certificates that are not measured from one conversion: of several parts, and of conversions that did not come to an end. */
import type { Certificate, Difference, Tally } from "../certificate.js";
import type { Conversion, Finding } from "../engine.js";
import { judge, type Figures } from "./judge.js";

const NOTHING: Figures = {
  words: {
    reference: 0,
    lost: 0,
    added: 0,
    coverage: null,
    recovered: 0,
    withheld: {},
    labels: 0,
    unverifiable: 0,
  },
  order: null,
  numbers: { reference: 0, lost: 0, added: 0 },
  lost: [],
  added: [],
  findings: [],
};

/** Of an original, or a part of one, of which nothing was converted; `reason` is a sentence that says why and what to do. */
export function unconvertedCertificate(status: "refused" | "timed-out", reason: string): Certificate {
  return { status, reason, ...NOTHING };
}

/** Of Markdown that nothing could be compared with, because the reader refused the original: `sentence` is what it said. */
export function uncheckedCertificate({ engine, findings }: Conversion, sentence: string): Certificate {
  const text = `Nothing says whether the conversion is right, since the original could not be read a second time: ${sentence}`;
  return {
    status: "unverifiable",
    reason: text,
    ...NOTHING,
    engine,
    // A warning, so that a document of which one part was checked and another was not is no `ok`.
    findings: [...findings, { severity: "warn", kind: "not checked", text }],
  };
}

/** The certificate of a document from those of its parts, in order: counts add, the order is weighted by words. */
export function combine(certificates: readonly Certificate[]): Certificate {
  if (certificates.length === 1) return certificates[0]!;
  if (certificates.length === 0) return unconvertedCertificate("refused", "Nothing was converted.");
  const sum = (of: (certificate: Certificate) => number): number =>
    certificates.reduce((total, certificate) => total + of(certificate), 0);
  const engine = certificates.find((one) => one.engine !== undefined)?.engine;
  const reader = certificates.find((one) => one.reader !== undefined)?.reader;
  const reference = sum(({ words }) => words.reference);
  const lost = sum(({ words }) => words.lost);
  const figures: Figures = {
    ...(engine !== undefined && { engine }),
    ...(reader !== undefined && { reader }),
    words: {
      reference,
      lost,
      added: sum(({ words }) => words.added),
      coverage: reference === 0 ? null : (reference - lost) / reference,
      recovered: sum(({ words }) => words.recovered),
      withheld: combineCounts(certificates.map(({ words }) => words.withheld)),
      labels: sum(({ words }) => words.labels),
      unverifiable: sum(({ words }) => words.unverifiable),
    },
    order: combineOrder(certificates),
    numbers: addTallies(certificates.map(({ numbers }) => numbers))!,
    ...present("tables", addCounts(certificates.map(({ tables }) => tables))),
    ...present("links", addTallies(certificates.map(({ links }) => links))),
    ...present("footnotes", addTallies(certificates.map(({ footnotes }) => footnotes))),
    ...present("comments", addTallies(certificates.map(({ comments }) => comments))),
    ...present("formulas", addTallies(certificates.map(({ formulas }) => formulas))),
    ...present("images", addCounts(certificates.map(({ images }) => images))),
    lost: firstOf(certificates.map((one) => one.lost)),
    added: firstOf(certificates.map((one) => one.added)),
    findings: distinct(certificates.flatMap(({ findings }) => findings)),
  };
  const broken = brokenParts(certificates);
  const { status, reason } = broken ?? judge(figures);
  return { status, ...(reason !== undefined && { reason }), ...figures };
}

/** A part that did not come to its end decides: what it holds is in no figure. */
function brokenParts(certificates: readonly Certificate[]): Pick<Certificate, "status" | "reason"> | undefined {
  const broken = certificates.filter(
    ({ status, words }) =>
      status === "timed-out" || status === "refused" || (status === "fail" && words.reference === 0),
  );
  if (broken.length === 0) return undefined;
  const first = broken[0]!;
  const all = broken.length === certificates.length;
  const status = all ? first.status : "fail";
  const count = `${broken.length} of ${certificates.length} parts ${broken.length === 1 ? "was" : "were"} not converted`;
  return { status, reason: all ? first.reason! : `${count}: ${first.reason!}` };
}

function combineOrder(certificates: readonly Certificate[]): number | null {
  let inOrder = 0;
  let common = 0;
  for (const { order, words } of certificates) {
    if (order === null) continue;
    const shared = words.reference - words.lost;
    inOrder += order * shared;
    common += shared;
  }
  return common === 0 ? null : inOrder / common;
}

function combineCounts(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of all) for (const [kind, count] of Object.entries(one)) counts[kind] = (counts[kind] ?? 0) + count;
  return counts;
}

function addTallies(all: readonly (Tally | undefined)[]): Tally | undefined {
  return addCounts(all);
}

/** Sums of the fields of those that are there; undefined where none is. */
function addCounts<T extends Readonly<Record<keyof T, number>>>(all: readonly (T | undefined)[]): T | undefined {
  const there = all.filter((one) => one !== undefined);
  if (there.length === 0) return undefined;
  const total: Record<string, number> = {};
  for (const one of there)
    for (const [name, count] of Object.entries<number>(one)) total[name] = (total[name] ?? 0) + count;
  return total as T;
}

function present<K extends string, T>(name: K, value: T | undefined): Partial<Record<K, T>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, T>);
}

const MOST_DIFFERENCES = 100;

function firstOf(lists: readonly (readonly Difference[])[]): Difference[] {
  return lists.flat().slice(0, MOST_DIFFERENCES);
}

function distinct(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ kind, text }) => {
    const key = `${kind}\n${text}`;
    const known = seen.has(key);
    seen.add(key);
    return !known;
  });
}
