import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../mcp/server.js";
import { Corpus } from "../../src/index.js";
import { scratchFolder } from "../cli/mdcx.js";
import { opened } from "../package/in-memory.js";
import { external, type ProgramRun } from "./external.js";
import { behindHttp, type Loopback } from "./loopback.js";
import { handbook } from "./mounted.js";
import { withSuiteExamples } from "./suite-examples.js";

const ALONE = fileURLToPath(new URL("conformance-alone.yml", import.meta.url));

/** Scenarios by how they ended, as the summary of a run has them. */
function ended({ stdout }: ProgramRun): { passed: string[]; failed: string[] } {
  const lines = [...stdout.matchAll(/^([✓✗]) ([\w-]+): [1-9]\d* passed/gmu)];
  const those = (mark: string) => lines.filter((line) => line[1] === mark).map((line) => line[2]!);
  return { passed: those("✓"), failed: those("✗") };
}

// Fetches programs of others from npm the first time.
describe.skipIf(process.env.MDCX_LONG === undefined)("the official conformance suite", { timeout: 300_000 }, () => {
  let corpus: Corpus;
  let alone: Loopback;
  let folder: string;
  beforeAll(async () => {
    folder = await scratchFolder("conformance");
    corpus = new Corpus([
      await opened(await handbook("operations", "safety"), { title: "Quay" }),
      await opened(await handbook("contracts", "archive"), { title: "Office" }),
    ]);
    alone = await behindHttp(() => createServer(corpus, "0.0.0"));
  });
  afterAll(async () => {
    await alone.close();
    await corpus.close();
  });

  it("finds in the server by itself everything that does not ask for the suite's own examples", async () => {
    const run = await external("conformance", [
      ...["server", "--url", alone.url, "--suite", "all"],
      ...["--expected-failures", ALONE, "--output-dir", folder],
    ]);
    expect(run.code, run.stdout + run.stderr).toBe(0);
    expect(ended(run).passed.sort()).toEqual([
      "dns-rebinding-protection",
      "ping",
      "resources-list",
      "server-initialize",
      "server-sse-multiple-streams",
      "tools-list",
    ]);
  });

  // Without server-sse-polling, which only recommends: it is about taking up broken HTTP streams again, and fails nobody.
  it.each([
    ["2025-06-18", 26],
    ["2025-11-25", 31],
  ])(
    "passes whole in version %s once the server also has the suite's own examples: %i scenarios",
    async (version, scenarios) => {
      const both = await behindHttp(() => withSuiteExamples(createServer(corpus, "0.0.0")));
      try {
        const run = await external("conformance", [
          ...["server", "--url", both.url, "--suite", "all", "--spec-version", version],
          ...["--output-dir", folder],
        ]);
        expect(ended(run).failed, run.stdout + run.stderr).toEqual([]);
        expect(run.code).toBe(0);
        expect(ended(run).passed).toHaveLength(scenarios);
      } finally {
        await both.close();
      }
    },
  );
});
