/** What the figures of a certificate come to: the one place where they become a status (spec/convert.md, "Statuses"). */
import type { Certificate, Status } from "../certificate.js";

export type Figures = Omit<Certificate, "status" | "reason">;

export interface Judgement {
  readonly status: Status;
  readonly reason?: string;
}

/** Shares at which a document is no longer in order, and at which it failed. */
export const LIMITS = {
  coverage: { warn: 0.995, fail: 0.95 },
  /** Lost words with a digit, as a share of those of the original. */
  numbersLost: { warn: 0.005, fail: 0.1 },
  /** Words that the original does not hold, as a share of those that it holds. */
  added: { warn: 0.02, fail: 0.5 },
  /** Interleaved columns come to about a half. Less than a fifth is what readers of PDF do to forms and side notes. */
  order: { warn: 0.8 },
  cellsInPlace: { warn: 0.9 },
  linksLost: { warn: 0.05 },
  /** Words kept out on purpose, navigation apart. */
  withheld: { warn: 0.2 },
} as const;

/** A short text with one wrong number is a warning: shares say little there. */
const FEW_NUMBERS = 3;

export function judge(figures: Figures): Judgement {
  const { words, numbers, tables, order } = figures;
  if (words.reference === 0) return { status: "unverifiable", reason: nothingToCompare(figures) };
  const grave: string[] = [];
  const slight: string[] = [];
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

  const coverage = words.coverage ?? 1;
  if (coverage < LIMITS.coverage.warn)
    (coverage < LIMITS.coverage.fail ? grave : slight).push(
      words.lost === words.reference
        ? `none of the ${counted(words.reference, "word")} of the original is there`
        : `${counted(words.lost, "word")} of ${words.reference} ${words.lost === 1 ? "is" : "are"} missing (coverage ${percent(coverage)})`,
    );
  const numbersLost = share(numbers.lost, numbers.reference);
  if (numbersLost > LIMITS.numbersLost.warn)
    (numbersLost > LIMITS.numbersLost.fail && numbers.lost >= FEW_NUMBERS ? grave : slight).push(
      `${counted(numbers.lost, "number")} of ${numbers.reference} ${numbers.lost === 1 ? "is" : "are"} missing`,
    );
  const added = share(words.added, words.reference);
  if (added > LIMITS.added.warn)
    (added > LIMITS.added.fail ? grave : slight).push(
      `${counted(words.added, "word")} ${words.added === 1 ? "is" : "are"} there that the reader does not see in the original`,
    );
  if (order !== null && order < LIMITS.order.warn)
    slight.push(`only ${percent(order)} of the words stand in the order in which the reader sees them`);
  if (tables !== undefined && share(tables.inPlace, tables.cells) < LIMITS.cellsInPlace.warn && tables.cells > 0)
    slight.push(
      `${tables.inPlace} of ${counted(tables.cells, "table cell")} ${tables.inPlace === 1 ? "is" : "are"} in place`,
    );
  if (figures.links !== undefined && share(figures.links.lost, figures.links.reference) > LIMITS.linksLost.warn)
    slight.push(`${counted(figures.links.lost, "link")} of ${figures.links.reference} lost`);
  for (const [one, many, kind] of [
    ["footnote", "footnotes", figures.footnotes],
    ["comment", "comments", figures.comments],
    ["formula", "formulas", figures.formulas],
  ] as const)
    if (kind !== undefined && kind.lost > 0)
      slight.push(`${kind.lost} of ${kind.reference} ${kind.reference === 1 ? one : many} not found as such`);
  // What a web page itself calls navigation may be most of it.
  const withheld = Object.entries(words.withheld).reduce(
    (sum, [kind, count]) => sum + (kind === "navigation" ? 0 : count),
    0,
  );
  if (share(withheld, words.reference) > LIMITS.withheld.warn)
    slight.push(
      `${counted(withheld, "word")} of ${words.reference} were kept out as heads, page numbers or hidden text`,
    );
  for (const finding of figures.findings) if (finding.severity === "warn") slight.push(uncapitalised(finding.text));

  const reasons = [...grave, ...slight];
  if (reasons.length === 0) return { status: "ok" };
  return { status: grave.length > 0 ? "fail" : "warn", reason: sentence(reasons) };
}

function nothingToCompare({ words }: Figures): string {
  if (words.unverifiable > 0)
    return `The original holds no text, only pictures; ${counted(words.unverifiable, "word")} recognised in them cannot be checked.`;
  return words.added > 0
    ? "The reader finds no text in the original, so nothing says whether the conversion is right."
    : "Neither the engine nor the reader finds text in the original.";
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** Never rounded up to a whole: 99.999 % is not 100 %. */
function percent(share: number): string {
  return `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
}

function uncapitalised(text: string): string {
  const plain = text.trim().replace(/\.$/, "");
  return /^[A-Z][a-z]/.test(plain) ? plain[0]!.toLowerCase() + plain.slice(1) : plain;
}

/** At most three of the reasons, the gravest first, as one sentence. */
function sentence(reasons: readonly string[]): string {
  const said = reasons.slice(0, 3).join("; ");
  const more = reasons.length - 3;
  const text = more > 0 ? `${said}; and ${more} more` : said;
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
