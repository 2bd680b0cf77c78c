import { command } from "./command.js";
import { MdcxError } from "../src/errors.js";
import { DONE } from "./failure.js";
import { confirmDropped } from "./dropped-slots.js";
import { counted, json, note, say } from "./print.js";
import { startProgress } from "./progress.js";
import { pinsOf, requireVisible, withJson, withPinOptions, withSecretOptions } from "./reading.js";
import { secretsToAdd, secretsToOpen } from "./secrets.js";

const STILL_READS =
  "Whoever was removed and kept the file key or an old copy still reads this content, and an old envelope put back before it is valid: only --reseal ends access, to what comes after.";

export const rekeyCommand = command({
  command: "rekey <package>",
  describe: "change who may open a package",
  builder: (args) =>
    withJson(withPinOptions(withSecretOptions(args)))
      .positional("package", { type: "string", demandOption: true, describe: "the package: FILE.mdcx" })
      .option("add", {
        type: "boolean",
        default: false,
        describe: "add a passphrase or key: --new-key-file, or asked for",
      })
      .option("new-key-file", {
        type: "string",
        array: true,
        requiresArg: true,
        describe: "file with the secret to add",
      })
      .option("label", { type: "string", requiresArg: true, describe: "what to call the new slot; public" })
      .option("remove", {
        type: "number",
        array: true,
        requiresArg: true,
        describe: "number of a slot to remove, as info shows it",
      })
      .option("reseal", {
        type: "boolean",
        default: false,
        describe: "seal the image anew under a new key: drops slots whose secret is not given",
      })
      .option("signing-key", {
        type: "string",
        requiresArg: true,
        describe: "the issuer's private key; --reseal of a signed package needs it",
      })
      .option("yes", { type: "boolean", default: false, describe: "do not ask before slots are dropped" })
      .example("$0 rekey handbook.mdcx --key-file old.txt --add --new-key-file new.txt", "")
      .example("$0 rekey handbook.mdcx --key-file new.txt --remove 0", "")
      .epilogue(STILL_READS),
  handler: async (args) => {
    const { rekeyPackage, resealPackage } = await import("../src/pack-entry.js");
    const adding = args.add || args.newKeyFile !== undefined;
    if (!adding && args.remove === undefined && !args.reseal)
      throw new MdcxError("bad-input", "Say what to change: --add, --remove SLOT or --reseal.");
    if (args.reseal && args.remove !== undefined)
      throw new MdcxError("bad-input", "--reseal drops every slot whose secret is not given: leave --remove out.");
    requireVisible(args.label, "--label");
    if (args.remove?.some((slot) => !Number.isInteger(slot) || slot < 0))
      throw new MdcxError("bad-input", "--remove needs the number of a slot, as `mdcx info` shows it.");
    const pins = await pinsOf(args);
    const secret = await secretsToOpen(args, args.package);
    const added = adding ? await secretsToAdd(args.newKeyFile ?? [], "the new slot") : [];
    const change = {
      ...pins,
      secret,
      add: added.map((one) => ({ secret: one, ...(args.label !== undefined && { label: args.label }) })),
    };
    const progress = startProgress("Verifying every leaf");
    try {
      if (args.reseal) {
        const { readSigningKey } = await import("../src/node/key-files.js");
        const report = await resealPackage(args.package, {
          ...change,
          ...(args.signingKey !== undefined && { signingKey: await readSigningKey(args.signingKey) }),
          confirmDropped: confirmDropped(args.yes, progress),
        });
        progress.stop();
        if (args.json)
          json({
            revision: report.claims.revision,
            kept: report.kept.length,
            dropped: report.dropped.length,
            added: added.length,
          });
        else
          say(
            `${args.package} is sealed anew as revision ${report.claims.revision}: ${counted(report.kept.length + added.length, "slot")}, ${report.dropped.length} dropped.`,
          );
      } else {
        const report = await rekeyPackage(args.package, { ...change, ...(args.remove && { remove: args.remove }) });
        progress.stop();
        if (args.json) json({ slots: report.slots.length, removed: report.removed.length, added: added.length });
        else say(`${args.package} now has ${counted(report.slots.length, "slot")}; its contents are unchanged.`);
        if (report.removed.length > 0) note(STILL_READS);
      }
    } finally {
      progress.stop();
    }
    process.exitCode = DONE;
  },
});
