import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readPasswords } from "../../../src/convert/run/passwords.js";
import { pathMatcher, planConversion } from "../../../src/convert/run/plan.js";
import { assignTargets } from "../../../src/convert/run/targets.js";

const root = await mkdtemp(join(tmpdir(), "mdcx-plan-"));
afterAll(() => rm(root, { recursive: true, force: true }));

async function folder(name: string, files: readonly string[]): Promise<string> {
  const path = join(root, name);
  await mkdir(path, { recursive: true });
  for (const file of files) {
    await mkdir(join(path, file, ".."), { recursive: true });
    await writeFile(join(path, file), file);
  }
  return path;
}

const targetsOf = (paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(assignTargets(paths.map((path) => ({ path }))).map(({ path, target }) => [path, target]));

describe("the files of an input", () => {
  it("are all taken, whatever the script of their names and however these begin", async () => {
    const names = [
      "合同/租约.pdf",
      "договор.docx",
      "عقد.pdf",
      "अनुबंध.html",
      "00_first.txt",
      "_own/x.md",
      "-rf.txt",
      "a b 'c'.csv",
      "é.txt",
      "🦊.md",
    ];
    const plan = await planConversion(await folder("names", names));
    expect(plan.sources.map(({ path }) => path)).toEqual([...names].sort());
    expect(plan.leftOut).toEqual([]);
  });

  it("that are hidden, locked by Office, or named in no UTF-8 are left out and said", async () => {
    const path = await folder("left-out", ["a.txt", ".hidden.txt", ".git/config", "~$a.docx"]);
    execFileSync("python3", ["-c", `open(${JSON.stringify(path)}.encode() + b'/caf\\xe9.txt', 'w').close()`]);
    const plan = await planConversion(path);
    expect(plan.sources.map(({ path }) => path)).toEqual(["a.txt"]);
    const reasons = Object.fromEntries(plan.leftOut.map(({ path, reason }) => [path, reason]));
    expect(reasons[".hidden.txt"]).toBe("hidden");
    expect(reasons[".git"]).toBe("hidden");
    expect(reasons["caf\uFFFD.txt"]).toMatch(/not UTF-8/);
    expect(reasons["~$a.docx"]).toMatch(/Office/);
  });

  it("are not reached through links, which are named with where they lead", async () => {
    const path = await folder("links", ["a.txt", "sub/b.txt"]);
    const outside = await folder("outside", ["secret.txt"]);
    await symlink(join(outside, "secret.txt"), join(path, "out.txt"));
    await symlink(outside, join(path, "out"));
    await symlink("../a.txt", join(path, "sub", "in.txt"));
    await symlink(".", join(path, "circle"));
    await symlink("/nowhere/at/all", join(path, "dead"));
    const plan = await planConversion(path);
    expect(plan.sources.map(({ path }) => path)).toEqual(["a.txt", "sub/b.txt"]);
    const reasons = Object.fromEntries(plan.leftOut.map(({ path, reason }) => [path, reason]));
    expect(reasons["out.txt"]).toMatch(/leads out of the input/);
    expect(reasons.out).toMatch(/leads out of the input/);
    expect(reasons["sub/in.txt"]).toBe("a link to a.txt: links are not followed");
    expect(reasons.circle).toMatch(/the input itself/);
    expect(reasons.dead).toBe("a link that leads nowhere");
    expect(JSON.stringify(plan.leftOut), "no path of the machine").not.toContain(root);
  });

  it("do not include the output, the passwords and the report of the run itself", async () => {
    const path = await folder("own", ["a.txt", "out/a.txt.md", "passwords.txt", "report.html"]);
    const plan = await planConversion(path, {
      output: join(path, "out"),
      ownFiles: [
        { file: join(path, "passwords.txt"), what: "it holds passwords" },
        { file: join(path, "report.html"), what: "the report of this run" },
      ],
    });
    expect(plan.sources.map(({ path }) => path)).toEqual(["a.txt"]);
    expect(plan.leftOut).toHaveLength(3);
  });

  it("do not include what an earlier conversion wrote about them", async () => {
    const own = ["INDEX.md", "FINDINGS.md", "_manifest.json", "_record.jsonl", "_record-2-of-3.jsonl"];
    const path = await folder("converted", [...own, "a.pdf.md", "sub/INDEX.md"]);
    const plan = await planConversion(path);
    expect(plan.sources.map(({ path }) => path)).toEqual(["a.pdf.md", "sub/INDEX.md"]);
    expect(plan.leftOut.map(({ path }) => path).sort()).toEqual([...own].sort());
    const unconverted = await planConversion(await folder("unconverted", ["INDEX.md", "FINDINGS.md"]));
    expect(unconverted.sources, "names that people use too").toHaveLength(2);
  });

  it("may be one file alone", async () => {
    const path = await folder("one", ["a.txt", "b.txt"]);
    const plan = await planConversion(join(path, "b.txt"));
    expect(plan).toMatchObject({ single: true, sources: [{ path: "b.txt", target: "b.txt.md" }] });
  });
});

describe("the names of the Markdown", () => {
  it("are those of the originals with .md, and Markdown keeps its own", () => {
    expect(targetsOf(["contracts/lease.pdf", "notes.md", "long.markdown", "README"])).toEqual({
      "contracts/lease.pdf": "contracts/lease.pdf.md",
      "notes.md": "notes.md",
      "long.markdown": "long.markdown",
      README: "README.md",
    });
  });

  it("never meet, also where a file system ignores case or normalises", () => {
    const paths = [
      "lease.pdf",
      "lease.pdf.md",
      "A.txt",
      "a.txt",
      "caf\u00e9.txt",
      "cafe\u0301.txt",
      "Straße.txt",
      "STRASSE.txt",
    ];
    const targets = Object.values(targetsOf(paths));
    const folded = targets.map((target) => target.normalize("NFC").toUpperCase());
    expect(new Set(folded).size).toBe(paths.length);
    expect(targetsOf(["lease.pdf", "lease.pdf.md"])).toEqual({
      "lease.pdf": "lease.pdf (2).md",
      "lease.pdf.md": "lease.pdf.md",
    });
    expect(targetsOf([...paths].reverse()), "in whatever order they are found").toEqual(targetsOf(paths));
  });

  it("are never those of the run's own files or of a folder", () => {
    expect(targetsOf(["INDEX.md", "findings.MD", "sub/INDEX.md"])).toEqual({
      "INDEX.md": "INDEX (2).md",
      "findings.MD": "findings (2).MD",
      "sub/INDEX.md": "sub/INDEX.md",
    });
    expect(targetsOf(["x.pdf", "x.pdf.md/deep.txt"])["x.pdf"]).toBe("x.pdf (2).md");
  });

  it("fit into a directory entry, and stay apart where they had to be cut", () => {
    const long = "漢".repeat(84);
    const targets = Object.values(targetsOf([`d/${long}1.x`, `d/${long}2.x`]));
    expect(new Set(targets).size).toBe(2);
    for (const target of targets) expect(Buffer.byteLength(target.slice(2))).toBeLessThanOrEqual(240);
  });
});

describe("--only", () => {
  it("patterns are about the name alone, or about the path where they hold a slash", () => {
    expect(["a.pdf", "sub/b.pdf", "sub/c.txt"].filter(pathMatcher("*.pdf"))).toEqual(["a.pdf", "sub/b.pdf"]);
    expect(["a.pdf", "sub/b.pdf", "sub/deep/c.pdf"].filter(pathMatcher("sub/*.pdf"))).toEqual(["sub/b.pdf"]);
    expect(["sub/b.pdf", "sub/deep/c.pdf"].filter(pathMatcher("sub/**"))).toHaveLength(2);
  });
});

describe("the file of passwords", () => {
  const file = join(root, "passwords.txt");

  it("gives the first password whose pattern matches, with all its blanks", async () => {
    await writeFile(file, "\uFEFFcontracts/**\t a\tb \r\n*.pdf\tpässwört\n\nspecial.docx\tx\n");
    const passwords = await readPasswords(file);
    expect(passwords("contracts/2024/lease.pdf")).toBe(" a\tb ");
    expect(passwords("lease.pdf")).toBe("pässwört");
    expect(passwords("sub/special.docx")).toBe("x");
    expect(passwords("other.txt")).toBeUndefined();
  });

  it("is refused by line where one has no tab, without showing the line", async () => {
    await writeFile(file, "*.pdf\tgood\nhunter2\n");
    await expect(readPasswords(file)).rejects.toThrow(/line 2: it needs a pattern, a tab and a password/);
    await expect(readPasswords(file)).rejects.not.toThrow(/hunter2/);
  });
});
