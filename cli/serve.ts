import { MdcxError } from "../src/errors.js";
import { command } from "./command.js";
import { withModelOption } from "./encoder.js";
import { pinsOf, warnOnce, withPinOptions, withSecretOptions, type PinArguments } from "./reading.js";
import { secretsForEach } from "./secrets.js";
import type { Pinning } from "../src/node/pinning.js";
import type { ServerEnvironment } from "../src/node/server-environment.js";
import type { ServeRecords } from "./serve-records.js";

export const serveCommand = command({
  command: "serve [packages..]",
  describe: "serve packages to an agent: MCP over standard input and output",
  builder: (args) =>
    withModelOption(withPinOptions(withSecretOptions(args)))
      .positional("packages", {
        type: "string",
        array: true,
        default: [] as string[],
        describe: "the packages: FILE.mdcx…; those of MDCX_FILE where none is named",
      })
      .example("$0 serve handbook.mdcx --key-file secret.txt", "")
      .example("MDCX_KEY_FILE=secrets.txt $0 serve a.mdcx b.mdcx", "a line of secrets.txt for each"),
  handler: async (args) => {
    const started = performance.now();
    const { packagesToServe, readServerEnvironment } = await import("../src/node/server-environment.js");
    const { openRecords } = await import("./serve-records.js");
    const environment = readServerEnvironment(process.env);
    const files = packagesToServe(args.packages, environment);
    const records = await openRecords(environment);
    let closing: Promise<void> | undefined;
    try {
      // Loaded while the packages are opened in their thread.
      const loading = import("../mcp/stdio.js");
      const proxy = await opened(files, args, environment, records);
      try {
        records.started(proxy.opened, performance.now() - started);
        const { serveStdio } = await loading;
        const reason = await serveStdio(proxy, {
          onCall: (call) => {
            records.call(call);
          },
        });
        records.ended(reason);
      } finally {
        closing = proxy.close();
      }
    } finally {
      await records.close();
      if (closing !== undefined) await endWithin(LONGEST_END, closing);
    }
  },
});

/** How long the end may take, in milliseconds: a model that is being loaded takes most of a second where nothing else runs. */
const LONGEST_END = 5_000;

/**
 * Ends the process by force where the thread does not end by itself in time. Any other way out would wait for a model that
 * is being loaded too, or abort with a message that nobody understands.
 */
async function endWithin(limit: number, closing: Promise<void>): Promise<void> {
  const force = setTimeout(() => process.kill(process.pid, "SIGKILL"), limit);
  await closing;
  clearTimeout(force);
}

/** Opens all packages in the thread that reads them; what is refused stands in the audit too. */
async function opened(
  files: readonly string[],
  args: Parameters<typeof secretsForEach>[0] & PinArguments & { readonly model?: string | undefined },
  environment: ServerEnvironment,
  records: ServeRecords,
) {
  const { CorpusProxy } = await import("../src/node/corpus-proxy.js");
  const { openSource } = await import("../src/node/open-source.js");
  try {
    // A package that is missing is named before anybody is asked for a passphrase.
    await Promise.all(files.map(async (file) => (await openSource(file, { onWarning: warnOnce })).close()));
    const secrets = await secretsForEach(args, files);
    requireStandardInput();
    const start = {
      mounts: files.map((path, i) => ({ path, secrets: secrets[i]! })),
      pinning: await pinningOf(files, args, environment),
      model: args.model ?? environment.model,
      idleUnload: environment.idleUnload,
    };
    return await CorpusProxy.open(start, (event) => {
      records.event(event);
    });
  } catch (error) {
    records.refused(files, error);
    throw error;
  }
}

/** @throws MdcxError `bad-input` where standard input has been read to its end already, by asking it for the secret */
function requireStandardInput(): void {
  if (process.stdin.readableEnded || process.stdin.destroyed)
    throw new MdcxError(
      "bad-input",
      "Standard input has ended, but it belongs to the client: give the secret with --key-file, MDCX_KEY or MDCX_KEY_FILE.",
    );
}

async function pinningOf(
  files: readonly string[],
  args: PinArguments,
  { issuerKey, pinFile }: ServerEnvironment,
): Promise<Pinning> {
  if (args.packageId !== undefined && files.length > 1)
    throw new MdcxError("bad-input", "--package-id is of one package and several are served: list them in MDCX_PINS.");
  const { readPinFile } = await import("../src/node/pinning.js");
  return {
    all: await pinsOf({ ...args, issuerKey: args.issuerKey ?? issuerKey }),
    ...(pinFile !== undefined && { listed: await readPinFile(pinFile) }),
  };
}
