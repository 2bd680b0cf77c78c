/** The certificate of a conversion: what an engine wrote against what another reader sees (spec/convert.md). */
import type { Certificate, Difference, Tally } from "../certificate.js";
import type { Conversion, Reference } from "../engine.js";
import { optional } from "../../node/optional-package.js";
import { judge, type Figures } from "./judge.js";
import { wordsInOrder } from "./order.js";
import { pairWords } from "./pairing.js";
import { readMarkdown } from "./reading.js";
import { ALONE, RESPACED, selectedSide, wholeSide, type Pairing } from "./sides.js";
import { pairSplitWords } from "./spacing.js";
import { compareTables } from "./tables.js";
import { compareComments, compareImages, formulaKey, leadsOut, linkKey, tally, textKey } from "./tallies.js";
import { Vocabulary, WordList } from "./words.js";

/** Differences that a certificate shows on each side; the counts are of all. */
const MOST_DIFFERENCES = 100;

/** The text of a reference with the words of it that the Markdown does not hold, for recovery. */
export interface Loss {
  readonly words: WordList;
  /** Positions in `words`, ascending. */
  readonly lost: readonly number[];
}

const losses = new WeakMap<Certificate, Loss>();

/** What `certify` found lost; undefined for a certificate that it did not make. */
export function lossOf(certificate: Certificate): Loss | undefined {
  return losses.get(certificate);
}

/**
 * Compares the Markdown of an engine with what an independent reader sees. Coverage and order are as measured, before
 * anything is repaired.
 *
 * @throws MdcxError `missing-package` where markdown-it is not installed
 */
export async function certify(conversion: Conversion, reference: Reference): Promise<Certificate> {
  const { default: create } = await optional("A certificate", () => import("markdown-it"));
  const vocabulary = new Vocabulary();
  const original = new WordList(vocabulary);
  for (const { place, text } of reference.units) original.add(text, place);
  const reading = readMarkdown(conversion.markdown, vocabulary, create, {
    formulasApart: reference.formulas !== undefined,
  });
  const written = reading.words;
  const pairing = pairWords(wholeSide(original), wholeSide(written));
  const common = pairing.left.reduce((count, partner) => count + (partner >= 0 ? 1 : 0), 0);
  const order = common === 0 ? null : wordsInOrder(pairing.left) / common;

  const withheld = claimWithheld(conversion, original, vocabulary, pairing);
  joinAcrossWithheld(original, written, pairing, withheld.claimed);
  const labels = claimLabels(conversion, written, vocabulary, pairing);
  const lost = indexesOf(pairing.left, ALONE);
  const added = indexesOf(pairing.right, ALONE).filter((at) => !written.optional.has(at));

  const figures: Figures = {
    engine: conversion.engine,
    reader: reference.reader,
    words: {
      reference: original.length,
      lost: lost.length,
      added: added.length,
      coverage: original.length === 0 ? null : (original.length - lost.length) / original.length,
      recovered: 0,
      withheld: withheld.counts,
      labels,
      unverifiable: reading.recognised,
    },
    order,
    numbers: tallyNumbers(original, lost, written, added),
    ...(reference.tables !== undefined && { tables: compareTables(reference.tables, reading.tables) }),
    ...(reference.links !== undefined && {
      links: tally(reference.links.filter(leadsOut).map(linkKey), reading.links.filter(leadsOut).map(linkKey)),
    }),
    ...(reference.footnotes !== undefined && {
      footnotes: tally(reference.footnotes.map(textKey), reading.footnotes.map(textKey)),
    }),
    ...(reference.comments !== undefined && { comments: compareComments(reference.comments, reading.comments) }),
    ...(reference.formulas !== undefined && {
      formulas: tally(reference.formulas.map(formulaKey), reading.formulas.map(formulaKey)),
    }),
    ...(reference.images !== undefined && { images: compareImages(reference.images, reading.images) }),
    lost: differences(original, lost),
    added: differences(written, added),
    findings: conversion.findings,
  };
  const { status, reason } = judge(figures);
  const certificate: Certificate = { status, ...(reason !== undefined && { reason }), ...figures };
  // Kept only where there is something to recover: the words of a book are tens of megabytes.
  if (lost.length > 0) losses.set(certificate, { words: original, lost });
  return certificate;
}

