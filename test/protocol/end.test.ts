import { readdir } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { handbook, mounted, type Mounted } from "./mounted.js";
import { Wire } from "./wire.js";

let packages: Mounted;
let folder: string[];

beforeAll(async () => {
  packages = await mounted({
    Quay: await handbook("operations", "safety", "glossary"),
    Office: await handbook("contracts", "meetings", "measuring", "archive"),
  });
  folder = await readdir(packages.folder);
});

/** Sends calls and waits for none of them; there is always one under way. */
async function busy(wire: Wire, calls: number): Promise<void> {
  await wire.ask("ping");
  const lines = Array.from({ length: calls }, (_, i) =>
    JSON.stringify({
      jsonrpc: "2.0",
      id: `busy ${i}`,
      method: "tools/call",
      params: { name: "search", arguments: { query: `crane ${i}`, limit: 50, token_budget: 20_000 } },
    }),
  );
  await wire.bytes(`${lines.join("\n")}\n`);
}

/** What must hold however a server ended: at once, cleanly, with nothing left behind. */
async function leavesNothing(wire: Wire): Promise<void> {
  const started = Date.now();
  expect(await wire.ended).toEqual({ code: 0, signal: null });
  expect(Date.now() - started).toBeLessThan(5000);
  expect(wire.stderr).not.toMatch(/^\s+at |Warning|Error|node:internal/m);
  expect(await readdir(packages.folder)).toEqual(folder);
}

describe("a server with hundreds of calls under way ends at once when", () => {
  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("it gets %s", async (signal) => {
    const wire = await Wire.open(packages);
    await busy(wire, 500);
    wire.kill(signal);
    await leavesNothing(wire);
  });

  it("nobody reads its answers any more", async () => {
    const wire = await Wire.open(packages);
    wire.stdout.destroy();
    await busy(wire, 500).catch(() => undefined);
    await leavesNothing(wire);
  });
});

describe("a client that does not read for a while", () => {
  it("gets every answer once it does, and no complaint", async () => {
    const wire = await Wire.open(packages);
    wire.stdout.pause();
    const last = wire.answerTo("busy 199");
    const sent = busy(wire, 200);
    await new Promise((resolve) => setTimeout(resolve, 500));
    wire.stdout.resume();
    await Promise.all([sent, last]);
    const answered = new Set(wire.messages.map(({ id }) => id).filter((id) => String(id).startsWith("busy")));
    expect(answered.size).toBe(200);
    wire.endInput();
    await leavesNothing(wire);
  });
});

describe("messages piped in from a file", () => {
  it("all get their answers, though standard input has ended before the first", async () => {
    const wire = new Wire(packages);
    const last = wire.answerTo("busy 49");
    const begun = wire.initialize();
    await busyAfter(wire, 50);
    wire.endInput();
    await Promise.all([begun, last]);
    await leavesNothing(wire);
    expect(wire.messages.filter(({ id }) => String(id).startsWith("busy"))).toHaveLength(50);
  });

  /** The same, without waiting for the server to be there. */
  async function busyAfter(wire: Wire, calls: number): Promise<void> {
    for (let i = 0; i < calls; i++)
      wire.message({
        jsonrpc: "2.0",
        id: `busy ${i}`,
        method: "tools/call",
        params: { name: "search", arguments: { query: "crane" } },
      });
    await Promise.resolve();
  }
});
