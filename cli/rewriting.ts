import type { Argv } from "yargs";
import type { CalibratePackageOptions, RewriteProgress } from "../src/pack-entry.js";
import { confirmDropped } from "./dropped-slots.js";
import { encoderOf } from "./encoder.js";
import { startProgress } from "./progress.js";
import { pinsFor, withJson, withPinOptions, withSecretOptions, type PinArguments } from "./reading.js";
import { secretsToOpen, type SecretArguments } from "./secrets.js";

/** Options of commands that write a package anew with what an encoder makes of it. */
export function withRewriteOptions<T>(args: Argv<T>) {
  return withJson(withPinOptions(withSecretOptions(args)))
    .positional("package", { type: "string", demandOption: true, describe: "the package: FILE.mdcx" })
    .option("model", {
      type: "string",
      requiresArg: true,
      describe: "another model than the one that ships: a hub id, a folder, the address of an embeddings server",
    })
    .option("signing-key", {
      type: "string",
      requiresArg: true,
      describe: "the issuer's private key; a signed package needs it",
    })
    .option("yes", { type: "boolean", default: false, describe: "do not ask before slots are dropped" });
}

interface RewriteArguments extends SecretArguments, PinArguments {
  readonly package: string;
  readonly model?: string | undefined;
  readonly signingKey?: string | undefined;
  readonly yes: boolean;
}

/** Opens the encoder, runs `use` with what every rewriting needs under a progress line, and closes what was opened. */
export async function withEncoderFor<T>(
  args: RewriteArguments,
  use: (options: Omit<CalibratePackageOptions, "questions">) => Promise<T>,
): Promise<T> {
  const { readSigningKey } = await import("../src/node/key-files.js");
  const pins = await pinsFor(args.package, args);
  const signingKey = args.signingKey === undefined ? undefined : await readSigningKey(args.signingKey);
  const secret = await secretsToOpen(args, args.package);
  const encoder = await encoderOf(args.model);
  const progress = startProgress("Loading the model");
  try {
    return await use({
      ...pins,
      secret,
      encoder,
      ...(signingKey && { signingKey }),
      confirmDropped: confirmDropped(args.yes, progress),
      onProgress: (at) => {
        progress.say(stageOf(at));
      },
    });
  } finally {
    progress.stop();
    await encoder.close();
  }
}

function stageOf({ stage, done, total }: RewriteProgress): string {
  const [at, of] = [done.toLocaleString("en"), total.toLocaleString("en")];
  switch (stage) {
    case "meaning":
      return `Encoding passage ${at} of ${of}`;
    case "calibrating":
      return "Asking the questions";
    case "copying":
      return `Copying document ${at} of ${of}`;
    case "sealing":
      return `Sealing: ${Math.floor((100 * done) / total)} %`;
  }
}
