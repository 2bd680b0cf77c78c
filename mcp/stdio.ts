import { Console } from "node:console";
import { createRequire } from "node:module";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { isJSONRPCRequest, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { MdcxError } from "../src/errors.js";
import type { CorpusReading } from "../src/corpus.js";
import { createServer } from "./server.js";

// Compiled files lie in dist/mcp, sources in mcp: the package's own name finds its package.json from both.
const { version } = createRequire(import.meta.url)("mdcx/package.json") as { version: string };

/** How often to look whether the parent is still there, in milliseconds. */
const PARENT_EVERY = 250;

/** How long calls that were already asked may still take once standard input has ended, in milliseconds. */
const LAST_ANSWERS = 500;

/**
 * Serves a corpus on standard input and output until the client has gone: its end of standard input closed,
 * nobody reads standard output, a signal to end, or the parent process is no longer there. Servers that outlive their
 * clients keep the decrypted pages of a package in memory for nobody.
 *
 * Resolves when it is over, with nothing left that holds the process; the caller closes the corpus and exits.
 *
 * @throws MdcxError `bad-input` where standard input has been read to its end already, by asking it for the secret
 */
export async function serveStdio(reading: CorpusReading): Promise<void> {
  if (process.stdin.readableEnded || process.stdin.destroyed) {
    throw new MdcxError(
      "bad-input",
      "Standard input has ended, but it belongs to the client: give the secret with --key-file, MDCX_KEY or MDCX_KEY_FILE.",
    );
  }
  // Standard output carries the protocol: what any library would print goes to standard error.
  globalThis.console = new Console(process.stderr, process.stderr);
  const transport = new CountingTransport();
  const server = createServer(reading, version);
  const gone = clientGone(transport);
  await server.connect(transport);
  await gone;
  await server.close();
  process.stdin.destroy();
}

/** The SDK's transport, which also knows how many requests have no answer yet. */
class CountingTransport extends StdioServerTransport {
  readonly #open = new Set<string | number>();

  /** Requests without an answer. */
  get open(): number {
    return this.#open.size;
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      if (isJSONRPCRequest(message)) this.#open.add(message.id);
      deliver?.(message);
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if ("id" in message && message.id !== undefined && !("method" in message)) this.#open.delete(message.id);
  }
}

function clientGone(transport: CountingTransport): Promise<void> {
  return new Promise((resolve) => {
    const parent = process.ppid;
    const timers: NodeJS.Timeout[] = [];
    const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

    const end = (): void => {
      for (const timer of timers) clearInterval(timer);
      for (const signal of signals) process.off(signal, end);
      process.stdin.off("end", drain).off("close", drain);
      resolve();
    };

    /** Requests piped in from a file end with their last line: they still get their answers. */
    const drain = (): void => {
      const deadline = Date.now() + LAST_ANSWERS;
      const look = (): void => {
        if (Date.now() >= deadline || (transport.open === 0 && process.stdout.writableLength === 0)) end();
      };
      timers.push(setInterval(look, 5));
    };

    process.stdin.once("end", drain).once("close", drain).once("error", end);
    // Stays on: without a listener a broken pipe would end the process with a stack trace.
    process.stdout.on("error", end);
    for (const signal of signals) process.on(signal, end);
    timers.push(
      setInterval(() => {
        if (!parentLives(parent)) end();
      }, PARENT_EVERY),
    );
    // The SDK closes a transport whose client sends a line without end (more than 10 MB).
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      end();
    };
  });
}

/** POSIX hands an orphan to another parent; Windows keeps the number, which then belongs to nobody. */
function parentLives(parent: number): boolean {
  if (process.ppid !== parent) return false;
  try {
    process.kill(parent, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
