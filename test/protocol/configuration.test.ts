import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readServerEnvironment } from "../../src/node/server-environment.js";
import { handbook, mounted, type Mounted } from "./mounted.js";
import { Wire } from "./wire.js";

const read = (path: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
const pkg = JSON.parse(await read("package.json")) as { version: string; name: string; mcpName: string };

let packages: Mounted;
beforeAll(async () => {
  packages = await mounted({ Quay: await handbook("operations"), Office: await handbook("contracts") });
});

/** How a client starts a server, as configurations have it. */
const serverSchema = z.strictObject({
  type: z.literal("stdio").optional(),
  command: z.literal("mdcx"),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()).optional(),
});
type Server = z.infer<typeof serverSchema>;

const started = new Set<string>();

/** Starts a server as configured, its placeholders filled in as the client or the person would, and asks it something. */
async function starts({ args, env = {} }: Server): Promise<void> {
  // A variable that is none stops nothing, so it is looked for here.
  expect(readServerEnvironment(env).unknown).toEqual([]);
  const [file, other] = packages.files as [string, string];
  const fill = (text: string): string =>
    text
      .replace(/^(\/path\/to|\$\{workspaceFolder\})\/harbour\.mdcx$/, file)
      .replace(/^\/path\/to\/other\.mdcx$/, other)
      .replace(
        /^(\/path\/to|\$\{userHome\})\/secrets?\.txt$/,
        args.includes("/path/to/other.mdcx") ? packages.keyFile : packages.oneKeyFile,
      );
  const filled = { args: args.map(fill), env: Object.fromEntries(Object.entries(env).map(([k, v]) => [k, fill(v)])) };
  expect(JSON.stringify(filled)).not.toMatch(/\/path\/to|\$\{/);
  expect(JSON.stringify([args, env]), "no key in a configuration").not.toMatch(/mdcx-key-|"MDCX_KEY"|"--key"/);
  // What differs in nothing but the client is started once.
  const shape = JSON.stringify(filled);
  if (started.has(shape)) return;
  started.add(shape);
  const wire = await Wire.open({
    args: [packages.args[0]!, ...filled.args],
    env: { ...packages.env, MDCX_KEY_FILE: "", ...filled.env },
  });
  expect((await wire.call("search", { query: "crane", limit: 1 })).isError ?? false).toBe(false);
  expect(await wire.close()).toEqual({ code: 0, signal: null });
}

describe("the configurations for clients", () => {
  it.each(["examples/clients.md", "README.md"])("of %s start a server that answers, and hold no key", async (page) => {
    const blocks = [...(await read(page)).matchAll(/^```json\n([^]*?)^```$/gm)].map(
      ([, block]) => JSON.parse(block!) as Record<string, unknown>,
    );
    const servers = blocks
      .flatMap(({ mcpServers, servers }) => Object.values((mcpServers ?? servers ?? {}) as Record<string, unknown>))
      .map((one) => serverSchema.parse(one));
    expect(servers.length).toBeGreaterThan(0);
    for (const one of servers) await starts(one);
  });

  it("on the command line do, too", async () => {
    const page = await read("examples/clients.md");
    const lines = [...page.matchAll(/^(?:claude mcp add|npx @modelcontextprotocol\/inspector) .*$/gm)];
    expect(lines).toHaveLength(3);
    for (const [line] of lines) {
      const [, variable, value] = /(?:--env|-e) (MDCX_\w+)=(\S+)/.exec(line) ?? [];
      const [, command] = /mdcx (serve (?:\/\S+\.mdcx ?)+)/.exec(line) ?? [];
      expect([variable, value, command], line).not.toContain(undefined);
      await starts({ command: "mdcx", args: command!.trim().split(" "), env: { [variable!]: value! } });
    }
  });
});

describe("server.json", () => {
  const input = {
    description: z.string().min(1),
    format: z.enum(["string", "number", "boolean", "filepath"]).optional(),
    placeholder: z.string().optional(),
    isRequired: z.boolean().optional(),
  };
  // The rules of the registry's schema of 2025-12-11 for what stands there, and no member that it does not know.
  const schema = z.strictObject({
    $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
    name: z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    title: z.string().min(1).max(100),
    description: z.string().min(1).max(100),
    version: z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
    packages: z.tuple([
      z.strictObject({
        registryType: z.literal("npm"),
        identifier: z.string(),
        version: z.string(),
        runtimeHint: z.literal("npx"),
        transport: z.strictObject({ type: z.literal("stdio") }),
        packageArguments: z.array(
          z.union([
            z.strictObject({ type: z.literal("positional"), value: z.string() }),
            z.strictObject({ type: z.literal("positional"), valueHint: z.string(), isRepeated: z.boolean(), ...input }),
          ]),
        ),
        environmentVariables: z.array(
          z.strictObject({
            name: z.string(),
            choices: z.array(z.string()).optional(),
            default: z.string().optional(),
            ...input,
          }),
        ),
      }),
    ]),
  });

  it("keeps the rules of the registry, and says of the package what package.json does", async () => {
    const { name, version, packages: listed } = schema.parse(JSON.parse(await read("server.json")));
    expect({ name, version }).toEqual({ name: pkg.mcpName, version: pkg.version });
    expect(listed[0]).toMatchObject({ identifier: pkg.name, version: pkg.version });
  });

  it("names only variables that the server reads, with values that it takes, and starts it", async () => {
    const [{ packageArguments, environmentVariables }] = schema.parse(JSON.parse(await read("server.json"))).packages;
    for (const { name, choices, default: preset } of environmentVariables)
      for (const value of [...(choices ?? []), preset ?? ""])
        expect(readServerEnvironment({ [name]: value }).unknown, name).toEqual([]);
    await starts({
      command: "mdcx",
      args: packageArguments.map((one) => ("value" in one ? one.value : "/path/to/harbour.mdcx")),
      env: Object.fromEntries(
        environmentVariables.flatMap((one) =>
          one.name === "MDCX_KEY_FILE"
            ? [[one.name, "/path/to/secret.txt"]]
            : one.default === undefined
              ? []
              : [[one.name, one.default]],
        ),
      ),
    });
  });
});
