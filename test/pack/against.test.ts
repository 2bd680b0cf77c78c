import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compareFolder } from "../../src/compare-folder.js";
import { openPackage } from "../../src/index.js";
import { packDocuments } from "../../src/pack-entry.js";
import { documentsOf, KEY } from "../package/in-memory.js";

const HTML = "<!doctype html><html><body><h1>Three</h1><p>Three boats lie here.</p></body></html>";
const TEXTS = {
  "a.md": "# A\n\nOne.\n",
  "sub/b.txt": "Two.\n",
  "hidden.md": "---\nindexed: false\n---\nFour.\n",
};
/** As the conversion of the page leaves it. */
const CONVERTED = `---\nsource: c.html\nsource_sha256: ${createHash("sha256").update(HTML).digest("hex")}\nstatus: ok\n---\n# Three\n\nThree boats lie here.\n`;

let scratch: string;
let folder: string;
let target: string;
const put = (path: string, text: string | Uint8Array) => writeFile(join(folder, path), text);
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), "mdcx-against-"));
  folder = join(scratch, "folder");
  target = join(folder, "own.mdcx");
  await mkdir(join(folder, "sub"), { recursive: true });
  for (const [path, text] of Object.entries({ ...TEXTS, "c.html": HTML })) await put(path, text);
  await packDocuments(documentsOf({ ...TEXTS, "c.html.md": CONVERTED }), target, { slots: [{ secret: KEY }] });
});
afterEach(() => rm(scratch, { recursive: true }));

const compared = async (ownFiles: readonly string[] = [target], against = folder) => {
  const pkg = await openPackage(target, { secret: KEY });
  try {
    return await compareFolder(pkg, against, ownFiles);
  } finally {
    await pkg.close();
  }
};

describe("info --against FOLDER", () => {
  it("finds nothing changed in the folder that was just packed, converted and attached documents included", async () => {
    expect(await compared()).toEqual({ added: [], changed: [], gone: [], unchanged: 4 });
  });

  it("lists documents added, changed and gone since the package was made", async () => {
    await put("sub/new.md", "# New\n");
    await put("a.md", "# A\n\nOne and a half.\n");
    await put("c.html", "<!doctype html><html><body><p>Five boats lie here.</p></body></html>");
    await rm(join(folder, "hidden.md"));
    expect(await compared()).toEqual({
      added: ["@/sub/new.md"],
      changed: ["@/a.md", "@/c.html.md"],
      gone: ["@/hidden.md"],
      unchanged: 1,
    });
  });

  it("does not call added what packing would leave out: the package, its secret, files that are no documents", async () => {
    await put("key.txt", "mdcx-key-…");
    await put("photo.png", Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    await put(".hidden.md", "# Hidden\n");
    expect((await compared([target, join(folder, "key.txt")])).added).toEqual([]);
    expect((await compared()).added).toEqual(["@/key.txt"]);
  });

  it("says in one sentence that a folder is missing, or a file", async () => {
    await expect(compared([], join(scratch, "none"))).rejects.toMatchObject({ code: "not-found" });
    await expect(compared([], join(folder, "a.md"))).rejects.toMatchObject({ code: "bad-input" });
  });
});
