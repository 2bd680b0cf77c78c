import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { openPackage } from "../../src/index.js";
import { exportFolder } from "../../src/node/export-folder.js";
import { packFolder } from "../../src/pack-entry.js";
import { bytesOf, contents, KEY, opened, packed, type Folder } from "./in-memory.js";

const scratch = await mkdtemp(join(tmpdir(), "mdcx-exact-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** Documents of every kind that has ever been damaged by packing, the older system's losses included (DESIGN §11). */
const AWKWARD: Folder = {
  "front-matter.md": "---\ntitle: A title\ndate: 2024-05-01\nunknown: [1, 2]\n---\n\n# Heading\n\nText.\n",
  "front-matter-only.md": "---\ntitle: Nothing else\n---\n",
  "front-matter-not-closed.md": "---\ntitle: never closed\n\nSome text that is not front matter.\n",
  "front-matter-crlf.md": "---\r\ntitle: Windows\r\n---\r\n\r\n# Heading\r\n\r\nText.\r\n",
  "rule.md": "---\n\nThe text behind a rule that is not front matter.\n\n---\n\nAnd more of it.\n",
  "rule-with-colon.md": "---\nNote: this looks like a field but is prose, and the rule is never closed.\n",
  "crlf.md": "# One\r\n\r\nLine\r\nLine\r\n\r\n- a\r\n- b\r\n",
  "cr-only.txt": "one\rtwo\rthree",
  "mixed.txt": "one\r\ntwo\nthree\rfour\n\r\n\n",
  "no-final-newline.md": "# Heading\n\nThe last line has no end",
  "many-final-newlines.md": "Text\n\n\n\n\n\n",
  "empty.md": "",
  "blank.md": " \n\t\n\n",
  "one-newline.txt": "\n",
  "bom.md": "\ufeff# With a mark\n\nText.\n",
  "bom-front-matter.md": "\ufeff---\ntitle: Mark\n---\nText.\n",
  "code-only.md": "```js\nconst a = 1;\n```\n",
  "code-not-closed.md": "```\nnever closed\n# not a heading\n",
  "indented.md": "    indented code\n\n\ttab\n",
  "table.md": `| a | b |\n|---|:-:|\n${"| cell \\| pipe | x |\n".repeat(300)}`,
  "headings-only.md": "# One\n## Two\n### Three\n#### Four\n##### Five\n###### Six\n",
  "setext.md": "Title\n=====\n\nText\n\nSub\n---\n\nText\n",
  "markers.md": "<!-- mdcx:page 1 -->\nOne.\n\n<!-- mdcx:page 2 -->\nTwo.\n<!-- mdcx:nonsense -->\n",
  "html.md": "<div>\n<!-- a comment\nover lines -->\n&amp; <b>x</b>\n</div>\n",
  "one-line.txt": "word ".repeat(60_000),
  "one-word.txt": "x".repeat(150_000),
  "trailing-spaces.md": "line  \nline\t \n  \n",
  "controls.txt": "bell \u0007, escape \u001b[31m, form feed \f, next line \u0085, separator \u2028.\n",
  "bidi.txt": "\u202eright to left\u202c and \u2066isolated\u2069\n",
  "decomposed.md": "cafe\u0301 and caf\u00e9, \u212b and \u00c5, \ufb01ne\n",
  "astral.md": "\ud83d\udc69\u200d\ud83d\udcbb \ud842\udfb7\u91ce\u5bb6 \ud835\udd38\n",
  "replacement.txt": "already replaced: \ufffd\n",
  "noncharacters.txt": "\uffff \ufdd0 \u{10ffff}\n",
  "script/中文/说明 书.md": "# 说明\n\n水位计每天读两次。\n",
  "script/العربية/ملف.md": "# عنوان\n\nنص قصير.\n",
  "script/हिन्दी.md": "# शीर्षक\n\nपाठ।\n",
  "script/ไทย.txt": "ข้อความภาษาไทยไม่มีช่องว่าง\n",
  "script/Ünïcödé/e\u0301 decomposed.md": "decomposed name\n",
  "script/Ünïcödé/\u00e9 decomposed.md": "composed name\n",
  "script/😀.md": "an emoji for a name\n",
  "name with  spaces .md": "spaces\n",
  "-leading-dash.md": "dash\n",
  "--version.md": "dash dash\n",
  "quotes \"double\" and 'single'.md": "quotes\n",
  "percent %41 and $HOME `id` ; & | * ? [x] {y} ~ # !.md": "shell\n",
  "newline\nin name.md": "newline\n",
  "tab\tin name.md": "tab\n",
  "00_first.md": "zeros\n",
  "_folder/_inner/_document.md": "underscores\n",
  "_folder/00_index.md": "00\n",
  "folder/same.md": "one of two\n",
  "other/same.md": "two of two\n",
  "Case.md": "upper\n",
  "case.md": "lower\n",
  "folder.md": "a document named like a folder\n",
  "no-text.markdown": "the third ending\n",
  "a.b.c.TXT.txt": "dots\n",
  "UPPER.MD": "ending in capitals\n",
};

async function write(folder: string, files: Folder): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const at = join(folder, ...path.split("/"));
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, content);
  }
}

