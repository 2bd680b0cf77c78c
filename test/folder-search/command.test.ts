import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { done, HARBOUR, KEY, mdcx } from "../cli/mdcx.js";

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "mdcx-folder-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

interface Findings {
  readonly query: string;
  readonly found: number;
  readonly documents: readonly {
    readonly rank: number;
    readonly path: string;
    readonly document: string;
    readonly passages: readonly { readonly line: number; readonly text: string }[];
  }[];
}

describe("mdcx search FOLDER", () => {
  it("quotes document and path before any package exists, and needs no key", async () => {
    const { stdout, stderr } = await done(["search", HARBOUR, "who inspects the quay crane", "--limit", "2"]);
    expect(stdout).toMatch(/^ 1 {2}@\/operations\/quay-crane\.md · line \d+/);
    expect(stderr).toMatch(/Searched \d+ documents \(\d+ passages\) by words alone/);
  });

  it("asks every line of --phrases FILE, and prints the findings with --json", async () => {
    const phrases = join(scratch, "phrases.txt");
    await writeFile(phrases, "quay crane\n\nnobody says this here\r\n");
    const { stdout } = await done(["search", HARBOUR, "--phrases", phrases, "--literal", "--json"]);
    const { questions, searched } = JSON.parse(stdout) as { questions: Findings[]; searched: { documents: number } };
    expect(questions.map(({ query }) => query)).toEqual(["quay crane", "nobody says this here"]);
    expect(questions[0]!.documents.length).toBeGreaterThan(0);
    for (const { passages } of questions[0]!.documents) expect(passages[0]!.text).toMatch(/quay\s+crane/i);
    expect(questions[1]).toMatchObject({ found: 0, documents: [] });
    expect(searched.documents).toBeGreaterThan(20);
  });

  it.each([
    [["search", HARBOUR], /Give a question, or --phrases FILE/],
    [["search", HARBOUR, "crane", "--mode", "meaning"], /A folder is searched by its words/],
    [["search", HARBOUR, "crane", "--only", "sent"], /--only is for packages/],
    [["search", HARBOUR, "?!"], /no word in it/],
    [["search", HARBOUR, "--phrases", "/no/such/file"], /does not exist/],
  ])("refuses wrong use in one sentence (%#)", async (args, sentence) => {
    const { code, stderr, stdout } = await mdcx(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("mdcx pack --reuse OLD --without PATH, and mdcx info --against FOLDER", () => {
  it("write a package without a document, say that the old file still holds it, and what differs from the folder", async () => {
    const [folder, old, target] = ["harbour", "old.mdcx", "new.mdcx"].map((name) => join(scratch, name)) as [
      string,
      string,
      string,
    ];
    await cp(HARBOUR, folder, { recursive: true });
    const env = { MDCX_KEY: KEY };
    await done(["pack", folder, "--target", old], { env });
    const packed = await done(["pack", "--reuse", old, "--without", "glossary.md", "--target", target], { env });
    expect(packed.stderr).toMatch(/@\/glossary\.md left out\. .*old\.mdcx still holds it/);
    await writeFile(join(folder, "more.md"), "# More\n");
    const info = await done(["info", target, "--against", folder], { env });
    expect(info.stdout).toMatch(/2 added, 0 changed, 0 gone/);
    expect(info.stdout).toMatch(/added\s+@\/glossary\.md\n\s+added\s+@\/more\.md/);
  });

  it("refuse --without alone, and a run that names neither folder nor what is left out", async () => {
    const env = { MDCX_KEY: KEY };
    const target = join(scratch, "none.mdcx");
    expect((await mdcx(["pack", HARBOUR, "--without", "glossary.md", "--target", target], { env })).stderr).toMatch(
      /--without goes with --reuse/,
    );
    expect((await mdcx(["pack", "--target", target], { env })).stderr).toMatch(/Name the folder to pack/);
  });
});
