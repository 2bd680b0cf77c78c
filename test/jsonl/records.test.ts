import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { readRecords } from "../../src/node/jsonl.js";
import type { DocumentInput } from "../../src/pack.js";

const scratch = await mkdtemp(join(tmpdir(), "mdcx-jsonl-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

let files = 0;
async function file(content: string | Uint8Array): Promise<string> {
  const path = join(scratch, `records-${files++}.jsonl`);
  await writeFile(path, content);
  return path;
}

/** The lines of a file as it was written for a test: objects as JSON, strings as they are. */
function lines(...each: readonly (object | string)[]): string {
  return each.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
}

async function records(content: string | Uint8Array): Promise<{
  paths: string[];
  inputs: readonly DocumentInput[];
  texts: string[];
  leftOut: Record<string, string>;
}> {
  const { documents, leftOut, close } = await readRecords(await file(content));
  const texts: string[] = [];
  for (const one of documents) texts.push(new TextDecoder().decode(await one.read()));
  await close();
  return {
    paths: documents.map(({ path }) => path),
    inputs: documents,
    texts,
    leftOut: Object.fromEntries(leftOut.map(({ document, reason }) => [document, reason])),
  };
}

describe("a record of a JSON Lines file", () => {
  it("has the path that it states, else its folder and name", async () => {
    const { paths } = await records(
      lines(
        { name: "a.md", text: "" },
        { name: "b.md", folder: "received/2021", text: "" },
        { name: "c.md", folder: "slashes///", text: "" },
        { name: "shown", pseudopath: "letters/c.md", folder: "ignored", text: "" },
        { pseudopath: "@/as/replies/name/it.md", text: "" },
        { pseudopath: "/as/a/crawler/names/it", text: "" },
        { name: "./here.md", folder: "", text: "" },
        { name: 4711, text: "" },
      ),
    );
    expect(paths).toEqual([
      "a.md",
      "received/2021/b.md",
      "slashes/c.md",
      "letters/c.md",
      "as/replies/name/it.md",
      "as/a/crawler/names/it",
      "here.md",
      "4711",
    ]);
  });

  it("gives its text byte for byte, whatever characters are in it", async () => {
    const texts = ["Ünï \u{1f30a}\r\n\ttabs\u2028", "\ufeff# mark kept", "", "---\ntitle: front\n---\nbody"];
    const found = await records(lines(...texts.map((text, i) => ({ name: `${i}.md`, text }))));
    expect(found.texts).toEqual(["Ünï \u{1f30a}\r\n\ttabs\u2028", "# mark kept", "", "---\ntitle: front\n---\nbody"]);
  });

  it("states title, language, date, source and whether it may be found", async () => {
    const { inputs } = await records(
      lines(
        { name: "a.txt", text: "", title: "A", language: "de", date: "2021-03", source: "a.pdf", indexed: false },
        { name: "b.md", text: "", title: null, language: "", date: 1970, source: " ", indexed: true },
        { name: "c.TXT", text: "", date: ["no", "date"], indexed: "No" },
        { name: "d.md", text: "", date: null },
      ),
    );
    expect(inputs.map(({ format, facts }) => ({ format, ...facts }))).toEqual([
      {
        format: "text",
        title: "A",
        language: "de",
        dates: [{ value: "2021-03", origin: "source" }],
        source: "a.pdf",
        indexed: false,
      },
      { format: "markdown", dates: [{ value: "1970", origin: "source" }] },
      { format: "text", dates: [{ value: '["no","date"]', origin: "source" }], indexed: false },
      { format: "markdown" },
    ]);
  });

  it("that cannot be read is named by its line, and the others are taken", async () => {
    const path = "x".repeat(5000);
    const content = lines(
      { name: "first.md", text: "first" },
      "",
      '{"name": "cut.md", "text": "and th',
      "[1, 2]",
      "17",
      "null",
      { text: "nameless" },
      { name: "textless.md" },
      { name: "number.md", text: 5 },
      { name: "../../etc/passwd", text: "" },
      { name: "a\\b.md", text: "" },
      { name: "nul.md", text: "a\0b" },
      { name: path, text: "" },
      { folder: "first.md", name: "..", text: "" },
      { pseudopath: "first.md", text: "again" },
      "  \t ",
      { name: "last.md", text: "last" },
    );
    const { paths, texts, leftOut } = await records(content);
    expect(paths).toEqual(["first.md", "last.md"]);
    expect(texts).toEqual(["first", "last"]);
    expect(leftOut).toEqual({
      "line 3": "it is not JSON",
      "line 4": "it is a list: give one object a line, without brackets or commas around them",
      "line 5": "it is no object",
      "line 6": "it is no object",
      "line 7": "it has neither name nor pseudopath",
      "line 8": "it has no text",
      "line 9": "its text is not a string",
      "line 10": 'its path "../../etc/passwd" would not stay inside the folder it is exported to',
      "line 11": 'its path "a\\\\b.md" would not stay inside the folder it is exported to',
      "line 12": "its text holds a NUL character",
      "line 13": "its path is longer than 4096 bytes",
      "line 14": 'its path "first.md/.." would not stay inside the folder it is exported to',
      "line 15": "its path @/first.md is that of line 1",
    });
  });

  it("whose value is of a wrong kind is named with the field, and one with a field that no record has is taken", async () => {
    const content = lines(
      { name: "a.md", text: "", foldr: "received", "x-1": 1 },
      { name: "b.md", text: "", title: ["A"] },
      { name: "c.md", text: "", indexed: "flase" },
      { name: { of: "d.md" }, text: "" },
      { name: "e.md", text: "", foldr: "sent", language: null },
    );
    const { paths, leftOut } = await records(content);
    expect(paths).toEqual(["a.md", "e.md"]);
    expect(leftOut).toEqual({
      "line 2": "its title is not a string",
      "line 3": "its indexed is neither true nor false",
      "line 4": "its name is not a string",
    });
    const { unknownKeys, close } = await readRecords(await file(content));
    await close();
    expect(unknownKeys).toEqual([
      { key: "foldr", of: "records", records: 2, firstLine: 1, nearest: "folder" },
      { key: "x-1", of: "records", records: 1, firstLine: 1 },
    ]);
  });

  it("that is not UTF-8 is named; a mark at the beginning, Windows line ends and a last line without one are no fault", async () => {
    const { paths, leftOut } = await records(
      Buffer.concat([
        Buffer.from('\ufeff{"name":"a.md","text":"a"}\r\n'),
        Buffer.from('{"name":"b.md","text":"gr\xfcn"}\r\n', "latin1"),
        Buffer.from('{"name":"c.md","text":"c"}'),
      ]),
    );
    expect(paths).toEqual(["a.md", "c.md"]);
    expect(leftOut).toEqual({ "line 2": "it is not UTF-8" });
  });

  it("may be longer than what is read at once, and lie across it anywhere", async () => {
    const sizes = [0, 1, (1 << 20) - 40, 1 << 20, (3 << 20) + 17, 5, (1 << 20) + 1, 2];
    const texts = sizes.map((size, i) => String.fromCharCode(97 + i).repeat(size));
    const found = await records(lines(...texts.map((text, i) => ({ name: `${i}.md`, text }))) + "\n");
    expect(found.texts.map((text) => text.length)).toEqual(sizes);
    expect(found.texts).toEqual(texts);
    expect(found.leftOut).toEqual({});
  });
});

describe("a file that is no JSON Lines file", () => {
  it.each([
    ["", /is empty: it needs a record a line/],
    ["\n\n \n", /is empty/],
    ['[\n{"name":"a.md","text":"a"},\n{"name":"b.md","text":"b"}\n]', /is one JSON list: give one object a line/],
    ['[["a.md", "a"]]', /No line .* is a record of a document \(line 1: it is a list/],
    ["# A Markdown file\n\nby mistake\n\nof five\n\nlines\n", /line 3: it is not JSON; .*; and 1 more\)/],
    [Buffer.from('\ufeff{"name":"a.md","text":"a"}\n', "utf16le"), /UTF-16, not UTF-8: save it as UTF-8/],
    [Buffer.from('{"name":"a.md","text":"a"}\n', "utf16le"), /UTF-16 or UTF-32, not UTF-8: save it as UTF-8/],
    [gzipSync('{"name":"a.md","text":"a"}\n'), /is compressed: unpack it first/],
  ])("is refused with what it is", async (content, why) => {
    const refused = records(content);
    await expect(refused).rejects.toMatchObject({ code: "bad-input" });
    await expect(refused).rejects.toThrow(why);
  });

  it("is refused where it is not there, or is a folder or a device", async () => {
    await expect(readRecords(join(scratch, "absent.jsonl"))).rejects.toMatchObject({ code: "not-found" });
    await expect(readRecords(scratch)).rejects.toThrow(/folder|regular file/);
    await expect(readRecords("/dev/null")).rejects.toThrow(/no regular file/);
  });
});

it("a file that changes while it is packed ends the run, and one put in its place changes nothing", async () => {
  const path = await file(lines({ name: "a.md", text: "first" }, { name: "b.md", text: "second" }));
  const { documents, close } = await readRecords(path);
  await rm(path);
  await writeFile(path, lines({ name: "b.md", text: "other" }));
  expect(new TextDecoder().decode(await documents[1]!.read())).toBe("second");
  await close();

  const again = await file(lines({ name: "a.md", text: "first" }, { name: "b.md", text: "second" }));
  const overwritten = await readRecords(again);
  await writeFile(again, lines({ name: "z.md", text: "first" }, { name: "b.md", text: "sec" }));
  await expect(overwritten.documents[0]!.read()).rejects.toThrow(/was changed while it was read/);
  await expect(overwritten.documents[1]!.read()).rejects.toThrow(/was changed while it was read/);
  await overwritten.close();
});
