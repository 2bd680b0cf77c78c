import { command } from "./command.js";
import { errorRates } from "./error-rates.js";
import { DONE } from "./failure.js";
import { label } from "./layout.js";
import { noteDoubts } from "./meaning-summary.js";
import { counted, json, printableLine, say, styled } from "./print.js";
import { withEncoderFor, withRewriteOptions } from "./rewriting.js";

export const calibrateCommand = command({
  command: "calibrate <package>",
  describe: "set from which similarity a package answers, by questions that it does answer",
  builder: (args) =>
    withRewriteOptions(args)
      .option("question", {
        type: "string",
        array: true,
        requiresArg: true,
        demandOption: true,
        describe: "a question that the package answers; once for each",
      })
      .example('$0 calibrate handbook.mdcx --question "Who approves leave?" --question "Wann ist Inventur?"', "")
      .epilogue(
        "Documents, passages and vectors stay as they are. The questions are kept inside the package, where only its readers see them.",
      ),
  handler: async (args) => {
    const { calibratePackage } = await import("../src/pack-entry.js");
    const { calibration, claims, kept, dropped } = await withEncoderFor(args, (options) =>
      calibratePackage(args.package, { ...options, questions: args.question }),
    );
    const { answerableAt, origin, questions, falseAlarms, misses } = calibration;
    if (args.json) {
      json({
        package_id: claims.packageId,
        revision: claims.revision,
        answerable_at: { value: answerableAt, origin },
        questions,
        false_alarms: falseAlarms,
        misses,
        kept: kept.length,
        dropped: dropped.length,
      });
    } else {
      say(
        styled(
          "bold",
          `${args.package} is calibrated by ${counted(questions.length, "question")}, as revision ${claims.revision}.`,
        ),
      );
      say(
        label([
          ["Answerable", `from ${answerableAt.toFixed(2)}`],
          ["Tried", errorRates(calibration) || undefined],
          ...questions.map(({ question, similarity }): [string, string] => [
            similarity.toFixed(3),
            printableLine(question),
          ]),
        ]),
      );
    }
    noteDoubts({ misses, questions: questions.length });
    process.exitCode = DONE;
  },
});
