import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readFolder } from "../../src/pack-folder.js";

const scratch = await mkdtemp(join(tmpdir(), "mdcx-folder-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

async function folder(name: string): Promise<string> {
  const path = join(scratch, name);
  await mkdir(path);
  return path;
}

describe("reading a folder", () => {
  it("takes Markdown and text in any folder below it, whatever the names begin with", async () => {
    const root = await folder("names");
    const names = ["00_a.md", "_b.md", "-c.markdown", "d.TXT", "_e/00_f.md", "deep/er/est/g.md", "h.md.txt", "i..md"];
    for (const name of names) {
      await mkdir(join(root, name, ".."), { recursive: true });
      await writeFile(join(root, name), "text");
    }
    const { documents, leftOut } = await readFolder(root);
    expect(documents.map(({ path }) => path).sort()).toEqual([...names].sort());
    expect(leftOut).toEqual([]);
    const format = new Map(documents.map((document) => [document.path, document.format]));
    expect([format.get("d.TXT"), format.get("-c.markdown")]).toEqual(["text", "markdown"]);
  });

  it("names everything that it leaves out, with the reason", async () => {
    const root = await folder("left-out");
    await writeFile(join(root, "kept.md"), "kept");
    await writeFile(join(root, ".hidden.md"), "");
    await mkdir(join(root, ".git"));
    await writeFile(join(root, ".git", "inside.md"), "");
    await writeFile(join(root, "back\\slash.md"), "");
    await writeFile(join(root, "c:drive.md"), "");
    await writeFile(Buffer.concat([Buffer.from(root + "/"), Buffer.of(0xff, 0xfe), Buffer.from(".md")]), "");
    await writeFile(join(root, "\ufffd.md"), "a name that is UTF-8 and holds a replacement character");
    await symlink("/", join(root, "root"));
    await symlink("kept.md", join(root, "link.md"));
    await symlink(root, join(root, "circle"));
    const { documents, leftOut } = await readFolder(root);
    expect(documents.map(({ path }) => path).sort()).toEqual(["kept.md", "\ufffd.md"]);
    expect(Object.fromEntries(leftOut.map(({ document, reason }) => [document, reason]))).toEqual({
      "@/.hidden.md": "hidden",
      "@/.git": "hidden",
      "@/back\\slash.md": "its name holds a path of Windows: rename it",
      "@/c:drive.md": "its name holds a path of Windows: rename it",
      "@/\ufffd\ufffd.md": "its name is not UTF-8: rename it",
      "@/root": "a link that leads out of the input: put the file itself there",
      "@/link.md": "a link to kept.md: links are not followed",
      "@/circle": "a link to the input itself: links are not followed",
    });
  });

  it("may be reached by a link itself, and reads a document only when its turn has come", async () => {
    const root = await folder("real");
    await writeFile(join(root, "a.md"), "first");
    await symlink(root, join(scratch, "by-link"));
    const { documents } = await readFolder(join(scratch, "by-link"));
    await writeFile(join(root, "a.md"), "second");
    expect(new TextDecoder().decode(await documents[0]!.read())).toBe("second");
  });

  it("fails where a folder below may not be read, rather than packing without it", async (context) => {
    if (process.getuid?.() === 0) return context.skip("root may read every folder");
    const root = await folder("closed");
    await mkdir(join(root, "inner"));
    await chmod(join(root, "inner"), 0);
    await expect(readFolder(root)).rejects.toMatchObject({ code: "io" });
  });
});
