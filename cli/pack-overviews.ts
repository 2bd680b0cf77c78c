import type { Argv } from "yargs";
import { MdcxError } from "../src/errors.js";
import type { DocumentsSummary, OverviewSource } from "../src/pack-entry.js";

export function withOverviewOption<T>(args: Argv<T>) {
  return args.option("overviews", {
    type: "string",
    requiresArg: true,
    describe: 'a FILE.jsonl of overviews written elsewhere, one a line: {"document": "@/…", "text": "…"}',
  });
}

/** Opens the overviews that were given, runs `pack` with them, and adds what of them was left out. */
export async function withOverviews<Summary extends Pick<DocumentsSummary, "leftOut" | "unknownKeys">>(
  file: string | undefined,
  pack: (overviews: { readonly overviews?: OverviewSource }) => Promise<Summary>,
): Promise<Summary> {
  if (file === undefined) return pack({});
  const { OverviewFile } = await import("../src/pack-entry.js");
  const overviews = await OverviewFile.open(file);
  try {
    const summary = await pack({ overviews });
    const unknownKeys = [...(summary.unknownKeys ?? []), ...overviews.unknownKeys];
    return {
      ...summary,
      leftOut: [...summary.leftOut, ...overviews.leftOut()],
      ...(unknownKeys.length > 0 && { unknownKeys }),
    };
  } finally {
    await overviews.close();
  }
}

/** @throws MdcxError `bad-input` for options about documents where an older package is written again */
export function requireDocuments(args: {
  readonly documents?: string | undefined;
  readonly overviews?: string | undefined;
  readonly warnSecrets: boolean;
}): void {
  if (args.documents === undefined && (args.overviews !== undefined || args.warnSecrets))
    throw new MdcxError(
      "bad-input",
      `${args.warnSecrets ? "--warn-secrets" : "--overviews"} goes with documents: give their folder; overviews of the old package stay with their documents.`,
    );
}
