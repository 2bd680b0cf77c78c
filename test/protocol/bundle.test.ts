import { execFile } from "node:child_process";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { readServerEnvironment } from "../../src/node/server-environment.js";
import { handbook, mounted, type Mounted } from "./mounted.js";
import { Wire } from "./wire.js";

const run = promisify(execFile);
const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

interface Manifest {
  readonly version: string;
  readonly tools: readonly { readonly name: string }[];
  readonly user_config: Readonly<Record<string, { readonly required: boolean; readonly default?: string }>>;
  readonly server: {
    readonly entry_point: string;
    readonly mcp_config: {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Record<string, string>;
    };
  };
}

let packages: Mounted;
beforeAll(async () => {
  packages = await mounted({ Quay: await handbook("operations"), Office: await handbook("contracts") });
});

/** What a client makes of the manifest once the person has chosen files: arguments and environment of `node`. */
function filled(manifest: Manifest, folder: string): { args: string[]; env: Record<string, string> } {
  const chosen: Record<string, readonly string[]> = { packages: packages.files, key_file: [packages.keyFile] };
  for (const [name, { required, default: preset }] of Object.entries(manifest.user_config))
    if (!required) chosen[name] ??= [preset ?? ""];
  const values = (text: string): readonly string[] => {
    const [, name] = /^\$\{user_config\.(\w+)\}$/.exec(text) ?? [];
    return name === undefined ? [text.replaceAll("${__dirname}", folder)] : chosen[name]!;
  };
  const { args, env } = manifest.server.mcp_config;
  return {
    args: args.flatMap(values),
    env: Object.fromEntries(Object.entries(env).map(([name, text]) => [name, values(text).join()])),
  };
}

describe("the manifest of the bundle", () => {
  it("names the tools that the server has, and fills in variables that it reads from what the person chooses", async () => {
    const manifest = JSON.parse(await readFile(at("bundle/manifest.json"), "utf8")) as Manifest;
    const { args, env } = filled(manifest, "bundle");
    expect(readServerEnvironment(env).unknown).toEqual([]);
    expect(JSON.stringify([args, env])).not.toContain("${");
    expect(args[0]).toBe(`bundle/${manifest.server.entry_point}`);
    const wire = await Wire.open({ args: [packages.args[0]!, ...args.slice(1)], env: { ...packages.env, ...env } });
    const { tools } = (await wire.ask("tools/list")).result as { tools: { name: string }[] };
    expect(manifest.tools.map(({ name }) => name).sort()).toEqual(tools.map(({ name }) => name).sort());
    expect(await wire.close()).toEqual({ code: 0, signal: null });
  });
});

// Installs from npm what the bundle holds.
describe.skipIf(process.env.MDCX_LONG === undefined)("the bundle", { timeout: 300_000 }, () => {
  it("is built by one command, and what is unpacked of it serves several packages", async () => {
    const file = join(packages.folder, "mdcx.mcpb");
    await run(process.execPath, [at("bundle/build.mjs"), file]);
    expect((await stat(file)).size).toBeLessThan(8_000_000);

    const folder = join(packages.folder, "unpacked");
    for (const [path, bytes] of Object.entries(unzipSync(await readFile(file)))) {
      if (path.endsWith("/")) continue;
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
    const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
    const { version } = JSON.parse(await readFile(at("package.json"), "utf8")) as { version: string };
    expect(manifest.version).toBe(version);

    const { args, env } = filled(manifest, folder);
    const wire = await Wire.open({ args, env: { PATH: process.env.PATH ?? "", ...env } });
    const { structuredContent } = await wire.call("info", {});
    expect(structuredContent).toMatchObject({ packages: [{ title: "Office" }, { title: "Quay" }] });
    expect((await wire.call("search", { query: "crane", limit: 1 })).structuredContent).toMatchObject({
      passages: [{ package: "Quay" }],
    });
    expect(await wire.close()).toEqual({ code: 0, signal: null });
  });
});
