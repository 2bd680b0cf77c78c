import { realpath } from "node:fs/promises";
import type { Argv } from "yargs";
import { MdcxError } from "../src/errors.js";
import type { LeaveOutReport } from "../src/pack-entry.js";
import { label } from "./layout.js";
import { calibrationLine, forProgramMeaning, meaningLine } from "./meaning-summary.js";
import { bytes, counted, json, note, printableLine, say, styled } from "./print.js";

/** Documents left out that are named one by one; the rest is counted. */
const NAMED = 10;

/** Options of packing on the ground of an older package. */
export function withReuseOptions<T>(args: Argv<T>) {
  return args
    .option("reuse", {
      type: "string",
      requiresArg: true,
      describe: "an older package: vectors of unchanged passages, its id, title and focus questions are taken over",
    })
    .option("without", {
      type: "string",
      array: true,
      requiresArg: true,
      describe: "with --reuse: leave this document, folder or glob out, once for each; needs no folder to pack",
    })
    .option("new-id", {
      type: "boolean",
      default: false,
      describe: "with --reuse: a package of its own, not the next revision of the old one",
    });
}

/** What those options were given, and what they do not go with. */
interface ReuseArguments {
  readonly documents?: string | undefined;
  readonly reuse?: string | undefined;
  readonly without?: readonly string[] | undefined;
  readonly newId: boolean;
  readonly meaning: boolean;
  readonly passages: "structure" | "semantic";
}

/** @throws MdcxError `bad-input` for options that do not go together */
export function requireReuse({ documents, reuse, without, newId, meaning, passages }: ReuseArguments): void {
  if (newId && reuse === undefined)
    throw new MdcxError("bad-input", "--new-id goes with --reuse: without it every package has an id of its own.");
  if (without !== undefined && reuse === undefined)
    throw new MdcxError("bad-input", "--without goes with --reuse OLD: it names what of the old package is left out.");
  if (documents !== undefined) return;
  if (reuse === undefined || without === undefined)
    throw new MdcxError(
      "bad-input",
      "Name the folder to pack; with --reuse OLD --without PATH none is needed, and OLD is written again without a document.",
    );
  if (meaning || passages === "semantic")
    throw new MdcxError(
      "bad-input",
      `${meaning ? "--meaning" : "--passages semantic"} needs the folder to pack; \`mdcx enrich\` gives a package meaning without it.`,
    );
}

/** Says who still holds what was left out: a package is immutable, and its copies are out of reach. */
export async function noteStillHeld(without: readonly string[], old: string, target: string): Promise<void> {
  if (without.length === 0) return;
  const named = without.slice(0, NAMED).map(printableLine);
  if (without.length > NAMED) named.push(`${without.length - NAMED} more`);
  const replaced = (await realpath(old).catch(() => old)) === (await realpath(target).catch(() => target));
  note(
    replaced
      ? `mdcx: ${named.join(", ")} left out. Copies of the revision that was replaced still hold ${without.length === 1 ? "it" : "them"}, for whoever has one and a secret.`
      : `mdcx: ${named.join(", ")} left out. ${printableLine(old)} still holds ${without.length === 1 ? "it" : "them"}, for whoever has that file or a copy, and a secret.`,
  );
}

/** Says what came of an old package that was written again without some of its documents. */
export function reportAgain(report: LeaveOutReport, target: string, old: string, asJson: boolean): void {
  if (asJson) json(forProgram(report, target, old));
  else show(report, target);
}

function forProgram(report: LeaveOutReport, target: string, old: string): Record<string, unknown> {
  return {
    target,
    package_id: report.packageId,
    revision: report.revision,
    documents: report.documents,
    attachments: report.attachments,
    passages: report.passages,
    languages: report.languages,
    file_bytes: report.fileBytes,
    without: report.without,
    still_in: old,
    meaning: report.meaning && forProgramMeaning(report.meaning, report.focusInherited),
  };
}

function show(report: LeaveOutReport, target: string): void {
  const { meaning, attachments } = report;
  say(styled("bold", `${target} is written.`));
  say(
    label([
      ["Package", `${report.packageId}, revision ${report.revision}`],
      [
        "Documents",
        counted(report.documents, "document") +
          (attachments === 0 ? "" : ` and ${counted(attachments, "attachment")} that no search finds`),
      ],
      ["Passages", report.passages.toLocaleString("en")],
      ["Meaning", meaning ? meaningLine(meaning) : "none: found by words alone"],
      ["Answerable", meaning ? calibrationLine(meaning, report.focusInherited) : undefined],
      ["Languages", report.languages.map(({ code, documents }) => `${code} ${documents}`).join(", ")],
      ["Size", bytes(report.fileBytes)],
    ]),
  );
}
