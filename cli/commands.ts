import { createRequire } from "node:module";
import yargs from "yargs";
import { errorCode, sentence, WRONG } from "./failure.js";
import { documentCommand } from "./document.js";
import { exportCommand } from "./export.js";
import { infoCommand } from "./info.js";
import { keygenCommand } from "./keygen.js";
import { packCommand } from "./pack.js";
import { rekeyCommand } from "./rekey.js";
import { searchCommand } from "./search.js";
import { serveCommand } from "./serve.js";
import { trustCommand } from "./trust.js";
import { verifyCommand } from "./verify.js";

// Compiled files lie in dist/cli, sources in cli: the package's own name finds its package.json from both.
const { version } = createRequire(import.meta.url)("mdcx/package.json") as { version: string };

/** Runs one command line and sets the exit code. Whatever goes wrong ends as one sentence on standard error. */
export async function run(args: readonly string[]): Promise<void> {
  // A reader that goes away (`mdcx search … | head`) is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    throw error;
  });
  const parser = yargs([...args])
    .scriptName("mdcx")
    .usage("$0 <command>\n\nA folder of documents becomes one encrypted, signed, searchable file.")
    .command(packCommand)
    .command(searchCommand)
    .command(documentCommand)
    .command(infoCommand)
    .command(verifyCommand)
    .command(exportCommand)
    .command(keygenCommand)
    .command(rekeyCommand)
    .command(trustCommand)
    .command(serveCommand)
    .demandCommand(1, "Name a command; `mdcx --help` lists them.")
    .recommendCommands()
    .strict()
    .version(version)
    .help()
    .parserConfiguration({
      "camel-case-expansion": true,
      "duplicate-arguments-array": true,
      // `--key-file FILE ./folder`: one value an option, or the folder would be taken for a second file.
      "greedy-arrays": false,
      "parse-positional-numbers": false,
    })
    .wrap(Math.min(100, process.stdout.columns || 80))
    .fail((message: string | null, error: Error | undefined) => {
      throw error ?? new UsageError(message ?? "wrong use");
    });
  try {
    await parser.parseAsync();
  } catch (error) {
    fail(error, args.includes("--json"));
  }
}

/** A command line that asks for something that no command does. */
class UsageError extends Error {}

function fail(error: unknown, asJson: boolean): void {
  const usage = error instanceof UsageError;
  const message = usage ? `${error.message} \`mdcx --help\` shows how.` : sentence(error);
  process.stderr.write(`mdcx: ${message}\n`);
  if (asJson)
    process.stdout.write(JSON.stringify({ error: { code: usage ? "usage" : errorCode(error), message } }) + "\n");
  if (process.env.MDCX_DEBUG === "1" && error instanceof Error) process.stderr.write(`${error.stack ?? ""}\n`);
  process.exitCode = WRONG;
}
