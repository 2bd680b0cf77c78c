import { command } from "./command.js";
import { withModelOption } from "./encoder.js";
import type { Reply } from "../src/index.js";
import { DONE } from "./failure.js";
import { isFolder, packageQuestion, searchFolder, withFolderOptions } from "./search-folder.js";
import { json } from "./print.js";
import { wirePassage, wireRelevance } from "../src/wire.js";
import { withJson, withPackage, withPinOptions, withSecretOptions } from "./reading.js";

export const searchCommand = command({
  command: "search <package> [question]",
  describe: "find the passages that bear on a question",
  builder: (args) =>
    withFolderOptions(withModelOption(withJson(withPinOptions(withSecretOptions(args)))))
      .positional("package", { type: "string", demandOption: true, describe: "the package, or a folder of Markdown" })
      .positional("question", {
        type: "string",
        describe: 'the question; "words in quotes" must occur',
      })
      .option("limit", { type: "number", default: 5, requiresArg: true, describe: "passages to show, 1 to 50" })
      .option("mode", {
        choices: ["auto", "words", "meaning"] as const,
        default: "auto" as const,
        describe: "by words and meaning where each can tell, or by one of them",
      })
      .option("max-per-document", {
        type: "number",
        default: 2,
        requiresArg: true,
        describe: "with --mode meaning: passages of one document while others are nearly as near; 0: any number",
      })
      .option("in", { type: "string", requiresArg: true, describe: "only documents whose path matches this glob" })
      .example('$0 search ./handbook "Who may moor at night?"', "a folder of Markdown, before it is packed")
      .example('$0 search handbook.mdcx "Who may moor at night?"', "asks for the passphrase")
      .example('$0 search handbook.mdcx "tide gauge" --in "measuring/**" --json', ""),
  handler: async (args) => {
    if (await isFolder(args.package)) {
      await searchFolder(args.package, args);
      process.exitCode = DONE;
      return;
    }
    const question = packageQuestion(args);
    await withPackage(args.package, args, async (pkg) => {
      const reply = await pkg.search(question, {
        limit: args.limit,
        mode: args.mode,
        maxPerDocument: args.maxPerDocument,
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
  return {
    query: reply.query,
    found: reply.found,
    passages: reply.passages.map(wirePassage),
    ...wireRelevance(reply),
    unknown_terms: reply.unknownTerms,
    ...(reply.hint !== undefined && { hint: reply.hint }),
  };
}
