import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { COMMAND, environment } from "../cli/mdcx.js";

/** What a server answers. */
export interface Answer {
  readonly id: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text: string }[];
    readonly structuredContent?: Record<string, unknown>;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server process as a client sees it, with everything that it wrote. */
export class Server {
  stdout = "";
  stderr = "";
  /** Ids in the order in which they were answered. */
  readonly order: number[] = [];
  readonly process: ChildProcess;
  readonly #answers = new Map<number, (answer: Answer) => void>();
  #id = 0;

  private constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.process = spawn(process.execPath, [COMMAND, "serve", ...args], { env: environment(env) });
    this.process.stderr!.on("data", (part: Buffer) => (this.stderr += part.toString("utf8")));
    createInterface({ input: this.process.stdout! }).on("line", (line) => {
      this.stdout += `${line}\n`;
      const answer = JSON.parse(line) as Answer;
      if (typeof answer.id !== "number") return;
      this.order.push(answer.id);
      this.#answers.get(answer.id)?.(answer);
    });
  }

  /** Starts a server and waits until it listens. */
  static async start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Server> {
    const server = new Server(args, env);
    const ended = once(server.process, "exit").then(() => {
      throw new Error(`the server ended: ${server.stderr}`);
    });
    ended.catch(() => undefined);
    const clientInfo = { name: "test", version: "1" };
    await Promise.race([
      server.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }),
      ended,
    ]);
    server.notify("notifications/initialized");
    return server;
  }

  notify(method: string, params?: object): void {
    this.process.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
  }

  /** Sends a request. @returns its answer; `id` of the next request is `lastId` + 1 */
  request(method: string, params: object = {}): Promise<Answer> {
    const id = ++this.#id;
    this.process.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  get lastId(): number {
    return this.#id;
  }

  call(name: string, args: object): Promise<Answer> {
    return this.request("tools/call", { name, arguments: args });
  }

  /** Ends standard input and waits for the end of the process. @returns its exit code */
  async end(): Promise<number | null> {
    const ended = once(this.process, "close") as Promise<[number | null]>;
    this.process.stdin!.end();
    return (await ended)[0];
  }
}
