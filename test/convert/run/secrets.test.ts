import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn, run, world } from "./runs.js";

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
    let running = true;
    const watching = (async () => {
      while (running) watched.push(await processes());
    })();
    const report = join(here.root, "report.html");
    const summary = await run(here, { passwords: join(here.input, "passwords.txt"), report, workers: 2 });
    running = false;
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

/** Command lines and environments of all processes, as root or their owner sees them. */
async function processes(): Promise<string> {
  const seen: string[] = [];
  for (const pid of await readdir("/proc"))
    if (/^\d+$/.test(pid))
      for (const file of ["cmdline", "environ"])
        seen.push(await readFile(`/proc/${pid}/${file}`, "latin1").catch(() => ""));
  return seen.join("\n");
}
