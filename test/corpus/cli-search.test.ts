import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { done, expectSentence, KEY, mdcx, OTHER_KEY, parsed, scratchFolder, withKey } from "../cli/mdcx.js";

const scratch = await scratchFolder("several");
const at = (name: string): string => join(scratch, name);
const [harbour, office] = [at("harbour.mdcx"), at("office.mdcx")];

const NUMBERS = ["nought", "one", "two", "three", "four"];
const LONG = NUMBERS.map(
  (number) => `## Part ${number}\n\n${`Section ${number} is about mooring ${number}. `.repeat(20)}\n`,
).join("\n");

beforeAll(async () => {
  for (const [path, text] of Object.entries({
    "harbour/sent/reply.md": "---\ndate: 2024-05-01\n---\nWe confirm the mooring of the tug.\n",
    "harbour/received/request.md": "---\ndate: 2024-04-01\n---\nWe ask for a mooring for the tug.\n",
    "harbour/long.md": `---\ntitle: Long\n---\n${LONG}`,
    "office/same.md": "The tug pays for its mooring in advance.\n",
    "office/received/bill.md": "A bill for the mooring of the barge.\n",
  })) {
    await mkdir(join(scratch, path, ".."), { recursive: true });
    await writeFile(at(path), text);
  }
  await Promise.all([
    withKey(["pack", at("harbour"), "--target", harbour]),
    done(["pack", at("office"), "--target", office, "--title", "Office"], { env: { MDCX_KEY: OTHER_KEY } }),
  ]);
  await writeFile(at("keys.txt"), `${KEY}\n${OTHER_KEY}\n`);
  await writeFile(at("a.txt"), KEY);
  await writeFile(at("b.txt"), OTHER_KEY);
});

const both = { env: { MDCX_KEY_FILE: at("keys.txt") } };
type Passage = Readonly<Record<"package" | "path" | "text" | "before" | "after", string>>;

async function passages(args: readonly string[]): Promise<Passage[]> {
  const { stdout } = await done(["search", harbour, office, ...args, "--json"], both);
  return (JSON.parse(stdout) as { passages: Passage[] }).passages;
}

describe("mdcx search of several packages", () => {
  it("answers as one list that names the package of each passage, to programs and to people", async () => {
    const found = await passages(["mooring of the tug", "--limit", "20"]);
    expect(new Set(found.map((hit) => hit.package))).toEqual(new Set(["harbour.mdcx", "Office"]));
    const { stdout } = await done(["search", harbour, office, "mooring of the tug"], both);
    expect(stdout).toMatch(/@\/same\.md · line 1 · Office/);
    expect(stdout).toMatch(/@\/sent\/reply\.md · line 1 · 2024-05-01 · sent · harbour\.mdcx/);
  });

  it("has the same answer in whatever order the packages are named", async () => {
    const [one, other] = await Promise.all(
      [
        [harbour, office],
        [office, harbour],
      ].map((files) =>
        done([
          "search",
          ...files,
          "mooring of the tug",
          "--json",
          "--key-file",
          at("a.txt"),
          "--key-file",
          at("b.txt"),
        ]),
      ),
    );
    expect(other!.stdout).toBe(one!.stdout);
  });

  it("narrows to what was sent or received, in all of them", async () => {
    expect((await passages(["mooring", "--only", "received"])).map(({ path }) => path).sort()).toEqual([
      "@/received/bill.md",
      "@/received/request.md",
    ]);
    expect((await passages(["mooring", "--only", "sent"])).map(({ path }) => path)).toEqual(["@/sent/reply.md"]);
  });

  it("says in a line why what is recent could not be preferred, and changes nothing", async () => {
    const { stdout, stderr } = await done(
      ["search", harbour, office, "mooring of the tug", "--prefer", "recent"],
      both,
    );
    expect(stderr).toMatch(/^mdcx: recent ones are not preferred: .*--meaning/m);
    expect(stdout).toBe((await done(["search", harbour, office, "mooring of the tug"], both)).stdout);
  });

  it("names the words that a package has never seen beside that package", async () => {
    const { stderr } = await done(["search", harbour, office, "tug barge xylophone"], both);
    expect(stderr).toMatch(/^Not in harbour\.mdcx: barge, xylophone$/m);
    expect(stderr).toMatch(/^Not in Office: xylophone$/m);
  });

  it("shows the passages around each where --context asks for them, clamped at the ends", async () => {
    const args = ["mooring three", "--in", "long.md", "--limit", "1", "--context", "1"];
    const [hit] = await passages(args);
    expect(hit!.text).toContain("Part three");
    expect(hit!.before).toContain("Part two");
    expect(hit!.before).not.toContain("Part one");
    expect(hit!.after).toContain("Part four");
    expect(LONG).toContain(hit!.before + hit!.text + hit!.after);
    const { stdout } = await done(["search", harbour, office, ...args], both);
    expect(stdout).toMatch(/^ {2}┆ ## Part two$[^]*^ {4}## Part three$[^]*^ {2}┆ ## Part four$/m);
    const [first] = await passages(["tug pays", "--in", "same.md", "--context", "10"]);
    expect(first).toMatchObject({ path: "@/same.md" });
    expect(Object.keys(first!)).not.toContain("before");
    expect(Object.keys(first!)).not.toContain("after");
  });

  it("of one package is as it was", async () => {
    const reply = await parsed(["search", harbour, "mooring of the tug"]);
    expect(Object.keys(reply).sort()).toEqual(["found", "passages", "query", "unknown_terms"]);
    const { stdout } = await withKey(["search", harbour, "mooring of the tug"]);
    expect(stdout).not.toContain("harbour.mdcx");
  });

  it("refuses in a sentence what it cannot do", async () => {
    const key = ["--key-file", at("a.txt")];
    const refused: readonly (readonly [readonly string[], RegExp])[] = [
      [[harbour, office], /The last argument is the question, and .*office\.mdcx is a package/],
      [[harbour, "mooring", "of", "tugs"], /There is no package mooring.*quotation marks/],
      [[at("harbour"), office, "tug"], /harbour is a folder, which is searched alone/],
      [["http://127.0.0.1:1/a.mdcx", office, "tug"], /a\.mdcx: the server cannot be reached/],
      [[harbour, harbour, "tug", ...key], /harbour\.mdcx is given twice/],
      [[harbour, office, "tug", "--context", "11"], /--context needs a whole number from 0 to 10/],
      [[harbour, office, "tug", "--package-id", "0".repeat(32)], /--package-id is of one package/],
      [[harbour, office, office, "tug"], /MDCX_KEY_FILE has 2 lines for 3 packages/],
    ];
    const runs = await Promise.all(refused.map(([args]) => mdcx(["search", ...args], both)));
    for (const [i, run] of runs.entries()) expectSentence(run, refused[i]![1]);
  });

  it("names the one of several that the key does not open", async () => {
    const run = await mdcx(["search", harbour, office, "tug"], { env: { MDCX_KEY: KEY } });
    expectSentence(run, /office\.mdcx/);
    expect(run.stderr).not.toContain(KEY);
  });
});
