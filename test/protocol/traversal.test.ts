import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mounted, type Mounted } from "./mounted.js";
import { Wire } from "./wire.js";

/** In files beside the packages and above them; in no package. */
const CANARY = "canary-7f3a-never-to-be-told";

let packages: Mounted;
let wire: Wire;
let ids: string[];

beforeAll(async () => {
  packages = await mounted({
    One: { "notes/a.md": "# A\n\nAlpha.\n", "shared.md": "# Shared\n\nOf the first.\n" },
    Two: { "notes/b.md": "# B\n\nBeta.\n", "shared.md": "# Shared\n\nOf the second.\n" },
  });
  await writeFile(join(packages.folder, "secret.md"), `# Secret\n\n${CANARY}\n`);
  await mkdir(join(packages.folder, "notes"));
  await writeFile(join(packages.folder, "notes/c.md"), CANARY);
  wire = await Wire.open(packages);
  const { structuredContent } = await wire.call("info", {});
  const described = (structuredContent as unknown as { packages: { package_id: string; title: string }[] }).packages;
  ids = ["One", "Two"].map((title) => described.find((one) => one.title === title)!.package_id.slice(0, 8));
});
afterAll(async () => {
  expect(await wire.close()).toEqual({ code: 0, signal: null });
});

/** Names that would lead out of a package where a name was taken for a path. */
function names(): string[] {
  const { folder, files, keyFile } = packages;
  const [one, two] = ids as [string, string];
  const targets = ["secret.md", "notes/c.md", "keys.txt", "One.mdcx"];
  return [
    ...targets.flatMap((target) => [
      target,
      `./${target}`,
      `../${target}`,
      `@/../${target}`,
      `@/notes/../../${target}`,
      `@/./${target}`,
      `@//${target}`,
      `@/notes\\..\\..\\${target}`,
      `@/%2e%2e/${target}`,
      `mdcx://${one}/../${target}`,
      `mdcx://${one}/%2e%2e%2f${target}`,
      `mdcx://${one}/..%5c${target}`,
      join(folder, target),
      pathToFileURL(join(folder, target)).href,
    ]),
    keyFile,
    ...files,
    "/etc/passwd",
    "@//etc/passwd",
    "@/../../../../../../../../etc/passwd",
    "file:///etc/passwd",
    "C:\\Windows\\win.ini",
    "\\\\server\\share\\secret.md",
    "@/notes/a.md\u0000.txt",
    "@/notes/a.md/",
    "@/notes",
    "@/",
    "@/.",
    "~/.ssh/id_rsa",
    "$HOME/.profile",
    "/proc/self/environ",
    "/dev/stdin",
    "http://127.0.0.1/secret.md",
    // Packages that hold other documents, or none.
    `mdcx://${two}/notes/a.md`,
    `mdcx://${one}/notes/b.md`,
    "mdcx://00000000/notes/a.md",
    "mdcx:///notes/a.md",
    `mdcx://${one}`,
    `mdcx://${one.slice(0, 7)}/../${two}/notes/b.md`,
    `mdcx://${one}@${two}/notes/b.md`,
    "../One.mdcx#/notes/a.md",
  ];
}

