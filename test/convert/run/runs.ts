import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll } from "vitest";
import type { RunOptions } from "../../../src/convert/run/run.js";
import type { RunSummary } from "../../../src/convert/run/summary.js";

/** Where the compiled library lies: workers are processes and cannot run sources. `npm test` builds before it tests. */
export const DIST = process.env.MDCX_TEST_DIST ?? fileURLToPath(new URL("../../../dist", import.meta.url));
export const WORKER = pathToFileURL(join(DIST, "src/convert/run/worker.js"));
export const FIXTURE = new URL("./fixture-converter.mjs", import.meta.url);
const DRIVER = fileURLToPath(new URL("./run-once.mjs", import.meta.url));

/** A world of a test: an input, an output, and a folder that the fixture writes its log to. */
export interface World {
  readonly root: string;
  readonly input: string;
  readonly output: string;
  /** What was converted, in order. */
  converted(): Promise<string[]>;
  put(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
}

/** Makes worlds for the tests of one file, gone after them. Called while the file is collected: within a test it would not be heard. */
export async function worlds(): Promise<(files?: Readonly<Record<string, string | Uint8Array>>) => Promise<World>> {
  const scratch = await mkdtemp(join(tmpdir(), "mdcx-run-"));
  afterAll(() => rm(scratch, { recursive: true, force: true }));
  return (files = {}) => makeWorld(scratch, files);
}

async function makeWorld(scratch: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<World> {
  const root = await mkdtemp(join(scratch, "world-"));
  const input = join(root, "input");
  await mkdir(input);
  await mkdir(join(root, "log"));
  const put: World["put"] = async (more) => {
    for (const [path, content] of Object.entries(more)) {
      await mkdir(dirname(join(input, path)), { recursive: true });
      await writeFile(join(input, path), content);
    }
  };
  await put(files);
  const log = join(root, "log", "converted.log");
  return {
    root,
    input,
    output: join(root, "output"),
    put,
    converted: async () => (await readFile(log, "utf8").catch(() => "")).split("\n").slice(0, -1),
  };
}

/** What a run is asked, as JSON can hold it. */
export type Asked = Omit<RunOptions, "signal" | "onProgress" | "converter" | "worker">;

function start(world: World, asked: Asked) {
  const args = [DRIVER, DIST, world.input, world.output, JSON.stringify(asked)];
  return spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, TMPDIR: join(world.root, "log") },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs a conversion in a process of its own, with the fixture. */
export async function run(world: World, asked: Asked = {}): Promise<RunSummary> {
  const { stdout, stderr } = await finished(start(world, asked));
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as RunSummary;
}

/** The message of a run that must be refused. */
export async function refusal(world: World, asked: Asked = {}): Promise<string> {
  const { stdout, stderr } = await finished(start(world, asked));
  if (stdout !== "") throw new Error("it was not refused");
  return stderr;
}

/** Runs it and ends it with SIGKILL after some milliseconds. @returns whether it was still running */
export async function killedAfter(world: World, milliseconds: number, asked: Asked = {}): Promise<boolean> {
  const child = start(world, asked);
  const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds);
  const { signal } = await finished(child);
  clearTimeout(timer);
  return signal === "SIGKILL";
}

/** Runs it and ends it with SIGKILL as soon as something holds. */
export async function killedWhen(world: World, holds: () => Promise<boolean>, asked: Asked = {}): Promise<void> {
  const child = start(world, asked);
  const ended = finished(child);
  while (!(await holds()) && child.exitCode === null) await wait(5);
  child.kill("SIGKILL");
  await ended;
}

/** The same with a signal that it can hear. */
export async function signalled(world: World, milliseconds: number, asked: Asked = {}): Promise<RunSummary> {
  const child = start(world, asked);
  setTimeout(() => child.kill("SIGINT"), milliseconds);
  return JSON.parse((await finished(child)).stdout) as RunSummary;
}

function finished(
  child: ReturnType<typeof start>,
): Promise<{ stdout: string; stderr: string; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (part: Buffer) => (stdout += part.toString()));
    child.stderr.on("data", (part: Buffer) => (stderr += part.toString()));
    child.on("error", reject);
    child.on("close", (_, signal) => {
      resolve({ stdout, stderr, signal });
    });
  });
}

/** Every file below a folder, by path, with `/`. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** Processes that were started for a world: they know where its log is. */
export async function processesOf({ root }: World): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const environments = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")));
  return environments.filter((text) => text.includes(`TMPDIR=${root}/`)).length;
}
