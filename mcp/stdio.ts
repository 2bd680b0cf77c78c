import { Console } from "node:console";
import { createRequire } from "node:module";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  ErrorCode,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
} from "@modelcontextprotocol/sdk/types.js";
import type { CorpusReading } from "../src/corpus.js";
import type { ServerHooks } from "./answer.js";
import { BoundedLines } from "./bounded-lines.js";
import { createServer } from "./server.js";

// Compiled files lie in dist/mcp, sources in mcp: the package's own name finds its package.json from both.
const { version } = createRequire(import.meta.url)("mdcx/package.json") as { version: string };

/** How often to look whether the parent is still there, in milliseconds. */
const PARENT_EVERY = 250;

/**
 * How long calls that were already asked may still take once standard input has ended, in milliseconds: loading a model on
 * a busy machine takes some seconds. A client that waits for nothing waits for none of it.
 */
const LAST_ANSWERS = 10_000;

/** Bytes of a message: what the tools take is much shorter, and less than the SDK's transport holds before it gives up. */
const LONGEST_MESSAGE = 4 * 1024 * 1024;

/** Which request it was is not known, so it has no id. */
const TOO_LONG: JSONRPCErrorResponse = {
  jsonrpc: "2.0",
  error: { code: ErrorCode.InvalidRequest, message: "A message of more than 4 MiB was not read: send shorter ones." },
};

/** Why a server ended. */
export type EndReason =
  "standard input ended" | "nobody reads the answers" | "a signal" | "the parent is gone" | "the connection was closed";

/**
 * Serves a corpus on standard input and output until the client has gone: its end of standard input closed, nobody reads
 * standard output, a signal to end, or the parent process is no longer there. Servers that outlive their clients keep the
 * decrypted pages of a package in memory for nobody.
 *
 * @returns why it is over, when it is, with nothing left that holds the process; the caller closes the corpus and exits
 */
export async function serveStdio(reading: CorpusReading, hooks: ServerHooks = {}): Promise<EndReason> {
  // Standard output carries the protocol: what any library would print goes to standard error.
  globalThis.console = new Console(process.stderr, process.stderr);
  // A log that nobody reads is no reason to end, nor to fail.
  process.stderr.on("error", () => undefined);
  // Every answer waits for a client that reads slowly with a listener of its own.
  process.stdout.setMaxListeners(0);
  const input = new BoundedLines(LONGEST_MESSAGE, () => void transport.send(TOO_LONG));
  const transport = new CountingTransport(input);
  const server = createServer(reading, version, hooks);
  const gone = clientGone(transport, input);
  process.stdin.pipe(input);
  await server.connect(transport);
  const reason = await gone;
  await server.close();
  process.stdin.destroy();
  return reason;
}

/** The SDK's transport, which also knows how many requests wait for an answer. */
class CountingTransport extends StdioServerTransport {
  readonly #open = new Set<string | number>();

  /** Requests without an answer, but for those that were cancelled: they get none. */
  get open(): number {
    return this.#open.size;
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      if (isJSONRPCRequest(message)) this.#open.add(message.id);
      else if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
        this.#open.delete(message.params?.requestId as string | number);
      deliver?.(message);
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if ("id" in message && message.id !== undefined && !("method" in message)) this.#open.delete(message.id);
  }
}

function clientGone(transport: CountingTransport, input: BoundedLines): Promise<EndReason> {
  return new Promise((resolve) => {
    const parent = process.ppid;
    const timers: NodeJS.Timeout[] = [];
    const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

    const end = (reason: EndReason): void => {
      for (const timer of timers) clearInterval(timer);
      for (const signal of signals) process.off(signal, signalled);
      input.off("end", drain);
      resolve(reason);
    };
    const signalled = (): void => {
      end("a signal");
    };

    /** Requests piped in from a file end with their last line: they still get their answers. */
    const drain = (): void => {
      const deadline = Date.now() + LAST_ANSWERS;
      const look = (): void => {
        if (Date.now() >= deadline || (transport.open === 0 && process.stdout.writableLength === 0))
          end("standard input ended");
      };
      timers.push(setInterval(look, 5));
    };

    // Its last lines are read when the lines end, which is after standard input does.
    input.once("end", drain);
    process.stdin
      .once("close", () => input.end())
      .once("error", () => {
        end("standard input ended");
      });
    // Stays on: without a listener a broken pipe would end the process with a stack trace.
    process.stdout.on("error", () => {
      end("nobody reads the answers");
    });
    for (const signal of signals) process.on(signal, signalled);
    timers.push(
      setInterval(() => {
        if (!parentLives(parent)) end("the parent is gone");
      }, PARENT_EVERY),
    );
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      end("the connection was closed");
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
