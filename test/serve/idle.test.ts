import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { KEY, scratchFolder, withKey } from "../cli/mdcx.js";
import { Server } from "./server.js";

const folder = await scratchFolder("idle");
const file = join(folder, "handbook.mdcx");
const QUESTION = "Who may moor at night?";

beforeAll(async () => {
  await mkdir(join(folder, "docs"));
  await writeFile(join(folder, "docs", "moorings.md"), "# Moorings\n\nBoats of members may moor at night.\n");
  await writeFile(join(folder, "docs", "crane.md"), "# Crane\n\nThe crane lifts four tonnes.\n");
  await withKey(["pack", join(folder, "docs"), "--target", file, "--meaning"]);
});

/** Memory of a process, in MB. */
function resident(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
}

async function ask(server: Server): Promise<readonly string[]> {
  const { result } = await server.call("search", { query: QUESTION });
  const passages = result!.structuredContent!.passages as { id: string; found_by: string[] }[];
  return passages.map(({ id, found_by }) => `${id} ${found_by.join("+")}`);
}

describe("a server that nobody asks for a while", () => {
  it.skipIf(process.platform !== "linux")("lets the model go and has it back for the next question", async () => {
    const server = await Server.start([file], { MDCX_KEY: KEY, MDCX_IDLE_UNLOAD_MINUTES: "0.02", MDCX_LOG: "json" });
    const { pid } = server.process;
    const rested = (): number => server.stderr.match(/"event":"rested"/g)?.length ?? 0;
    const before = await ask(server);
    expect(before[0]).toContain("meaning");
    const loaded = resident(pid!);
    await expect.poll(rested, { timeout: 30_000 }).toBe(1);
    // The session's thread ends, and with it its memory goes.
    await expect.poll(() => resident(pid!), { timeout: 10_000 }).toBeLessThan(loaded - 100);
    expect(await ask(server)).toEqual(before);
    expect(await server.end()).toBe(0);
  });

  it("ends in order while the model is being loaded", async () => {
    const server = await Server.start([file], { MDCX_KEY: KEY, MDCX_IDLE_UNLOAD_MINUTES: "0" });
    void server.call("search", { query: QUESTION });
    await new Promise((resolve) => setTimeout(resolve, 250));
    server.process.kill("SIGTERM");
    const how = await new Promise<unknown[]>((resolve) => {
      server.process.once("exit", (...ended) => {
        resolve(ended);
      });
    });
    expect(how, server.stderr).toEqual([0, null]);
  });
});
