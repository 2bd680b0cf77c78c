import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { MdcxError } from "../src/errors.js";
import { KEY_PREFIX, parseSecret, type Secret } from "../src/format/secret.js";
import { ioError } from "../src/node/io-error.js";
import { unknownVariables } from "../src/node/server-environment.js";

/** The options by which a command is given secrets. */
export interface SecretArguments {
  readonly key?: string | undefined;
  readonly keyFile?: readonly string[] | undefined;
}

/** Where the secret came from, for messages; never the secret. */
interface Given {
  readonly secret: Secret;
  readonly text: string;
  readonly from: string;
}

const HOW =
  "give the passphrase or key with --key-file FILE, --key - (standard input), MDCX_KEY or MDCX_KEY_FILE, or run the command on a terminal to be asked";

async function fromFile(path: string): Promise<Given> {
  const text = decode(await readFile(path), path);
  if (text.startsWith("-----BEGIN"))
    throw new MdcxError(
      "bad-secret",
      `${path} is a key for signing, not a secret that opens a package: see mdcx keygen --package.`,
    );
  requireOneSecret(text, path);
  return { secret: parseSecret(text, { fromFile: true }), text, from: path };
}

/** A list with a secret a line counts as one here. @throws MdcxError `bad-secret` where its lines are keys */
function requireOneSecret(text: string, path: string): void {
  const lines = text.split(/\r?\n/).filter((line) => line !== "");
  if (lines.length > 1 && lines.every((line) => line.toLowerCase().startsWith(KEY_PREFIX)))
    throw new MdcxError(
      "bad-secret",
      `${path} holds ${lines.length} keys, and --key-file takes a file with one: give a file for each, or set MDCX_KEY_FILE to this one, which has a line for each package.`,
    );
  if (lines.length > 1)
    process.stderr.write(
      `mdcx: warning: ${path} has ${lines.length} lines, which are taken as one passphrase; MDCX_KEY_FILE takes a line for each package\n`,
    );
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new MdcxError(
      "bad-secret",
      `${path} is not UTF-8 text: a secret file holds one passphrase or one mdcx-key-…`,
    );
  }
}

async function fromStandardInput(): Promise<Given> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  const text = decode(Buffer.concat(parts), "standard input");
  return { secret: parseSecret(text, { fromFile: true }), text, from: "standard input" };
}

/** `MDCX_KEY_FILE` has a line for each package, in their order, or one line for all of them. */
async function fromLines(path: string, packages: number): Promise<Given[]> {
  const bytes = await readFile(path).catch((error: unknown) => {
    const { code, message } = ioError(error, "read", path);
    throw new MdcxError(code, `${message.replace(/\.$/, "")}: MDCX_KEY_FILE names it.`, { cause: error });
  });
  // Editors and people leave empty lines at the end; a passphrase is never empty.
  const lines = decode(bytes, path)
    .replace(/(?:\r?\n)+$/, "")
    .split(/\r?\n/);
  if (lines.length !== 1 && lines.length !== packages)
    throw new MdcxError(
      "bad-secret",
      `MDCX_KEY_FILE has ${lines.length} lines for ${packages === 1 ? "one package" : `${packages} packages`}: it needs one line a package, in their order${packages === 1 ? "" : ", or one for all of them"}.`,
    );
  return lines.map((line) => ({ secret: parseSecret(line), text: line, from: "MDCX_KEY_FILE" }));
}

/** Asks on the terminal without showing what is typed. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true, historySize: 0 });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("SIGINT", () => {
        reject(new MdcxError("bad-secret", "stopped: no passphrase was given"));
      });
      lines.once("close", () => {
        reject(new MdcxError("bad-secret", "stopped: no passphrase was given"));
      });
    });
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}

function warnIfVisible(value: string): void {
  if (value !== "-")
    process.stderr.write(
      "mdcx: warning: a secret given as --key VALUE can be seen in the process list; use --key-file, --key - or MDCX_KEY\n",
    );
}

/** What the options give: all of it is tried on every package. */
async function optionsGiven(args: SecretArguments): Promise<Given[]> {
  const found: Given[] = [];
  for (const file of args.keyFile ?? []) found.push(await fromFile(file));
  if (args.key !== undefined) {
    warnIfVisible(args.key);
    found.push(
      args.key === "-" ? await fromStandardInput() : { secret: parseSecret(args.key), text: args.key, from: "--key" },
    );
  }
  return found;
}

/** What the environment gives: one secret for all packages, or one each. */
async function environmentGives(packages: number): Promise<Given[]> {
  const { MDCX_KEY, MDCX_KEY_FILE = "" } = process.env;
  // Programs that start servers pass on empty variables where nobody filled them in. Alone, an empty secret is refused.
  if (MDCX_KEY !== undefined && (MDCX_KEY !== "" || MDCX_KEY_FILE === "")) {
    if (MDCX_KEY_FILE !== "")
      process.stderr.write("mdcx: warning: MDCX_KEY and MDCX_KEY_FILE are both set: MDCX_KEY is used\n");
    return [{ secret: parseSecret(MDCX_KEY), text: MDCX_KEY, from: "MDCX_KEY" }];
  }
  return MDCX_KEY_FILE === "" ? [] : await fromLines(MDCX_KEY_FILE, packages);
}