async function readBack(folder: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const at = join(entry.parentPath, entry.name);
    files.set(relative(folder, at), new Uint8Array(await readFile(at)));
  }
  return files;
}

function requireSame(actual: ReadonlyMap<string, Uint8Array>, expected: Folder): void {
  expect([...actual.keys()].sort()).toEqual(Object.keys(expected).sort());
  for (const [path, content] of Object.entries(expected)) {
    const same = Buffer.compare(actual.get(path)!, bytesOf(content)) === 0;
    expect(same, `${JSON.stringify(path)} comes back as it was`).toBe(true);
  }
}

describe("packing and exporting", () => {
  it("gives every file of a folder back byte for byte", async () => {
    const [source, file, target] = [join(scratch, "in"), join(scratch, "a.mdcx"), join(scratch, "out")];
    await write(source, AWKWARD);
    const summary = await packFolder(source, file, { slots: [{ secret: KEY }] });
    expect(summary.leftOut).toEqual([]);
    expect(summary.documents).toBe(Object.keys(AWKWARD).length);
    const pkg = await openPackage(file, { secret: KEY });
    const report = await exportFolder(pkg, target);
    await pkg.close();
    expect(report.documents).toBe(Object.keys(AWKWARD).length);
    requireSame(await readBack(target), AWKWARD);
  });

  it("gives the same documents and rankings after pack, export and pack again", async () => {
    const first = await opened(AWKWARD);
    const again = await opened(Object.fromEntries(contents(first)));
    requireSame(contents(again), AWKWARD);
    expect(again.image.passageCount).toBe(first.image.passageCount);
    for (const question of [
      "text behind a rule",
      "heading",
      "水位计",
      "cafe",
      "cell pipe",
      "const a",
      'rouge "text"',
    ]) {
      const [a, b] = [await first.search(question), await again.search(question)];
      const shown = (reply: typeof a) => reply.passages.map(({ id, rank, text }) => [rank, id.slice(8), text]);
      expect(shown(b), question).toEqual(shown(a));
    }
  });

  it("packs quickly with `fast`: same contents, same rankings", async () => {
    const files = { ...AWKWARD };
    const source = join(scratch, "fast-in");
    await write(source, files);
    const replies = [];
    for (const fast of [false, true]) {
      const file = join(scratch, `fast-${fast}.mdcx`);
      await packFolder(source, file, { slots: [{ secret: KEY }], fast });
      const pkg = await openPackage(file, { secret: KEY });
      requireSame(contents(pkg), files);
      replies.push((await pkg.search("text")).passages.map(({ document, text }) => [document, text]));
      await pkg.close();
    }
    expect(replies[1]).toEqual(replies[0]);
  });

  it("keeps a document whose size passes many blocks and a passage that is one long line", async () => {
    const long = Array.from({ length: 40_000 }, (_, i) => `word${i % 977} `).join("");
    const large = `# Large\n\n${long.repeat(20)}\n`;
    const pkg = await opened({ "large.md": large, "small.md": "small\n" });
    requireSame(contents(pkg), { "large.md": large, "small.md": "small\n" });
    expect((await pkg.search("word976")).passages[0]!.document).toBe("@/large.md");
  });

  it("keeps any folder of any text", async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "---\n",
        "# H\n",
        "## Two\n",
        "- item\n",
        "1. one\n",
        "```\n",
        "~~~\n",
      ),
      fc.constantFrom("| a | b |\n|---|---|\n", "| 1 | 2 |\n", "> quote\n", "    code\n", "<!-- mdcx:page 3 -->\n"),
      fc.constantFrom("title: x\n", "indexed: false\n", "\ufeff", "\t", " ", "漢字かな", "ไทย", "ا", "😀", "e\u0301"),
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.lorem({ maxCount: 60 }),
    );
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join("").replaceAll("\0", ""));
    const name = fc.stringMatching(/^[\p{L}\p{N} _-][\p{L}\p{N} ._-]{0,12}$/u).filter((part) => !/^\.+$/.test(part));
    const path = fc
      .tuple(fc.array(name, { maxLength: 3 }), name)
      .map(([folders, file]) => [...folders, `${file}.md`].join("/"));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(path, text, { minKeys: 1, maxKeys: 6, noNullPrototype: true }), async (folder) => {
        const pkg = await opened(folder);
        requireSame(contents(pkg), folder);
        for (const at of Object.keys(folder)) expect(pkg.document(`@/${at}`).text).toBe(folder[at]);
        await pkg.close();
      }),
      { numRuns: 60, seed: 20260131 },
    );
  });

  it("refuses bytes that are not text rather than changing them, and names the document", async () => {
    for (const bytes of [
      Uint8Array.of(0xff, 0xfe, 0x41, 0),
      Uint8Array.of(0x41, 0xc3),
      Uint8Array.of(0x41, 0, 0x42, 0),
      randomBytes(500),
    ])
      await expect(packed({ "folder/bad.md": new Uint8Array(bytes) })).rejects.toMatchObject({
        code: "bad-input",
        message: expect.stringMatching(/^@\/folder\/bad\.md is .*: save it as UTF-8/) as string,
      });
  });
});
