import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn, run, worlds } from "./runs.js";

const world = await worlds();

const PASSWORD = "correct-horse-7f3a";

describe("a password", () => {
  it("opens its document and is seen nowhere: no file, no command line, no environment", async () => {
    const here = await world({
      "locked.txt": `locked ${PASSWORD}`,
      "other.txt": `locked ${PASSWORD}`,
      "slow.txt": "slow 500",
    });
    await writeFile(join(here.input, "passwords.txt"), `locked.txt\t${PASSWORD}\n`);
    const watched: string[] = [];
    const ended = new AbortController();
    const watching = (async () => {
      while (!ended.signal.aborted) watched.push(await processes());
    })();
    const report = join(here.root, "report.html");
    const summary = await run(here, { passwords: join(here.input, "passwords.txt"), report, workers: 2 });
    ended.abort();
    await watching;
    expect(summary.byStatus).toMatchObject({ ok: 2, refused: 1 });
    expect(summary.leftOut).toEqual([{ path: "passwords.txt", reason: "it holds passwords" }]);
    expect(watched.join("")).toContain("worker.js");
    expect(watched.join("")).not.toContain(PASSWORD);
    for (const name of await filesIn(here.root)) {
      // The fixture's documents say their password themselves.
      if (name.startsWith("input/") || name === "output/locked.txt.md") continue;
      expect(await readFile(join(here.root, name), "utf8"), name).not.toContain(PASSWORD);
    }
  });

  it("that was missing may come later: what was refused is tried again", async () => {
    const here = await world({ "locked.txt": `locked ${PASSWORD}` });
    expect((await run(here)).byStatus.refused).toBe(1);
    const passwords = join(here.root, "passwords.txt");
    await writeFile(passwords, `*\t${PASSWORD}`);
    expect(await run(here, { passwords })).toMatchObject({ byStatus: { ok: 1 }, converted: 1 });
  });
});

describe("a document that names an address", () => {
  it("reaches nothing, from no thread of the worker", async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.end();
    }).listen(0, "127.0.0.1");
    server.on("connection", () => asked++);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const here = await world({ "page.txt": `network ${port}` });
    await run(here);
    const tried = (await readFile(join(here.output, "page.txt.md"), "utf8")).split("\n").slice(5);
    expect(tried).toHaveLength(5);
    for (const answer of tried) expect(answer).toBe("rejected Error: a conversion does not use the network");
    expect(asked).toBe(0);
    server.close();
  });
});

/** Command lines and environments of all processes, as root or their owner sees them. */
async function processes(): Promise<string> {
  const seen: string[] = [];
  for (const pid of await readdir("/proc"))
    if (/^\d+$/.test(pid))
      for (const file of ["cmdline", "environ"])
        seen.push(await readFile(`/proc/${pid}/${file}`, "latin1").catch(() => ""));
  return seen.join("\n");
}
