import { command } from "./command.js";
import { sayDestination, withModelOption } from "./encoder.js";
import { pinsFor, withPinOptions, withSecretOptions } from "./reading.js";
import { secretsToOpen } from "./secrets.js";

export const serveCommand = command({
  command: "serve <package>",
  describe: "serve a package to an agent: MCP over standard input and output",
  builder: (args) =>
    withModelOption(withPinOptions(withSecretOptions(args)))
      .positional("package", { type: "string", demandOption: true, describe: "the package: FILE.mdcx" })
      .example("$0 serve handbook.mdcx --key-file secret.txt", ""),
  handler: async (args) => {
    const { Corpus, openPackage } = await import("../src/index.js");
    const { serveStdio } = await import("../mcp/stdio.js");
    const secret = await secretsToOpen(args, args.package);
    const pkg = await openPackage(args.package, {
      ...(await pinsFor(args.package, args)),
      secret,
      onDestination: sayDestination,
      ...(args.model !== undefined && { model: args.model }),
    });
    await serveStdio(new Corpus([pkg]));
  },
});
