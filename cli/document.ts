import { whenHere } from "../src/format/not-here-yet.js";
import { command } from "./command.js";
import { DONE } from "./failure.js";
import { json, printable } from "./print.js";
import { withCacheOption, withJson, withPackage, withPinOptions, withSecretOptions } from "./reading.js";

export const documentCommand = command({
  command: "document <package> <name>",
  describe: "print one document, or a passage by its id with its neighbours",
  builder: (args) =>
    withJson(withPinOptions(withCacheOption(withSecretOptions(args))))
      .positional("package", { type: "string", demandOption: true, describe: "the package: FILE.mdcx" })
      .positional("name", { type: "string", demandOption: true, describe: "@/folder/name.md, or the id of a passage" })
      .option("before", {
        type: "number",
        default: 0,
        requiresArg: true,
        describe: "with an id: passages before it, 0 to 10",
      })
      .option("after", {
        type: "number",
        default: 0,
        requiresArg: true,
        describe: "with an id: passages after it, 0 to 10",
      })
      .example("$0 document handbook.mdcx @/safety/fire.md", ""),
  handler: async (args) => {
    await withPackage(args.package, args, async (pkg) => {
      const document = await whenHere(() => pkg.document(args.name, { before: args.before, after: args.after }));
      if (args.json) json(document);
      // A pipe gets the document as it is; a terminal must not be driven by what it says.
      else process.stdout.write(process.stdout.isTTY ? printable(document.text) : document.text);
    });
    process.exitCode = DONE;
  },
});