async function given(args: SecretArguments): Promise<Given[]> {
  const found = await optionsGiven(args);
  return found.length > 0 ? found : await environmentGives(1);
}

/**
 * The secrets to try on each of several packages, in their order: from the options all on each, else from the environment
 * one for all or one each, else asked for on a terminal.
 */
export async function secretsForEach(args: SecretArguments, files: readonly string[]): Promise<(readonly Secret[])[]> {
  const each = (found: readonly Given[]): (readonly Secret[])[] => files.map(() => found.map(({ secret }) => secret));
  const options = await optionsGiven(args);
  if (options.length > 0) return each(options);
  const found = await environmentGives(files.length);
  if (found.length > 1) return found.map(({ secret }) => [secret]);
  if (found.length === 1) return each(found);
  const [first = "the package", ...others] = files;
  const more = others.length;
  const secrets = [await secretToAsk(first, more === 0 ? `${first} is` : `${first} and ${more} more are`)];
  for (const file of others) {
    const text = await ask(`Passphrase or key of ${file} (Enter: the same as before): `);
    secrets.push(text === "" ? secrets.at(-1)! : parseSecret(text));
  }
  return secrets.map((secret) => [secret]);
}

/** The secrets to try on a package: from the options, else the environment, else asked for on a terminal. */
export async function secretsToOpen(args: SecretArguments, name: string): Promise<Secret[]> {
  const found = await given(args);
  if (found.length > 0) return found.map((one) => one.secret);
  return [await secretToAsk(name, `${name} is`)];
}

/** Asks for a secret where there is a terminal. @param encrypted what is, with its verb. @throws MdcxError `bad-secret` where there is none, with the variable that was meant */
async function secretToAsk(name: string, encrypted: string): Promise<Secret> {
  if (!process.stdin.isTTY)
    throw new MdcxError("bad-secret", [`${encrypted} encrypted: ${HOW}`, ...unknownVariables(process.env)].join(". "));
  return parseSecret(await ask(`Passphrase or key of ${name}: `));
}

/** The secrets given by options or environment; none where there are none. For commands that can do without. */
export async function secretsGiven(args: SecretArguments): Promise<Secret[]> {
  return (await given(args)).map((one) => one.secret);
}

/** The secrets that will open a new package. On a terminal the passphrase is asked for twice. */
export async function secretsToSeal(args: SecretArguments, name: string): Promise<Secret[]> {
  let found = await given(args);
  if (found.length === 0) {
    if (!process.stdin.isTTY) throw new MdcxError("bad-secret", `${name} will be encrypted: ${HOW}`);
    found = [await askTwice(name)];
  }
  return sealable(found);
}

/**
 * The secrets to add to a package: from their own files or asked for, never from where the secret that opens it comes
 * from, or it would be added a second time.
 */
export async function secretsToAdd(files: readonly string[], name: string): Promise<Secret[]> {
  if (files.length > 0) return sealable(await Promise.all(files.map(fromFile)));
  if (!process.stdin.isTTY)
    throw new MdcxError(
      "bad-secret",
      "Give the secret to add with --new-key-file FILE, or run the command on a terminal.",
    );
  return sealable([await askTwice(name)]);
}

async function askTwice(name: string): Promise<Given> {
  const text = await ask(`Choose a passphrase for ${name}: `);
  const secret = parseSecret(text);
  if ((await ask("Once more: ")) !== text)
    throw new MdcxError("bad-secret", "the two passphrases differ: run the command again, nothing was written");
  return { secret, text, from: "the terminal" };
}

function sealable(found: readonly Given[]): Secret[] {
  for (const one of found) if (one.secret.kind === "passphrase") warnIfWeak(one);
  return found.map((one) => one.secret);
}

/**
 * Whoever has the file can guess passphrases offline at about four a second and core. A short one, or one of few kinds of
 * character, falls; this warns of the clearest cases and promises nothing of the others.
 */
function warnIfWeak({ text, from }: Given): void {
  const passphrase = text.replace(/\r?\n$/, "").normalize("NFC");
  const characters = Array.from(passphrase);
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u].filter((kind) => kind.test(passphrase)).length;
  const weak =
    characters.length < 10 ||
    new Set(characters).size < 6 ||
    (characters.length < 16 && kinds < 2) ||
    /^(password|passphrase|passwort|contraseña|motdepasse|qwerty|letmein)\p{Nd}*$/iu.test(passphrase);
  if (weak)
    process.stderr.write(
      `mdcx: warning: the passphrase from ${from} is weak, and whoever has the file can guess at it without limit; ` +
        "use five or more random words, or the output of `mdcx keygen --package`\n",
    );
}
