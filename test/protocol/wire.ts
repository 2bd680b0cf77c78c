import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Mounted } from "./mounted.js";

/** A message as it came; what it should look like is for the test to say. */
export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A tool's result as it came. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "wire", version: "1" },
};

/** A server process, spoken to byte by byte: a client that may send what no client of good faith would. */
export class Wire {
  /** Everything that came, in order. */
  readonly messages: Message[] = [];
  /** Lines of standard output that are no JSON. */
  readonly unreadable: string[] = [];
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  stderr = "";
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<unknown, { resolve: (message: Message) => void; reject: (error: Error) => void }>();
  #last = 0;

  /** @param command that runs the arguments; the Node of the tests unless given */
  constructor({ args, env }: Pick<Mounted, "args" | "env">, command = process.execPath) {
    this.#child = spawn(command, args, { env: { ...env } });
    this.#child.stderr.on("data", (chunk: Buffer) => (this.stderr += chunk.toString()));
    // A server that has ended reads no more: the tests look at how it ended.
    this.#child.stdin.on("error", () => undefined);
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      this.#received(line);
    });
    this.ended = once(this.#child, "close").then(([code, signal]) => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the server ended before it answered"));
      return { code: code as number | null, signal: signal as NodeJS.Signals | null };
    });
  }

  /** Starts a server and shakes hands with it. */
  static async open(mounted: Pick<Mounted, "args" | "env">): Promise<Wire> {
    const wire = new Wire(mounted);
    await wire.initialize();
    return wire;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get stdout(): ChildProcessWithoutNullStreams["stdout"] {
    return this.#child.stdout;
  }

  async initialize(): Promise<Message> {
    const reply = await this.ask("initialize", INITIALIZE);
    this.message({ jsonrpc: "2.0", method: "notifications/initialized" });
    return reply;
  }

  /** Sends bytes as they are. Resolves when they are written, which waits for a server that reads slowly. */
  bytes(raw: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#child.stdin.write(raw, () => {
        resolve();
      });
    });
  }

  message(message: unknown): void {
    void this.bytes(`${JSON.stringify(message)}\n`);
  }

  /** Sends a request under a new id, and waits for what answers it. */
  ask(method: string, params?: unknown): Promise<Message> {
    const id = `ask ${++this.#last}`;
    const answer = this.answerTo(id);
    this.message({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) });
    return answer;
  }

  /** The next answer to an id. */
  answerTo(id: unknown): Promise<Message> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  async call(name: string, args: unknown): Promise<ToolResult> {
    const { result, error } = await this.ask("tools/call", { name, arguments: args });
    if (result === undefined) throw new Error(error?.message);
    return result as unknown as ToolResult;
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends the server as a client does, and says how it ended. */
  close(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }> {
    this.endInput();
    return this.ended;
  }

  #received(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      this.unreadable.push(line);
      return;
    }
    this.messages.push(message);
    if (message.method !== undefined) return;
    this.#waiting.get(message.id)?.resolve(message);
    this.#waiting.delete(message.id);
  }
}
