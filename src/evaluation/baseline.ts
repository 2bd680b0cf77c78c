import { MdcxError } from "../errors.js";
import type { SearchMode } from "../search.js";
import type { Evaluation, ModeFigures } from "./evaluate.js";
import type { Kind } from "./golden.js";
import { MEASURES, shares, type Figures, type Warnings } from "./measures.js";

/** A measure may be this much under its baseline. */
export const TOLERANCE = 0.02;

/** The figures that a baseline keeps. */
export type Baseline = Pick<Evaluation, "golden" | "modes" | "warnings">;

/** The text of a baseline file. Figures have four digits: what is behind them differs between processors. */
export function baselineText({ golden, modes, warnings }: Baseline): string {
  const short = (_: string, value: unknown): unknown =>
    typeof value === "number" ? Math.round(value * 1e4) / 1e4 : value;
  return `${JSON.stringify({ golden, modes, warnings }, short, 2)}\n`;
}

/** Reads what `baselineText` wrote. @throws MdcxError `bad-input` */
export function readBaseline(text: string): Baseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const given = (typeof value === "object" && value !== null ? value : {}) as Partial<Record<keyof Baseline, unknown>>;
  const figured = Object.values((given.modes ?? {}) as Record<string, Partial<ModeFigures> | null>);
  if (
    typeof given.golden !== "string" ||
    figured.length === 0 ||
    !figured.every((mode) => areFigures(mode?.all) && Object.values(mode?.kinds ?? {}).every(areFigures)) ||
    !(given.warnings === null || areWarnings(given.warnings))
  )
    throw new MdcxError("bad-input", "The baseline is no file that mdcx eval --write-baseline wrote.");
  return given as Baseline;
}

function areFigures(value: Partial<Figures> | undefined): boolean {
  return value !== undefined && (["questions", ...MEASURES] as const).every((name) => Number.isFinite(value[name]));
}

function areWarnings(value: unknown): boolean {
  const names = ["unanswerable", "flagged", "answerable", "wronglyFlagged"] as const;
  const given = (typeof value === "object" && value !== null ? value : {}) as Partial<Warnings>;
  return names.every((name) => Number.isFinite(given[name]));
}

/** A figure that is worse than its baseline by more than the tolerance. */
export interface Drop {
  /** `auto, table: hit@1`, `unanswerable flagged` */
  readonly what: string;
  readonly was: number;
  /** Null where the package cannot be asked in that way any more. */
  readonly is: number | null;
}

/** What became worse by more than `TOLERANCE`. @throws MdcxError `bad-input` where the baseline is of other questions */
export function dropsFrom(baseline: Baseline, now: Baseline): Drop[] {
  if (baseline.golden !== now.golden)
    throw new MdcxError(
      "bad-input",
      "The baseline was measured with other golden questions: make one for these with --write-baseline.",
    );
  const drops: Drop[] = [];
  const compare = (what: string, was: number, is: number | undefined): void => {
    // The baseline is rounded, which must not count as a drop.
    if (is === undefined || was - is > TOLERANCE + 5e-5) drops.push({ what, was, is: is ?? null });
  };
  for (const [mode, { all, kinds }] of Object.entries(baseline.modes) as [SearchMode, ModeFigures][]) {
    const current = now.modes[mode];
    for (const name of MEASURES) compare(`${mode}: ${name}`, all[name], current?.all[name]);
    for (const [kind, figures] of Object.entries(kinds) as [Kind, Figures][])
      for (const name of MEASURES) compare(`${mode}, ${kind}: ${name}`, figures[name], current?.kinds[kind]?.[name]);
  }
  if (baseline.warnings !== null) {
    const [was, is] = [shares(baseline.warnings), now.warnings === null ? undefined : shares(now.warnings)];
    compare("unanswerable flagged", was.flagged, is?.flagged);
    compare("answerable not wrongly flagged", 1 - was.wronglyFlagged, is && 1 - is.wronglyFlagged);
  }
  return drops;
}
