import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";
import { formatKey } from "../../src/index.js";
import { primitives } from "../../src/node/primitives.js";

/** The compiled command; `npm test` builds before it tests. */
export const COMMAND = join(
  process.env.MDCX_TEST_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url)),
  "cli/main.js",
);
export const HARBOUR = fileURLToPath(new URL("../../examples/harbour", import.meta.url));
/** Keys of the tests: worth nothing anywhere else. */
export const KEY = formatKey(primitives, new Uint8Array(32).fill(7));
export const OTHER_KEY = formatKey(primitives, new Uint8Array(32).fill(8));

export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; empty unless given. */
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
  /** Arguments of node before the command. */
  readonly node?: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

/** The environment of a run: that of the tests without anything that speaks to mdcx or to terminals. */
export function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !/^(MDCX_|VITEST|NODE_OPTIONS|NO_COLOR|FORCE_COLOR)/.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), ...more };
}

/** Runs the command line as its users do: as a process of its own. */
export function mdcx(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...(options.node ?? []), COMMAND, ...args], {
      env: environment(options.env),
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      ...(options.uid !== undefined && { uid: options.uid }),
      ...(options.gid !== undefined && { gid: options.gid }),
    });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (part: Buffer) => stdout.push(part));
    child.stderr.on("data", (part: Buffer) => stderr.push(part));
    child.on("error", reject);
    // A command that does not want its input may close it.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
    child.on("close", (code, signal) => {
      resolve({
        code,
        signal,
        stdout: Buffer.concat(stdout).toString("utf8"),
        stderr: Buffer.concat(stderr).toString("utf8"),
      });
    });
  });
}

/** A run that must succeed. */
export async function done(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const run = await mdcx(args, options);
  expect(run, `mdcx ${args.join(" ")}`).toMatchObject({ code: 0, signal: null });
  return run;
}

/** A run that must succeed with the key of the tests in the environment. */
export function withKey(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return done(args, { ...options, env: { MDCX_KEY: KEY, ...options.env } });
}

/** A run that must succeed and print JSON. */
export async function parsed(args: readonly string[], options: RunOptions = {}): Promise<Record<string, unknown>> {
  const { stdout } = await withKey([...args, "--json"], options);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** What every refusal must be: exit 2, nothing on standard output, one sentence on standard error, no stack trace. */
export function expectSentence(run: Run, message: RegExp): void {
  expect(run.stderr).toMatch(message);
  expect(run).toMatchObject({ code: 2, signal: null, stdout: "" });
  const lines = run.stderr.split("\n").filter((line) => line !== "" && !line.startsWith("mdcx: warning: "));
  expect(lines, "one sentence").toHaveLength(1);
  expect(lines[0]).toMatch(/^mdcx: .{10,}/u);
  expect(run.stderr).not.toMatch(/^\s+at |node:internal|\bE[A-Z]{4,}\b|please report/m);
}

/** A folder for the tests of one file, gone after them. */
export async function scratchFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `mdcx-${name}-`));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
