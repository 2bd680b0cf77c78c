import { command } from "./command.js";
import type { RunProgress, RunSummary } from "../src/convert-entry.js";
import { percent } from "../src/convert/run/totals.js";
import { parseShard } from "../src/shard.js";
import { conversionOf, withConversion } from "./conversion-options.js";
import { DONE, NO } from "./failure.js";
import { label } from "./layout.js";
import { counted, json, note, printableLine, say, styled } from "./print.js";
import { startProgress } from "./progress.js";
import { withJson } from "./reading.js";

/** Files left out that are named one by one; INDEX.md names them all. */
const NAMED = 5;
/** What a shell reports of a program that Ctrl-C has ended. */
const INTERRUPTED = 130;

export const convertCommand = command({
  command: "convert <input>",
  describe: "convert documents to Markdown, and say how much of each survived",
  builder: (args) =>
    withConversion(withJson(args))
      .positional("input", { type: "string", demandOption: true, describe: "a folder of documents, or one document" })
      .option("output", {
        type: "string",
        demandOption: true,
        requiresArg: true,
        describe: "the folder for the Markdown; what it holds of an earlier run is taken up",
      })
      .option("only", {
        type: "string",
        array: true,
        requiresArg: true,
        describe: "convert only paths that match this pattern (*.pdf, contracts/**); may be repeated",
      })
      .option("limit", { type: "number", requiresArg: true, describe: "convert only the first N documents" })
      .option("force", { type: "boolean", default: false, describe: "convert also what has not changed" })
      .option("sample-pages", {
        type: "number",
        requiresArg: true,
        describe: "convert only N pages of each document, spread over it",
      })
      .option("recycle-after", {
        type: "number",
        requiresArg: true,
        default: 50,
        describe: "replace a worker after so many documents; 0: never",
      })
      .option("split-threshold", {
        type: "number",
        requiresArg: true,
        default: 120,
        describe: "convert a PDF of more pages chapter by chapter",
      })
      .option("report", {
        type: "string",
        requiresArg: true,
        describe: "write every certificate to this page: FILE.html",
      })
      .option("shard", {
        type: "string",
        requiresArg: true,
        describe: "convert part I of N, so that N machines share the work: 2/3",
      })
      .example("$0 convert ./contracts --output ./markdown", "")
      .example("$0 convert ./contracts --output ./markdown --only '*.pdf' --report report.html", ""),
  handler: async (args) => {
    const { runConversion } = await import("../src/convert-entry.js");
    const interrupt = new AbortController();
    const onSignal = (): void => {
      // The second time it is meant.
      if (interrupt.signal.aborted) process.exit(INTERRUPTED);
      interrupt.abort();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
    const progress = startProgress("Looking through the input");
    let summary: RunSummary;
    try {
      summary = await runConversion(args.input, args.output, {
        ...conversionOf(args),
        ...numbersOf(args),
        ...(args.only !== undefined && { only: args.only }),
        ...(args.report !== undefined && { report: args.report }),
        ...(args.shard !== undefined && { shard: parseShard(args.shard) }),
        force: args.force,
        signal: interrupt.signal,
        onProgress: (at) => {
          progress.say(stage(at));
        },
      });
    } finally {
      progress.stop();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
    }
    note("mdcx: the Markdown in the output folder is not encrypted: whoever can read it can read the documents.");
    if (args.json) json(forProgram(summary, args.output));
    else show(summary, args.output, args.report);
    process.exitCode = summary.interrupted ? INTERRUPTED : hasFindings(summary) ? NO : DONE;
  },
});

const NUMBERS = ["limit", "samplePages", "recycleAfter", "splitThreshold"] as const;
type Numbers = Partial<Record<(typeof NUMBERS)[number], number>>;

function numbersOf(args: { readonly [name in keyof Numbers]?: number | undefined }): Numbers {
  const given: Numbers = {};
  for (const name of NUMBERS) if (args[name] !== undefined) given[name] = args[name];
  return given;
}

function stage({ documents, total, share, secondsLeft, current }: RunProgress): string {
  const left = secondsLeft === undefined ? "" : `, ${duration(secondsLeft)} left`;
  const name = current === undefined ? "" : `: ${printableLine(current)}`;
  return `${documents.toLocaleString("en")} of ${counted(total, "document")}, ${Math.floor(share * 100)} %${left}${name}`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

function hasFindings({ byStatus }: RunSummary): boolean {
  return byStatus.warn + byStatus.fail + byStatus.refused + byStatus["timed-out"] > 0;
}

function forProgram(summary: RunSummary, output: string): Record<string, unknown> {
  const { byStatus, leftOut, parts, ...rest } = summary;
  return {
    output,
    ...rest,
    by_status: byStatus,
    left_out: leftOut,
    parts_converted: parts.converted,
    parts_reused: parts.reused,
  };
}

const STYLES = {
  ok: "green",
  warn: "yellow",
  fail: "red",
  "timed-out": "red",
  refused: "magenta",
  unverifiable: "gray",
} as const;

function show(summary: RunSummary, output: string, report: string | undefined): void {
  const { words, byStatus, converted, reused, parts, worst, leftOut, stale } = summary;
  say(styled("bold", summary.interrupted ? `Interrupted: what is finished is in ${output}.` : `${output} is written.`));
  const statuses = (["ok", "warn", "fail", "refused", "timed-out", "unverifiable"] as const)
    .filter((status) => byStatus[status] > 0)
    .map((status) => styled(STYLES[status], `${byStatus[status].toLocaleString("en")} ${status}`));
  const chapters =
    parts.converted + parts.reused === 0
      ? undefined
      : `${parts.converted} converted${parts.reused > 0 ? `, ${parts.reused} reused` : ""}`;
  say(
    label([
      [
        "Documents",
        `${summary.documents.toLocaleString("en")}${statuses.length > 0 ? `: ${statuses.join(", ")}` : ""}`,
      ],
      [
        "Converted",
        `${converted.toLocaleString("en")}${reused > 0 ? `, ${reused.toLocaleString("en")} (reused)` : ""}`,
      ],
      ["Chapters", chapters],
      ["Coverage", words.coverage === null ? "nothing could be verified" : coverageLine(summary)],
      ["Not yet", summary.left > 0 ? counted(summary.left, "document") : undefined],
      ["Time", `${duration(summary.seconds)} with ${counted(summary.budget.workers, "worker")}`],
    ]),
  );
  if (worst.length > 0) {
    const more = byStatus.warn + byStatus.fail + byStatus.refused + byStatus["timed-out"] - worst.length;
    say(
      `\n${styled("bold", "Look at these first")}${more > 0 ? ` (${more.toLocaleString("en")} more in FINDINGS.md)` : ""}`,
    );
    for (const { source, status, reason, coverage, lost } of worst) {
      const figures = coverage === null ? "" : `, ${percent(coverage)}, ${counted(lost, "word")} lost`;
      say(`  ${styled(STYLES[status], status)}  ${printableLine(source)}${figures}`);
      if (reason !== undefined) say(styled("dim", `      ${printableLine(reason)}`));
    }
  }
  for (const [title, entries] of [
    ["left out", leftOut.map(({ path, reason }) => `${path}: ${reason}`)],
    ["removed, its original has gone", stale.removed],
    ["kept", stale.kept.map(({ target, reason }) => `${target}: ${reason}`)],
  ] as const) {
    if (entries.length === 0) continue;
    note(`${counted(entries.length, "file")} ${title}:`);
    for (const entry of entries.slice(0, NAMED)) note(`  ${printableLine(entry)}`);
    if (entries.length > NAMED) note(`  and ${counted(entries.length - NAMED, "more", "more")}`);
  }
  if (summary.kept > 0)
    note(
      `${counted(summary.kept, "document")} could not be converted this time: the Markdown of an earlier run was kept.`,
    );
  if (summary.interrupted) say("The same command goes on from here.");
  else
    say(
      `Every document: ${output}/INDEX.md${worst.length > 0 ? `, what was found: ${output}/FINDINGS.md` : ""}${report === undefined ? "" : `, as a page: ${report}`}`,
    );
}

function coverageLine({ words }: RunSummary): string {
  const recovered = words.recovered > 0 ? `, ${words.recovered.toLocaleString("en")} of them recovered` : "";
  return `${percent(words.coverage)} of ${counted(words.reference, "word")}; ${words.lost.toLocaleString("en")} lost${recovered}`;
}
