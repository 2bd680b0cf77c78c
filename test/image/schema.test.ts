import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isSafePath } from "../../src/image/path.js";
import { compareCodePoints } from "../../src/text/code-points.js";
import { OPTIONAL_SCHEMA, SCHEMA } from "../../src/image/schema.js";
import initSqlJs from "sql.js";
import { handsOverWithoutCopy, loadSqlite, type FileContents } from "../../src/image/sqlite.js";

describe("the schema", () => {
  it("is the one that spec/image.md gives, to the byte", () => {
    const spec = readFileSync(new URL("../../spec/image.md", import.meta.url), "utf8");
    const stated = spec.split("\n").filter((line) => line.startsWith("CREATE TABLE"));
    const tables = [...SCHEMA, ...OPTIONAL_SCHEMA].flatMap(({ sql }) => (sql === null ? [] : [sql]));
    expect(stated).toEqual(tables);
  });
});

describe("SQLite", () => {
  it("is given its file without a copy, as its self-test at start finds", async () => {
    expect((await loadSqlite()).lazy).toBe(true);
  });
});

describe("the self-test of SQLite at start", () => {
  it("finds a version of sql.js that copies what it is given, or that does not survive a failing read", async () => {
    const { Database } = await initSqlJs();
    const opening = (over: (contents: FileContents) => Uint8Array) => (contents?: FileContents) =>
      new Database(contents && over(contents));
    const copying = opening((contents) => contents.subarray(0, contents.length).slice());
    const asItIs = opening((contents) => contents as unknown as Uint8Array);
    expect(handsOverWithoutCopy(copying)).toBe(false);
    expect(handsOverWithoutCopy(asItIs)).toBe(true);
    const failing = opening(() => {
      throw new Error("refused");
    });
    expect(handsOverWithoutCopy(failing)).toBe(false);
  });
});

describe("paths", () => {
  it("are in the order of their UTF-8 bytes", () => {
    const paths = ["b", "a/b", "a", "a.b", "ä", "\u{ff5e}", "\u{1f600}", "\u{e000}", "Z", "\u{d7ff}", "a\u{10000}"];
    const byBytes = [...paths].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect([...paths].sort(compareCodePoints)).toEqual(byBytes);
  });

  it("may have any letters, dots and blanks that stay inside the folder", () => {
    const safe = ["a.md", "..a", "a..", "...", "a b/ c.md", "00_x", "_y/z", "漢字/😀.md", "CON", "ab:c", "a/c:"];
    expect(safe.filter((path) => !isSafePath(path))).toEqual([]);
  });
});
