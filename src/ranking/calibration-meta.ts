import type { AnswerableOrigin } from "../format/claims.js";
import { badImage } from "../image/cells.js";
import { fromBase64, toBase64 } from "../meaning/base64.js";
import { fromHalves, toHalves } from "../meaning/half.js";
import type { Calibration, CalibrationQuestion } from "./calibration.js";

const PREFIX = "calibration:";
const ORIGINS: readonly AnswerableOrigin[] = ["estimated", "focus", "focus-after"];
/** What calibrations of other versions say is not comparable: a reader then does without. */
const VERSION = "1";

/** What `meta` of the image says of a calibration; its questions are rows of a table (spec/calibration.md §4). */
export function calibrationMeta(calibration: Calibration): Record<string, string> {
  const { reference, falseAlarms, misses } = calibration;
  const entries: Record<string, string> = {
    version: VERSION,
    origin: calibration.origin,
    answerable_at: String(calibration.answerableAt),
    typical: String(calibration.typical),
    strangers: String(calibration.strangers),
    base: String(calibration.base),
    margin: String(calibration.margin),
    reference: toBase64(toHalves(reference.direction)),
    reference_weight: String(reference.weight),
    reference_level: String(reference.level),
    runner_up_weight: String(reference.runnerUpWeight),
    gap: String(reference.gap),
    ...(falseAlarms !== null && { false_alarms: String(falseAlarms) }),
    ...(misses !== null && { misses: String(misses) }),
  };
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [PREFIX + key, value]));
}

/**
 * The calibration of an image; undefined without one, and for one of a version that is not known.
 *
 * @param rows of the table of questions
 * @throws MdcxError `bad-image` for one that is incomplete or holds no numbers
 */
export function readCalibration(
  meta: ReadonlyMap<string, string>,
  rows: readonly CalibrationQuestion[],
): Calibration | undefined {
  if (meta.get(`${PREFIX}version`) !== VERSION) return undefined;
  const stated = (key: string): string => meta.get(PREFIX + key) ?? badImage(`its calibration lacks ${key}`);
  const number = (key: string, least: number, most: number): number => {
    const value = stated(key) === "" ? NaN : Number(stated(key));
    return value >= least && value <= most ? value : badImage(`${key} of its calibration is ${stated(key)}`);
  };
  const share = (key: string): number | null => (meta.has(PREFIX + key) ? number(key, 0, 1) : null);
  // A cosine, less at most two for what is taken off, and two more on average.
  const comparable = (key: string): number => number(key, -5, 5);
  const halves = fromBase64(stated("reference")) ?? badImage("the reference of its calibration is not base64");
  if (halves.length === 0 || halves.length % 2 !== 0) badImage("the reference of its calibration is no vector");
  return {
    answerableAt: comparable("answerable_at"),
    typical: comparable("typical"),
    origin: ORIGINS.find((origin) => origin === stated("origin")) ?? badImage("its calibration is of no known origin"),
    base: number("base", -1, 1),
    margin: number("margin", 0, 1),
    strangers: comparable("strangers"),
    reference: {
      direction: fromHalves(halves, halves.length / 2),
      weight: number("reference_weight", 0, 1),
      runnerUpWeight: number("runner_up_weight", 0, 1),
      level: number("reference_level", -2, 2),
      gap: number("gap", 0, 2),
    },
    questions: rows,
    falseAlarms: share("false_alarms"),
    misses: share("misses"),
  };
}