function indexesOf(partners: Int32Array, value: number): number[] {
  const found: number[] = [];
  for (let at = 0; at < partners.length; at++) if (partners[at] === value) found.push(at);
  return found;
}

/** Takes from the lost words those that the engine says it kept out: only what is lost can have been kept out. */
function claimWithheld(
  { withheld }: Conversion,
  original: WordList,
  vocabulary: Vocabulary,
  pairing: Pairing,
): { readonly counts: Record<string, number>; readonly claimed: ReadonlySet<number> } {
  const words = new WordList(vocabulary);
  const counts: Record<string, number> = {};
  for (const { kind, text } of withheld) {
    const before = words.length;
    words.add(text);
    counts[kind] = (counts[kind] ?? 0) + words.length - before;
  }
  const claimed = new Set<number>();
  const lost = indexesOf(pairing.left, ALONE);
  if (words.length === 0 || lost.length === 0) return { counts, claimed };
  const { left } = pairWords(selectedSide(original, lost), wholeSide(words));
  lost.forEach((at, index) => {
    if (left[index] === ALONE) return;
    claimed.add(at);
    pairing.left[at] = RESPACED;
  });
  return { counts, claimed };
}

/** A word that the end of a page divides has the running heads between its halves in the original, and not in the Markdown. */
function joinAcrossWithheld(
  original: WordList,
  written: WordList,
  pairing: Pairing,
  claimed: ReadonlySet<number>,
): void {
  if (claimed.size === 0) return;
  const kept: number[] = [];
  for (let at = 0; at < original.length; at++) if (!claimed.has(at)) kept.push(at);
  const rest: Pairing = { left: Int32Array.from(kept, (at) => pairing.left[at]!), right: pairing.right };
  pairSplitWords(selectedSide(original, kept), wholeSide(written), rest);
  kept.forEach((at, index) => (pairing.left[at] = rest.left[index]!));
}

/** Takes from the added words those that the engine says are its own; returns how many those were. */
function claimLabels({ labels }: Conversion, written: WordList, vocabulary: Vocabulary, pairing: Pairing): number {
  const words = new WordList(vocabulary);
  for (const label of labels) words.add(label);
  const added = indexesOf(pairing.right, ALONE).filter((at) => !written.optional.has(at));
  if (words.length === 0 || added.length === 0) return 0;
  const { left } = pairWords(selectedSide(written, added), wholeSide(words));
  let count = 0;
  added.forEach((at, index) => {
    if (left[index]! < 0) return;
    count++;
    pairing.right[at] = RESPACED;
  });
  return count;
}

function tallyNumbers(original: WordList, lost: readonly number[], written: WordList, added: readonly number[]): Tally {
  let reference = 0;
  for (let at = 0; at < original.length; at++) if (original.isNumber(at)) reference++;
  return {
    reference,
    lost: lost.filter((at) => original.isNumber(at)).length,
    added: added.filter((at) => written.isNumber(at)).length,
  };
}

/** Neighbouring words of one line or sentence as one difference. */
function differences(list: WordList, positions: readonly number[]): Difference[] {
  const found: { place?: string; words: string[]; text: string }[] = [];
  let last = -2;
  let lastSegment = -1;
  for (const at of positions) {
    const segment = list.segmentOf[at]!;
    if (at === last + 1 && segment === lastSegment) found.at(-1)!.words.push(list.word(at));
    else {
      if (found.length === MOST_DIFFERENCES) break;
      const { place, text } = list.segments[segment]!;
      found.push({ ...(place !== undefined && { place }), words: [list.word(at)], text: text.slice(0, 300) });
    }
    last = at;
    lastSegment = segment;
  }
  return found;
}
