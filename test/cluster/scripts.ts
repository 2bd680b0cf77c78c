import { spawn, spawnSync } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMMAND, environment, KEY, type Run } from "../cli/mdcx.js";

export const CLUSTER = fileURLToPath(new URL("../../examples/cluster", import.meta.url));
/** How many documents `collection` makes. */
export const DOCUMENTS = 24;

/** What the scripts find on a machine: `mdcx` on the path, a key file, a folder of documents that all see, and one for what is made. */
export interface Machine {
  readonly documents: string;
  readonly place: string;
  readonly tmp: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function machine(folder: string): Promise<Machine> {
  const [bin, documents, place, tmp] = ["bin", "documents", "place", "tmp"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const each of [bin, documents, place, tmp]) await mkdir(each);
  const mdcx = join(bin, "mdcx");
  await writeFile(mdcx, `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`);
  await chmod(mdcx, 0o755);
  const key = join(folder, "key.txt");
  await writeFile(key, `${KEY}\n`, { mode: 0o600 });
  for (let i = 0; i < DOCUMENTS; i++)
    await writeFile(join(documents, `berth-${i}.md`), `# Berth ${i}\n\nBerth ${i} takes boats of ${i + 6} metres.\n`);
  const path = `${bin}${delimiter}${process.env.PATH ?? ""}`;
  return { documents, place, tmp, env: environment({ PATH: path, MDCX_KEY_FILE: key, TMPDIR: tmp }) };
}

/** Runs a program to its end. */
export function ran(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = CLUSTER,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolve({ code, signal, stdout, stderr });
    });
  });
}

/** A script of the examples. */
export function script(name: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Run> {
  return ran(join(CLUSTER, name), args, env);
}

/** Whether a program is installed. */
export function installed(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
}
