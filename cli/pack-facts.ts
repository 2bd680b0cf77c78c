import type { Argv } from "yargs";
import { MdcxError } from "../src/errors.js";
import type { Direction } from "../src/index.js";
import type { DateFinding, FolderDirections, LostFacts, StatedDirection } from "../src/pack-entry.js";
import { counted, note, printableLine } from "./print.js";

/** Dates that are named one by one; the rest is counted. */
const NAMED = 10;

/** The options that say of documents what they do not say themselves: their dates, and whether they were sent or received. */
export function withFactOptions<T>(args: Argv<T>) {
  return args
    .option("dates", {
      type: "string",
      requiresArg: true,
      describe: "a CSV file with the dates of documents: path,date, and where a date comes from, on each line",
    })
    .option("date-from-mtime", {
      type: "boolean",
      default: false,
      describe: "date a document that states no date by when its file was last written",
    })
    .option("direction", {
      type: "string",
      array: true,
      requiresArg: true,
      describe:
        "FOLDER=received, FOLDER=sent or FOLDER=none, where the name of its top folder does not say it; once for each",
    });
}

/**
 * What was asked, as the library takes it.
 *
 * @param of what is packed; an older package has the facts of its documents already, and records have no files
 * @throws MdcxError `bad-input`
 */
export function factsOf(
  args: {
    readonly dates?: string | undefined;
    readonly dateFromMtime: boolean;
    readonly direction?: readonly string[] | undefined;
  },
  of: "folder" | "records" | "package",
): { readonly dates?: string; readonly dateFromMtime: boolean; readonly directions?: FolderDirections } {
  if (of === "package" && (args.dates !== undefined || args.dateFromMtime || args.direction !== undefined))
    throw new MdcxError(
      "bad-input",
      "--dates, --date-from-mtime and --direction go with documents: give their folder, or leave these options out.",
    );
  if (of === "records" && args.dateFromMtime)
    throw new MdcxError(
      "bad-input",
      "--date-from-mtime goes with a folder: records have no files of their own; give their dates in the records, or with --dates.",
    );
  return {
    ...(args.dates !== undefined && { dates: args.dates }),
    dateFromMtime: args.dateFromMtime,
    ...(args.direction !== undefined && { directions: directionsOf(args.direction) }),
  };
}

function directionsOf(given: readonly string[]): FolderDirections {
  const directions = new Map<string, StatedDirection>();
  for (const one of given) {
    const [, folder, direction] = /^(.+)=(received|sent|none)$/s.exec(one) ?? [];
    if (folder === undefined || direction === undefined)
      throw new MdcxError(
        "bad-input",
        `--direction takes FOLDER=received, FOLDER=sent or FOLDER=none, not ${JSON.stringify(one)}.`,
      );
    if (directions.has(folder))
      throw new MdcxError("bad-input", `The direction of the folder ${JSON.stringify(folder)} is given twice.`);
    directions.set(folder, direction as StatedDirection);
  }
  return Object.fromEntries(directions);
}

/** `12 received, 3 sent`; undefined where nothing is known of any document. */
export function directionLine(directions: Readonly<Record<Direction, number>>): string | undefined {
  const known = Object.entries(directions).filter(([, count]) => count > 0);
  return known.length === 0
    ? undefined
    : known.map(([name, count]) => `${count.toLocaleString("en")} ${name}`).join(", ");
}

/** Says which facts of an older package the next one lacks because their option was not given again. */
export function noteLostFacts({ mtime, direction }: LostFacts, old: string): void {
  const lost = [
    ...(mtime > 0 ? [[`${counted(mtime, "date")} by the times of files`, "--date-from-mtime"]] : []),
    ...(direction > 0 ? [[counted(direction, "direction"), "--direction"]] : []),
  ];
  if (lost.length === 0) return;
  const [what, options] = [0, 1].map((at) => lost.map((one) => one[at]!).join(" and "));
  note(
    `mdcx: warning: the new package lacks ${what} that ${printableLine(old)} had, for options are not taken over: give ${options!} again.`,
  );
}

/** Says which dates were not taken, as a sentence each. */
export function noteRefusedDates(refused: readonly DateFinding[]): void {
  if (refused.length === 0) return;
  note(`${counted(refused.length, "date")} not taken:`);
  for (const { document, value, reason } of refused.slice(0, NAMED))
    note(`  ${printableLine(document)}: ${printableLine(JSON.stringify(value))} ${reason}`);
  if (refused.length > NAMED) note(`  and ${counted(refused.length - NAMED, "more", "more")}; --json names them all`);
}

/** The same for programs. */
export function forProgramDates(refused: readonly DateFinding[]): Record<string, string>[] {
  return refused.map(({ document, value, origin, reason }) => ({ document, date: value, dated_from: origin, reason }));
}
