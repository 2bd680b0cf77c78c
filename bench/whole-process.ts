import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What one process took, from its start to its end. */
export interface ProcessCost {
  readonly seconds: number;
  /** User and system time. */
  readonly cpuSeconds: number;
  /** Greatest resident size. */
  readonly megabytes: number;
}

/** A program and how it is started. It says at its end what it took: Node is made to, others do it themselves. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** What a process took and printed: its JSON, or its text where that is none. */
export type Finished = ProcessCost & { readonly printed: unknown };

/** A process that came to no good end, in few words that fit a table. */
export class ProcessFailed extends Error {}

/** A program of Node: `node` with what measures it. */
export function nodeCommand(
  args: readonly string[],
  { node = process.execPath, environment = {} }: { node?: string; environment?: Readonly<Record<string, string>> } = {},
): Command {
  const meter = fileURLToPath(new URL("./process-cost.js", import.meta.url));
  return { program: node, args: ["--import", meter, ...args], environment };
}

/**
 * Runs a command in a process of its own and says what it cost.
 *
 * @param minutes after which it is ended
 * @throws ProcessFailed with the reason, where it is known in short
 */
export function runMeasured({ program, args, environment }: Command, minutes = 60): Finished {
  const started = performance.now();
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    timeout: minutes * 60_000,
    killSignal: "SIGKILL",
    env: { ...process.env, ...environment },
  });
  const seconds = (performance.now() - started) / 1000;
  const cost = /^process-cost (\d+) (\d+)$/m.exec(stderr);
  if (error !== undefined && "code" in error && error.code === "ETIMEDOUT")
    throw new ProcessFailed(`not done in ${minutes} minutes`);
  if (error !== undefined) throw new ProcessFailed(error.message);
  if (status !== 0 || cost === null) throw new ProcessFailed(reasonIn(stderr, signal));
  return { seconds, cpuSeconds: Number(cost[1]) / 1e6, megabytes: Number(cost[2]) / 1000, printed: parsed(stdout) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function reasonIn(stderr: string, signal: string | null): string {
  if (stderr.includes("heap out of memory")) return "out of memory: more than the heap that Node gives";
  if (/Invalid string length|string longer than/.test(stderr))
    return "what it saves is longer than a string may be (512 MB)";
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("process-cost "));
  const said = lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? "no word of why";
  return signal === null ? said.slice(0, 200) : `ended by ${signal}`;
}
