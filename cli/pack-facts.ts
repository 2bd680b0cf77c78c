import type { Argv } from "yargs";
import { MdcxError } from "../src/errors.js";
import type { FolderDirections, StatedDirection } from "../src/pack-entry.js";

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

/** What was asked, as the library takes it. @throws MdcxError `bad-input` */
export function factsOf(args: {
  readonly dates?: string | undefined;
  readonly dateFromMtime: boolean;
  readonly direction?: readonly string[] | undefined;
}): { readonly dates?: string; readonly dateFromMtime: boolean; readonly directions?: FolderDirections } {
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
