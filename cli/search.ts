import { command } from "./command.js";
import type { Reply } from "../src/index.js";
import { DONE } from "./failure.js";
import { json } from "./print.js";
import { wirePassage } from "../src/wire.js";
import { withJson, withPackage, withPinOptions, withSecretOptions } from "./reading.js";

export const searchCommand = command({
  command: "search <package> <question>",
  describe: "find the passages that bear on a question",
  builder: (args) =>
    withJson(withPinOptions(withSecretOptions(args)))
      .positional("package", { type: "string", demandOption: true, describe: "the package: FILE.mdcx" })
      .positional("question", {
        type: "string",
        demandOption: true,
        describe: 'the question; "words in quotes" must occur',
      })
      .option("limit", { type: "number", default: 5, requiresArg: true, describe: "passages to show, 1 to 50" })
      .option("in", { type: "string", requiresArg: true, describe: "only documents whose path matches this glob" })
      .example('$0 search handbook.mdcx "Who may moor at night?"', "asks for the passphrase")
      .example('$0 search handbook.mdcx "tide gauge" --in "measuring/**" --json', ""),
  handler: async (args) => {
    await withPackage(args.package, args, async (pkg) => {
      const reply = await pkg.search(args.question, {
        limit: args.limit,
        ...(args.in !== undefined && { in: args.in }),
      });
      if (args.json) json(forProgram(reply));
      else (await import("./show-reply.js")).showReply(reply);
    });
    process.exitCode = DONE;
  },
});

/** The reply with the field names of the MCP server, so that programs read one shape. */
function forProgram(reply: Reply): Record<string, unknown> {
  const { query, found, passages, unknownTerms, hint } = reply;
  return {
    query,
    found,
    passages: passages.map(wirePassage),
    unknown_terms: unknownTerms,
    ...(hint !== undefined && { hint }),
  };
}
