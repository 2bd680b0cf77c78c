import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { expectSentence, KEY, mdcx, parsed, scratchFolder, withKey } from "../cli/mdcx.js";

describe("dates and directions on the command line", async () => {
  const scratch = await scratchFolder("facts");
  const folder = join(scratch, "post");
  const target = join(scratch, "post.mdcx");
  const dates = join(folder, "dates.csv");

  beforeAll(async () => {
    const files = {
      "2024 sent mail/offer.md": "---\ndate: March 5, 2024\n---\n\nWe offer the crane for rent.\n",
      "Presentations/crane.md": "---\ndate: 31 April 2024\n---\n\nThe crane in pictures. © 2024\n",
      "in/page.html":
        '<html><head><meta name="date" content="2021-06-07"></head><body><p>The crane is taken.</p></body></html>',
      "dates.csv": "path,date\nPresentations/crane.md,03/04/2024\nin/gone.md,2020\n",
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
      await utimes(join(folder, path), new Date(), new Date("2019-02-03T12:00:00Z"));
    }
  });

  it("are packed, told of, listed and searched", async () => {
    const options = ["--dates", dates, "--date-from-mtime", "--direction", "in=received"];
    const { stdout, stderr } = await withKey(["pack", folder, "--target", target, ...options]);
    expect(stdout).toMatch(/Dated +3 of 3/);
    expect(stdout).toMatch(/Direction +1 received, 1 sent/);
    expect(stderr).toContain("3 dates not taken:");
    expect(stderr).toMatch(/crane\.md: "03\/04\/2024" may be 2024-03-04 or 2024-04-03/);
    expect(stderr).toMatch(/crane\.md: "31 April 2024" has a day that does not exist/);
    expect(stderr).toMatch(/gone\.md: "2020" stands in row 3, and there is no such document/);

    const info = await parsed(["info", target, "--documents"]);
    expect(info).toMatchObject({
      dated: { count: 3, from: "2019-02-03", to: "2024-03-05" },
      dated_from: { "front-matter": 1, mtime: 1, source: 1 },
      directions: { received: 1, sent: 1 },
    });
    const listed = await withKey(["info", target, "--documents"]);
    expect(listed.stdout).toMatch(/offer\.md.* 2024-03-05 \(front-matter\) · sent/);
    expect(listed.stdout).toMatch(/Dates from +front-matter 1, mtime 1, source 1/);

    for (const [only, paths] of [
      ["sent", ["@/2024 sent mail/offer.md"]],
      ["received", ["@/in/page.html.md"]],
    ] as const) {
      const { passages } = await parsed(["search", target, "crane", "--only", only]);
      expect((passages as { path: string }[]).map(({ path }) => path)).toEqual(paths);
    }
  });

  it("a preference that changes nothing says why in one line, and to programs", async () => {
    const { stderr } = await withKey(["search", target, "crane", "--prefer", "recent"]);
    expect(stderr).toMatch(/by words alone.*--meaning/);
    const asked = await parsed(["search", target, "crane", "--prefer", "recent"]);
    expect(asked).toMatchObject({
      prefer_applied: false,
      prefer_reason: expect.stringContaining("--meaning") as string,
    });
    expect(await parsed(["search", target, "crane"])).not.toHaveProperty("prefer_applied");
  });

  it("say which of an older package are lost where their options are not given again", async () => {
    const next = join(scratch, "next.mdcx");
    const again = ["pack", folder, "--target", next, "--reuse", target, "--dates", dates];
    const { stderr } = await withKey(again);
    expect(stderr).toMatch(
      /warning: the new package lacks 1 date by the times of files and 1 direction that .*post\.mdcx had.*: give --date-from-mtime and --direction again\./,
    );
    expect(await parsed([...again, "--date-from-mtime"])).toMatchObject({ lost_facts: { mtime: 0, direction: 1 } });
    const kept = await withKey([...again, "--date-from-mtime", "--direction", "in=received"]);
    expect(kept.stderr).not.toContain("lacks");
  });

  it("what is wrongly written is refused in one sentence", async () => {
    const env = { MDCX_KEY: KEY };
    const pack = (...more: string[]) => mdcx(["pack", folder, "--target", target, ...more], { env });
    expectSentence(await pack("--direction", "in=inbox"), /takes FOLDER=received, FOLDER=sent or FOLDER=none/);
    expectSentence(await pack("--direction", "inn=sent"), /No document lies in the folder "inn"/);
    expectSentence(await pack("--dates", join(scratch, "none.csv")), /none\.csv/);
    const records = join(scratch, "records.jsonl");
    await writeFile(records, '{"name": "a", "text": "A", "date": "2024"}\n');
    const run = await mdcx(["pack", records, "--target", join(scratch, "r.mdcx"), "--date-from-mtime"], { env });
    expectSentence(run, /--date-from-mtime goes with a folder/);
  });
});
