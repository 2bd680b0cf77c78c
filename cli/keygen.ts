import { command } from "./command.js";
import { MdcxError } from "../src/errors.js";
import { DONE } from "./failure.js";
import { label } from "./layout.js";
import { json, note, say } from "./print.js";
import { requireVisible, withJson } from "./reading.js";

export const keygenCommand = command({
  command: "keygen",
  describe: "make an issuer's signing key, or a random key for a package",
  builder: (args) =>
    withJson(args)
      .option("issuer", {
        type: "string",
        requiresArg: true,
        describe: "write NAME.key (private) and NAME.pub (public)",
      })
      .option("package", {
        type: "boolean",
        default: false,
        describe: "print a random mdcx-key-… that opens a package",
      })
      .example("$0 keygen --issuer office", "writes office.key and office.pub")
      .example("$0 keygen --package > secret.txt", ""),
  handler: async (args) => {
    if ((args.issuer === undefined) === !args.package)
      throw new MdcxError(
        "bad-input",
        "Say which key: --issuer NAME for signing packages, or --package for opening one.",
      );
    requireVisible(args.issuer, "--issuer");
    const { primitives } = await import("#primitives");
    if (args.issuer !== undefined) {
      const { writeKeyPair } = await import("../src/node/key-files.js");
      const [privatePath, publicPath] = [`${args.issuer}.key`, `${args.issuer}.pub`];
      const publicKey = Buffer.from(await writeKeyPair(primitives, privatePath, publicPath)).toString("hex");
      if (args.json) json({ private_key_file: privatePath, public_key_file: publicPath, public_key: publicKey });
      else {
        say(
          label([
            ["Private key", `${privatePath}: sign with it, show it to nobody, keep a copy`],
            ["Public key", `${publicPath}: give it to your readers, by another way than the packages`],
            ["In hex", publicKey],
          ]),
        );
      }
    } else {
      const { formatKey } = await import("../src/index.js");
      const key = formatKey(primitives, primitives.randomBytes(32));
      if (args.json) json({ key });
      else say(key);
      if (process.stdout.isTTY)
        note("Keep it safe: a package whose keys and passphrases are all lost cannot be opened by anyone.");
    }
    process.exitCode = DONE;
  },
});