describe("a name that leads out of the packages", () => {
  it("is refused by document with a sentence, and gives nothing of any file", async () => {
    for (const name of names()) {
      const { isError, content, structuredContent } = await wire.call("document", { name });
      expect(isError, name).toBe(true);
      expect(structuredContent).toBeUndefined();
      expect(content[0]!.text.length, name).toBeGreaterThan(20);
      tellsNothing(content[0]!.text.replaceAll(name, ""), name);
    }
  });

  it("is refused as the id of a passage, too", async () => {
    for (const id of [
      ...names().map((name) => name.slice(0, 100)),
      `${ids[0]}/../${ids[1]}/0`,
      `${ids[1]}/${"0".repeat(16)}/0`,
    ]) {
      const { isError, content } = await wire.call("document", { id });
      expect(isError, id).toBe(true);
      tellsNothing(content[0]!.text.replaceAll(id, ""), id);
    }
  });

  it("is refused as a resource, too", async () => {
    for (const uri of names()) {
      const { result, error } = await wire.ask("resources/read", { uri });
      expect(result, uri).toBeUndefined();
      tellsNothing(error!.message.replaceAll(uri, ""), uri);
    }
  });

  it("finds nothing as a pattern of paths", async () => {
    for (const pattern of names().map((name) => `${name.slice(0, 480)}*`)) {
      const { structuredContent, content } = await wire.call("search", { query: "canary alpha", in: pattern });
      tellsNothing(JSON.stringify(content).replaceAll(JSON.stringify(pattern).slice(1, -1), ""), pattern);
      for (const { path } of (structuredContent as { passages: { path: string }[] } | undefined)?.passages ?? [])
        expect(["@/notes/a.md", "@/notes/b.md", "@/shared.md"]).toContain(path);
    }
  });

  /** Nothing of a file, and no path of this machine. */
  function tellsNothing(said: string, asked: string): void {
    expect(said, asked).not.toContain(CANARY);
    expect(said, asked).not.toMatch(/root:|mdcx-key-/);
    expect(said, asked).not.toContain(packages.folder);
  }
});

describe("a document that two packages have", () => {
  it("is asked for by its full name, which the refusal lists", async () => {
    const { isError, content } = await wire.call("document", { name: "@/shared.md" });
    expect(isError).toBe(true);
    for (const [i, id] of ids.entries()) {
      expect(content[0]!.text).toContain(`mdcx://${id}/shared.md`);
      const { structuredContent } = await wire.call("document", { name: `mdcx://${id}/shared.md` });
      expect(structuredContent).toMatchObject({ text: `# Shared\n\nOf the ${["first", "second"][i]!}.\n` });
    }
  });
});

const traced = (() => {
  try {
    execFileSync("strace", ["-e", "trace=none", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!traced)("the server's own calls of the operating system (where strace can watch them)", () => {
  it("open no file for writing, start no program and reach no network, whatever is asked", async () => {
    const { starting, watched } = await watch(join(packages.folder, "trace.txt"));
    const opened = watched.filter((line) => /\b(openat2?|open|creat)\(/.test(line));
    for (const file of packages.files) expect(starting, "the watch sees what is opened").toContain(`"${file}"`);
    expect(opened.filter((line) => /O_(WRONLY|RDWR|CREAT)/.test(line) && !line.includes('"/dev/'))).toEqual([]);
    // Only the packages are opened of everything around them, and nothing that a name could have meant.
    const around = opened.filter((line) => line.includes(packages.folder));
    expect(around.filter((line) => !packages.files.some((file) => line.includes(`"${file}"`)))).toEqual([]);
    expect(opened.filter((line) => line.includes("/etc/passwd"))).toEqual([]);
    expect(watched.filter((line) => /\b(connect|bind|execve|unlink|rename|mkdir)/.test(line))).toEqual([]);
  });

  /** What the server did until its first answer, and from there to its end, a call a line. */
  async function watch(trace: string): Promise<{ starting: string; watched: string[] }> {
    const calls = "trace=open,openat,openat2,creat,connect,bind,execve,unlink,unlinkat,rename,renameat,mkdir,mkdirat";
    const server = new Wire(
      {
        args: ["-f", "-q", "-s", "4096", "-o", trace, "-e", calls, process.execPath, ...packages.args],
        env: packages.env,
      },
      "strace",
    );
    await server.initialize();
    const starting = await readFile(trace, "utf8");
    for (const name of names()) {
      await server.call("document", { name });
      await server.ask("resources/read", { uri: name });
    }
    await server.call("search", { query: "alpha beta", in: "../**" });
    await server.call("info", { documents: true });
    const watched = (await readFile(trace, "utf8")).slice(starting.length).split("\n");
    await server.close();
    return { starting, watched };
  }
});
