import { command } from "./command.js";
import { DONE } from "./failure.js";
import { label } from "./layout.js";
import { calibrationLine, forProgramMeaning, meaningLine } from "./meaning-summary.js";
import { json, say, styled } from "./print.js";
import { withEncoderFor, withRewriteOptions } from "./rewriting.js";

export const enrichCommand = command({
  command: "enrich <package>",
  describe: "give a package meaning, or another model's, without its folder",
  builder: (args) =>
    withRewriteOptions(args)
      .option("focus", {
        type: "string",
        array: true,
        requiresArg: true,
        describe: "a question that the package answers: sets from where it warns; once for each",
      })
      .example("$0 enrich handbook.mdcx", "encodes every passage with the model that ships")
      .example("$0 enrich handbook.mdcx --model ./my-model --key-file secret.txt", "")
      .epilogue(
        "A run that is interrupted goes on where it was: what it made waits beside the package, sealed for the same secrets.",
      ),
  handler: async (args) => {
    const { enrichPackage } = await import("../src/pack-entry.js");
    const { meaning, focusInherited, claims, kept, dropped } = await withEncoderFor(args, (options) =>
      enrichPackage(args.package, { ...options, ...(args.focus !== undefined && { focus: args.focus }) }),
    );
    if (args.json) {
      json({
        package_id: claims.packageId,
        revision: claims.revision,
        meaning: forProgramMeaning(meaning, focusInherited),
        kept: kept.length,
        dropped: dropped.length,
      });
    } else {
      say(styled("bold", `${args.package} is found by meaning now, as revision ${claims.revision}.`));
      say(
        label([
          ["Meaning", meaningLine(meaning)],
          ["Answerable", calibrationLine(meaning, focusInherited)],
          ["Time", `${meaning.seconds.toFixed(1)} s of encoding`],
        ]),
      );
    }
    process.exitCode = DONE;
  },
});
