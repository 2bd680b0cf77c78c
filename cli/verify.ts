import { command } from "./command.js";
import { MdcxError } from "../src/errors.js";
import { errorCode, DONE, NO, sentence } from "./failure.js";
import { label } from "./layout.js";
import { counted, json, say, styled } from "./print.js";
import { startProgress } from "./progress.js";
import { issuerLine, pinsFor, withJson, withPinOptions, withSecretOptions } from "./reading.js";
import { secretsGiven } from "./secrets.js";

/** Errors that are about the question and not about the package: they are wrong use, not a "no". */
const WRONG_USE = new Set([
  "bad-input",
  "bad-secret",
  "wrong-secret",
  "no-usable-slot",
  "kdf-too-costly",
  "io",
  "not-found",
  "internal",
]);

export const verifyCommand = command({
  command: "verify <package>",
  describe: "check every byte of a package; needs no key",
  builder: (args) =>
    withJson(withPinOptions(withSecretOptions(args)))
      .positional("package", { type: "string", demandOption: true, describe: "the package: FILE.mdcx" })
      .example("$0 verify handbook.mdcx", "every byte, without the key")
      .example("$0 verify handbook.mdcx --issuer-key office.pub", "and that this issuer signed it"),
  handler: async (args) => {
    const { verifyPackage } = await import("../src/index.js");
    const secret = await secretsGiven(args);
    const progress = startProgress(`Verifying ${args.package}`);
    try {
      const report = await verifyPackage(args.package, {
        ...(await pinsFor(args.package, args)),
        ...(secret.length > 0 && { secret }),
        onProgress: (done, total) => {
          progress.say(`Verifying: ${Math.floor((100 * done) / total)} %`);
        },
      });
      progress.stop();
      if (args.json)
        json({
          ok: true,
          signature: report.signature,
          sentence: report.sentence,
          leaves: report.leaves,
          opened: report.opened,
          package_id: report.head.claims.packageId,
          revision: report.head.claims.revision,
        });
      else {
        say(`${styled("green", "✓")} ${args.package} is whole: ${report.sentence}.`);
        say(
          label([
            ["Issuer", await issuerLine(report.head)],
            ["Checked", `${counted(report.leaves, "leaf", "leaves")}, every byte of the file`],
            [
              "Opened",
              report.opened
                ? `${counted(report.chunks, "chunk")} decrypted, counts agree with the image`
                : "no: with --key-file also every chunk and the image are checked",
            ],
          ]),
        );
      }
      process.exitCode = DONE;
    } catch (error) {
      progress.stop();
      if (!(error instanceof MdcxError) || WRONG_USE.has(error.code)) throw error;
      if (args.json) json({ ok: false, error: { code: errorCode(error), message: sentence(error) } });
      else say(`${styled("red", "✗")} ${sentence(error)}`);
      process.exitCode = NO;
    }
  },
});
