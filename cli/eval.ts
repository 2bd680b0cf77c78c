import { readFile, writeFile } from "node:fs/promises";
import stringWidth from "string-width";
import { command } from "./command.js";
import { withModelOption } from "./encoder.js";
import { DONE, NO } from "./failure.js";
import { label } from "./layout.js";
import { counted, json, note, printableLine, say, styled } from "./print.js";
import { startProgress } from "./progress.js";
import { withCacheOption, withJson, withPackage, withPinOptions, withSecretOptions } from "./reading.js";
import { baselineText, dropsFrom, readBaseline, type Drop } from "../src/evaluation/baseline.js";
import { evaluate, type Evaluation } from "../src/evaluation/evaluate.js";
import { readGolden } from "../src/evaluation/golden.js";
import { MEASURES, MOST_WRONGLY_FLAGGED, shares, type Figures } from "../src/evaluation/measures.js";

export const evalCommand = command({
  command: "eval <package>",
  describe: "measure how well a package answers questions whose answers are known",
  builder: (args) =>
    withJson(withModelOption(withPinOptions(withCacheOption(withSecretOptions(args)))))
      .positional("package", { type: "string", demandOption: true, describe: "the package: FILE.mdcx" })
      .option("golden", {
        type: "string",
        demandOption: true,
        requiresArg: true,
        describe:
          'the questions, one a line: {"id": "q1", "query": "…", "language": "en", "kind": "paraphrase", "any": ["@/a.md"]}; kind is paraphrase, exact term, keyword, multi-hop, table, cross-language or unanswerable; any: one of these documents answers, all: they do together, neither: unanswerable',
      })
      .option("check", {
        type: "string",
        requiresArg: true,
        describe: "a baseline: exit 1 where a figure is more than 0.02 worse",
      })
      .option("write-baseline", { type: "string", requiresArg: true, describe: "write the figures to this file" })
      .example("$0 eval handbook.mdcx --golden questions.jsonl", "figures by kind of question and way of searching")
      .example("$0 eval handbook.mdcx --golden questions.jsonl --check baseline.json", "exit 1 on a drop"),
  handler: async (args) => {
    // What is wrong with a file is said before anyone waits for the measuring.
    const questions = readGolden(await readFile(args.golden, "utf8"));
    const baseline = args.check === undefined ? undefined : readBaseline(await readFile(args.check, "utf8"));
    const progress = startProgress("Asking the questions");
    let evaluation: Evaluation;
    try {
      evaluation = await withPackage(args.package, args, (pkg) =>
        evaluate(pkg, questions, (done, total) => {
          progress.say(`Asking question ${(done + 1).toLocaleString("en")} of ${total.toLocaleString("en")}`);
        }),
      );
    } finally {
      progress.stop();
    }
    const drops = baseline && dropsFrom(baseline, evaluation);
    if (args.writeBaseline !== undefined) await writeFile(args.writeBaseline, baselineText(evaluation));
    if (args.json) json(forProgram(evaluation, drops));
    else {
      show(evaluation);
      if (drops !== undefined) showDrops(drops);
    }
    process.exitCode = drops !== undefined && drops.length > 0 ? NO : DONE;
  },
});

function forProgram({ golden, modes, warnings, outcomes }: Evaluation, drops: readonly Drop[] | undefined) {
  return {
    golden,
    modes,
    warnings: warnings && {
      unanswerable: warnings.unanswerable,
      flagged: warnings.flagged,
      answerable: warnings.answerable,
      wrongly_flagged: warnings.wronglyFlagged,
    },
    outcomes,
    ...(drops && { drops }),
  };
}

const TITLES = { words: "By words", meaning: "By meaning", auto: "By both (auto)" } as const;

function show({ modes, warnings }: Evaluation): void {
  for (const mode of ["words", "meaning", "auto"] as const) {
    const figures = modes[mode];
    if (figures === undefined) continue;
    say(styled("bold", row(TITLES[mode], "questions", [...MEASURES])));
    for (const [kind, one] of Object.entries(figures.kinds)) say(figureRow(`  ${kind}`, one));
    say(figureRow("  all", figures.all));
    say("");
  }
  if (warnings === null) {
    say("The package has no meaning: it was asked by words alone, and never warns that it is not about a question.");
    return;
  }
  const { flagged, wronglyFlagged } = shares(warnings);
  say(
    label([
      [
        "Warned, unanswerable",
        `${warnings.flagged} of ${counted(warnings.unanswerable, "question")} (${percent(flagged)})`,
      ],
      [
        "Warned, answerable",
        `${warnings.wronglyFlagged} of ${counted(warnings.answerable, "question")} (${percent(wronglyFlagged)}; ` +
          `the goal is at most ${percent(MOST_WRONGLY_FLAGGED)})`,
      ],
    ]),
  );
}

function figureRow(name: string, figures: Figures): string {
  return row(
    name,
    figures.questions.toLocaleString("en"),
    MEASURES.map((measure) => figures[measure].toFixed(3)),
  );
}

function row(name: string, questions: string, cells: readonly string[]): string {
  const padded = name + " ".repeat(Math.max(0, 20 - stringWidth(name)));
  return padded + questions.padStart(9) + cells.map((cell) => cell.padStart(10)).join("");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function showDrops(drops: readonly Drop[]): void {
  if (drops.length === 0) {
    note("mdcx: no figure is more than 0.02 under the baseline.");
    return;
  }
  note(`mdcx: ${counted(drops.length, "figure is", "figures are")} more than 0.02 under the baseline:`);
  for (const { what, was, is } of drops)
    note(
      `  ${printableLine(what)} was ${was.toFixed(3)}, ${is === null ? "is not measured any more" : `is ${is.toFixed(3)}`}`,
    );
}
