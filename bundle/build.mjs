// `npm run mcpb`: the server with all that it needs as one .mcpb file, which desktop clients install by a double click. It holds
// mdcx as npm would install it without optional packages: no converters, and no model, whose runtime is of one platform each.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** What no server reads: sql.js brings its database in eight builds of which Node takes one, zod its sources. */
const IGNORED = `node_modules/sql.js/dist/*
!node_modules/sql.js/dist/sql-wasm.js
!node_modules/sql.js/dist/sql-wasm.wasm
node_modules/zod/src
*.d.cts
*.d.mts
`;

/** The bundle's own tool, fetched when a bundle is built and not with every checkout. */
const MCPB = "@anthropic-ai/mcpb@2.1.2";

const root = fileURLToPath(new URL("..", import.meta.url));
const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const target = resolve(process.argv[2] ?? `${name}-${version}.mcpb`);
const work = mkdtempSync(join(tmpdir(), "mdcx-bundle-"));

function npm(cwd, ...args) {
  execFileSync("npm", args, { cwd, stdio: ["ignore", "pipe", "inherit"], shell: process.platform === "win32" });
}

try {
  npm(root, "pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", work);
  const [packed] = readdirSync(work);
  const staged = join(work, "bundle");
  mkdirSync(staged);
  writeFileSync(join(staged, "package.json"), JSON.stringify({ name: `${name}-bundle`, private: true }));
  npm(
    staged,
    "install",
    "--omit=optional",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    join(work, packed),
  );

  const manifest = JSON.parse(readFileSync(new URL("manifest.json", import.meta.url), "utf8"));
  writeFileSync(join(staged, "manifest.json"), JSON.stringify({ ...manifest, version }, null, 2));
  writeFileSync(join(staged, ".mcpbignore"), IGNORED);
  // Checks the manifest against its schema first.
  npm(work, "exec", "--yes", "--loglevel=error", `--package=${MCPB}`, "--", "mcpb", "pack", staged, target);
  process.stdout.write(`${target}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
