import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { external, type ProgramRun } from "./external.js";
import { handbook, mounted, type Mounted } from "./mounted.js";

// Fetches programs of others from npm the first time.
describe.skipIf(process.env.MDCX_LONG === undefined)("the MCP Inspector's command line", { timeout: 300_000 }, () => {
  let packages: Mounted;
  beforeAll(async () => {
    packages = await mounted({
      Quay: await handbook("operations", "safety", "glossary"),
      Office: await handbook("contracts", "meetings", "measuring", "archive"),
    });
  });

  /** As examples/clients.md has it: the server gets nothing of the Inspector's environment. */
  function inspect(...args: string[]): Promise<ProgramRun> {
    const variable = `MDCX_KEY_FILE=${packages.keyFile}`;
    return external("inspector", ["--cli", "-e", variable, process.execPath, ...packages.args, ...args], {
      // It keeps a list of servers, and would keep it at home.
      MCP_CATALOG_PATH: join(packages.folder, "inspector.json"),
    });
  }

  async function shown<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await inspect(...args);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as T;
  }

  async function call(tool: string, ...args: string[]): Promise<Record<string, unknown>> {
    const { structuredContent } = await shown<{ structuredContent: Record<string, unknown> }>(
      ...["--method", "tools/call", "--tool-name", tool, ...args.flatMap((arg) => ["--tool-arg", arg])],
    );
    return structuredContent;
  }

  it("finds nothing in the tools that another client could not use", async () => {
    const { code, stdout, stderr } = await inspect("--method", "tools/list", "--strict");
    expect(code, stderr).toBe(0);
    const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name).sort()).toEqual(["document", "info", "search"]);
  });

  it("searches, lists and reads", async () => {
    expect(await call("search", "query=spare key of the stilling well", "limit=1")).toMatchObject({
      passages: [{ package: "Office", path: "@/measuring/calibrating-the-tide-gauge.md" }],
    });
    expect(await call("info", "documents=true")).toMatchObject({ packages: [{ title: "Office" }, { title: "Quay" }] });
    expect(await call("document", "name=@/glossary.md")).toMatchObject({ path: "@/glossary.md", page: 1 });
  });

  it("reads a document as a resource", async () => {
    const { resources } = await shown<{ resources: { uri: string; name: string }[] }>("--method", "resources/list");
    const { uri } = resources.find(({ name }) => name === "@/glossary.md")!;
    const { contents } = await shown<{ contents: { text: string }[] }>("--method", "resources/read", "--uri", uri);
    expect(contents[0]?.text).toContain("#");
  });
});
