import { createRequire } from "node:module";
import yargs, { type CommandModule } from "yargs";
import { errorCode, sentence, WRONG } from "./failure.js";
import { ioError } from "../src/node/io-error.js";
import { json, printableLine } from "./print.js";

// Compiled files lie in dist/cli, sources in cli: the package's own name finds its package.json from both.
const { version } = createRequire(import.meta.url)("mdcx/package.json") as { version: string };

/** Every command, loaded when it is asked for: the program starts twice as fast with one as with all. */
const COMMANDS: Readonly<Record<string, () => Promise<CommandModule>>> = {
  convert: async () => (await import("./convert.js")).convertCommand,
  pack: async () => (await import("./pack.js")).packCommand,
  enrich: async () => (await import("./enrich.js")).enrichCommand,
  calibrate: async () => (await import("./calibrate.js")).calibrateCommand,
  search: async () => (await import("./search.js")).searchCommand,
  eval: async () => (await import("./eval.js")).evalCommand,
  document: async () => (await import("./document.js")).documentCommand,
  info: async () => (await import("./info.js")).infoCommand,
  verify: async () => (await import("./verify.js")).verifyCommand,
  vocabulary: async () => (await import("./vocabulary.js")).vocabularyCommand,
  export: async () => (await import("./export.js")).exportCommand,
  keygen: async () => (await import("./keygen.js")).keygenCommand,
  rekey: async () => (await import("./rekey.js")).rekeyCommand,
  trust: async () => (await import("./trust.js")).trustCommand,
  model: async () => (await import("./model.js")).modelCommand,
  serve: async () => (await import("./serve.js")).serveCommand,
};

/** Runs one command line and sets the exit code. Whatever goes wrong ends as one sentence on standard error. */
export async function run(args: readonly string[]): Promise<void> {
  // A reader that goes away (`mdcx search … | head`) is no failure; a full disk is one, and never "the answer is no".
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    process.stderr.write(`mdcx: ${ioError(error, "write", "what it prints").message}\n`);
    process.exit(WRONG);
  });
  const commands = await commandsFor(args[0]);
  const parser = yargs(positional(args))
    .scriptName("mdcx")
    .usage("$0 <command>\n\nA folder of documents becomes one encrypted, signed, searchable file.")
    .command(commands)
    .demandCommand(1, "Name a command.")
    .recommendCommands()
    .strict()
    .check(refuseRepeated)
    // Messages are sentences of this program, whatever the language of the terminal.
    .locale("en")
    .updateStrings(SENTENCES)
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
    fail(error, args.includes("--json"), howTo(commands));
  }
}

/**
 * A question such as "-40 degrees?" is no option: one with a space in it never is, but for `--name=some text`, and nothing is
 * behind `--`.
 */
function positional(args: readonly string[]): string[] {
  const end = args.indexOf("--");
  const before = end < 0 ? args : args.slice(0, end);
  const behind = end < 0 ? [] : args.slice(end + 1);
  return [
    ...before.map((argument) => (/^-[^=]*\s/.test(argument) ? ` ${argument}` : argument)),
    ...behind.map((argument) => (argument.startsWith("-") ? ` ${argument}` : argument)),
  ];
}

/** The command that a line begins with, or all of them, for help and for a name that is none. */
async function commandsFor(name = ""): Promise<CommandModule[]> {
  const asked = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]!] : Object.values(COMMANDS);
  return Promise.all(asked.map((load) => load()));
}

/** What to do after wrong use: the words of the command that was meant, where one was. */
function howTo(commands: readonly CommandModule[]): string {
  const [only] = commands;
  if (only === undefined || commands.length > 1) return "`mdcx --help` shows how.";
  const line = String(only.command);
  const quoted = line.includes("<question>") ? ", the question in quotation marks" : "";
  return `The command is \`mdcx ${line}\`${quoted}; \`mdcx ${line.split(" ")[0]!} --help\` shows how.`;
}

/** What yargs finds wrong, in words for people. Its types know no plurals, its code does. */
const SENTENCES = {
  "Not enough non-option arguments: got %s, need at least %s": plural("%s of %s arguments are given."),
  "Missing required argument: %s": plural("The option --%s is missing.", "These options are missing: %s."),
  "Unknown argument: %s": plural("There is no option or argument %s.", "There are no options or arguments %s."),
  "Unknown command: %s": plural("There is no command %s.", "There are no commands %s."),
  "Not enough arguments following: %s": "The option --%s needs a value.",
  // The sentence behind it says it all; an empty one would count as not given.
  "Invalid values:": " ",
  "Argument: %s, Given: %s, Choices: %s": "--%s cannot be %s, but one of these: %s.",
} as Record<string, string>;

function plural(one: string, other = one): string {
  return { one, other } as unknown as string;
}

/** An option that takes one value and is given twice would arrive as a list: which of the two is meant, nobody knows. */
function refuseRepeated(args: Record<string, unknown>, options: unknown): true {
  const { array } = options as { readonly array: readonly string[] };
  for (const [name, value] of Object.entries(args))
    // Each option with a dash comes a second time in camel case.
    if (Array.isArray(value) && /^[a-z-]+$/.test(name) && !array.includes(name))
      throw new UsageError(`--${name} is given ${value.length} times and takes one value.`);
  return true;
}

/** A command line that asks for something that no command does. */
class UsageError extends Error {}

function fail(error: unknown, asJson: boolean, usageHint: string): void {
  // yargs throws a YError where an option lacks its value.
  const usage = error instanceof UsageError || (error instanceof Error && error.name === "YError");
  // It gives each wrong value a line of its own.
  const message = usage ? `${error.message.trim().replace(/\s*\n\s*/g, " ")} ${usageHint}` : sentence(error);
  // Names of files and documents stand in messages, and must not drive the terminal.
  process.stderr.write(`mdcx: ${printableLine(message)}\n`);
  if (asJson) json({ error: { code: usage ? "usage" : errorCode(error), message } });
  if (process.env.MDCX_DEBUG === "1" && error instanceof Error) process.stderr.write(`${error.stack ?? ""}\n`);
  process.exitCode = WRONG;
}
