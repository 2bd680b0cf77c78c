import { basename } from "node:path";
import { MdcxError } from "../src/errors.js";
import { command } from "./command.js";
import { withModelOption } from "./encoder.js";
import { counted, printableLine } from "./print.js";
import { pinsOf, withPinOptions, withSecretOptions, type PinArguments } from "./reading.js";
import { secretsForEach } from "./secrets.js";
import type { CorpusEvent, Opened } from "../src/node/corpus-messages.js";
import type { Pinning } from "../src/node/pinning.js";
import type { ServerEnvironment } from "../src/node/server-environment.js";
import type { Audit } from "../mcp/audit.js";
import type { Log } from "../mcp/log.js";

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
    const { readServerEnvironment } = await import("../src/node/server-environment.js");
    const environment = readServerEnvironment(process.env);
    const files = filesToServe(args.packages, environment);
    const { log, audit } = await recordsOf(environment);
    let closing: Promise<void> | undefined;
    try {
      // Loaded while the packages are opened in their thread.
      const loading = import("../mcp/stdio.js");
      const proxy = await opened(files, args, environment, { log, audit });
      try {
        log.add(startedEntry(proxy.opened, performance.now() - started));
        audit?.add({ event: "start", packages: proxy.opened.map(({ packageId }) => packageId) });
        const { serveStdio } = await loading;
        const reason = await serveStdio(proxy, {
          onCall: (call) => {
            log.call(call);
            audit?.call(call);
          },
        });
        log.add({ level: "info", event: "ended", text: `ended: ${reason}`, fields: { reason } });
        audit?.add({ event: "end", reason });
      } finally {
        closing = proxy.close();
      }
    } finally {
      await audit?.close();
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

interface Records {
  readonly log: Log;
  readonly audit: Audit | undefined;
}

function filesToServe(named: readonly string[], { files }: ServerEnvironment): readonly string[] {
  const chosen = named.length > 0 ? named : files;
  if (chosen.length === 0)
    throw new MdcxError("bad-input", "No package is named: give mdcx serve FILE.mdcx…, or set MDCX_FILE.");
  const address = chosen.find((one) => /^\s*https?:\/\//i.test(one));
  if (address !== undefined)
    throw new MdcxError("bad-input", "Packages are read from files and not from addresses yet: download it first.");
  return chosen;
}

async function recordsOf(environment: ServerEnvironment): Promise<Records> {
  const { Log } = await import("../mcp/log.js");
  const log = new Log(environment.log, environment.debug);
  for (const text of environment.unknown) log.add({ level: "warning", event: "unknown-variable", text });
  if (environment.audit === undefined) return { log, audit: undefined };
  const { Audit } = await import("../mcp/audit.js");
  const audit = await Audit.open(environment.audit, environment.auditQueries, (lines) => {
    log.add({
      level: "error",
      event: "audit-dropped",
      text: `the audit file cannot be written: ${counted(lines, "line")} lost so far`,
      fields: { lines },
    });
  });
  return { log, audit };
}

/** Opens all packages in the thread that reads them; what is refused stands in the audit too. */
async function opened(
  files: readonly string[],
  args: Parameters<typeof secretsForEach>[0] & PinArguments & { readonly model?: string | undefined },
  environment: ServerEnvironment,
  { log, audit }: Records,
) {
  const { CorpusProxy } = await import("../src/node/corpus-proxy.js");
  const { FileSource } = await import("../src/node/file-source.js");
  try {
    // A file that is missing is named before anybody is asked for a passphrase.
    for (const file of files) await FileSource.open(file).close();
    const secrets = await secretsForEach(args, files);
    requireStandardInput();
    const start = {
      mounts: files.map((path, i) => ({ path, secrets: secrets[i]! })),
      pinning: await pinningOf(files, args, environment),
      model: args.model ?? environment.model,
      idleUnload: environment.idleUnload,
    };
    return await CorpusProxy.open(start, (event) => {
      recordEvent(event, { log, audit });
    });
  } catch (error) {
    audit?.refused(
      files.map((path) => basename(path)),
      error,
    );
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

function startedEntry(packages: readonly Opened[], milliseconds: number): Parameters<Log["add"]>[0] {
  const sum = (of: (one: Opened) => number): number => packages.reduce((total, one) => total + of(one), 0);
  const [documents, passages] = [sum((one) => one.documents), sum((one) => one.passages)];
  return {
    level: "info",
    event: "started",
    text: `serving ${counted(packages.length, "package")}, ${counted(documents, "document")}, ${counted(passages, "passage")}, opened in ${Math.round(milliseconds)} ms`,
    fields: {
      packages: packages.map(({ packageId, ...rest }) => ({ package_id: packageId, ...rest })),
      milliseconds: Math.round(milliseconds),
    },
  };
}

function recordEvent(event: CorpusEvent, { log, audit }: Records): void {
  switch (event.kind) {
    case "destination":
      log.add({ level: "info", event: "destination", text: printableLine(event.what) });
      break;
    case "rested":
      log.add({ level: "info", event: "rested", text: "nobody asks: models and vectors are let go of" });
      break;
    case "replaced": {
      const { file, packageId, revision } = event;
      const fields = { file, package_id: packageId, revision };
      log.add({
        level: "info",
        event: "replaced",
        text: `${file} was replaced: revision ${revision} answers now`,
        fields,
      });
      audit?.add({ event: "open", outcome: "answered", packages: [packageId], revision });
      break;
    }
    case "kept": {
      const { file, packageId, code } = event;
      const fields = { file, package_id: packageId, code };
      log.add({
        level: "warning",
        event: "kept",
        text: `${file} was replaced or removed and cannot be opened (${code}): the one before goes on answering`,
        fields,
      });
      audit?.add({ event: "open", outcome: "refused", packages: [packageId], code });
    }
  }
}
