import { command } from "./command.js";
import { DONE } from "./failure.js";
import { bytes, counted, json, say } from "./print.js";
import { startProgress } from "./progress.js";
import { withCacheOption, withJson, withPackage, withPinOptions, withSecretOptions } from "./reading.js";

export const exportCommand = command({
  command: "export <package>",
  describe: "write every document out again, byte for byte as it was packed (what was converted, as Markdown)",
  builder: (args) =>
    withJson(withPinOptions(withCacheOption(withSecretOptions(args))))
      .positional("package", { type: "string", demandOption: true, describe: "the package: FILE.mdcx" })
      .option("target", { type: "string", demandOption: true, requiresArg: true, describe: "the folder to write to" })
      .example("$0 export handbook.mdcx --target ./handbook", "never replaces a file"),
  handler: async (args) => {
    const { exportFolder } = await import("../src/node/export-folder.js");
    await withPackage(args.package, args, async (pkg) => {
      const progress = startProgress("Exporting");
      try {
        const report = await exportFolder(pkg, args.target, (done, total) => {
          progress.say(`Exporting ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`);
        });
        progress.stop();
        if (args.json) json({ target: args.target, ...report });
        else
          say(
            `${counted(report.documents, "document")}, ${bytes(report.bytes)}, written to ${args.target}, unencrypted.`,
          );
      } finally {
        progress.stop();
      }
    });
    process.exitCode = DONE;
  },
});
