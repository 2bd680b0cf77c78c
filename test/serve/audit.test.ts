import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Audit } from "../../mcp/audit.js";
import type { EndedCall } from "../../mcp/answer.js";
import { scratchFolder } from "../cli/mdcx.js";

const scratch = await scratchFolder("audit");
let files = 0;
const newFile = (): string => join(scratch, `audit-${++files}.jsonl`);
const QUESTION = "Who may moor at night?";

function call(id: string, more: Partial<EndedCall> = {}): EndedCall {
  return {
    id,
    tool: "search",
    arguments: { query: QUESTION, limit: 3 },
    milliseconds: 12.4,
    outcome: "answered",
    packages: ["11111111"],
    passages: ["11111111/2222222222222222/3"],
    ...more,
  };
}

async function linesOf(path: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("an audit file", () => {
  it("is never a file that holds something else: a package, a key or a document would be spoiled", async () => {
    const path = newFile();
    await writeFile(path, "mdcx-key-");
    await expect(Audit.open(path, false, () => undefined)).rejects.toMatchObject({ code: "bad-input" });
    expect(await readFile(path, "utf8")).toBe("mdcx-key-");
    const empty = newFile();
    await writeFile(empty, "");
    for (const id of ["a", "b"]) {
      const audit = await Audit.open(empty, false, () => undefined);
      audit.call(call(id));
      await audit.close();
    }
    expect((await linesOf(empty)).map((line) => line.call)).toEqual(["a", "b"]);
  });

  it("has a line a call: when, what, from where, how long, how it ended; the question as digest and length", async () => {
    const path = newFile();
    const audit = await Audit.open(path, false, () => undefined);
    audit.call(call("a"));
    audit.call(call("b", { outcome: "refused", code: "bad-input", packages: [], passages: [] }));
    audit.call(call("c", { tool: "document", arguments: { name: "@/private/letter.md" } }));
    await audit.close();
    const lines = await linesOf(path);
    expect(lines[0]).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
      event: "call",
      call: "a",
      tool: "search",
      packages: ["11111111"],
      passages: ["11111111/2222222222222222/3"],
      milliseconds: 12,
      outcome: "answered",
      query_sha256: createHash("sha256").update(QUESTION).digest("hex"),
      query_length: QUESTION.length,
    });
    expect(lines[1]).toMatchObject({ outcome: "refused", code: "bad-input" });
    expect(lines[2]).toMatchObject({ tool: "document", document_length: 19 });
    const text = await readFile(path, "utf8");
    expect(text).not.toContain(QUESTION);
    expect(text).not.toContain("letter");
  });

  it("keeps the question where that is wanted", async () => {
    const path = newFile();
    const audit = await Audit.open(path, true, () => undefined);
    audit.call(call("a"));
    audit.call(call("b", { arguments: { query: "x".repeat(5_000_000) } }));
    audit.call(call("c", { arguments: { query: 7 } }));
    audit.call(call("d", { arguments: null }));
    await audit.close();
    const lines = await linesOf(path);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatchObject({ query: QUESTION });
    expect(lines[1]).toMatchObject({ query: "x".repeat(2_000), query_length: 5_000_000 });
    expect(lines[2]).not.toHaveProperty("query_length");
  });

  it("is for its owner alone, and what was there stays", async () => {
    const path = newFile();
    for (const id of ["a", "b"]) {
      const audit = await Audit.open(path, false, () => undefined);
      audit.call(call(id));
      await audit.close();
    }
    expect((await linesOf(path)).map((line) => line.call)).toEqual(["a", "b"]);
    if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("goes on in a new file where the old one is moved away", async () => {
    const path = newFile();
    const audit = await Audit.open(path, false, () => undefined);
    audit.call(call("a"));
    await audit.close();
    await rename(path, `${path}.1`);
    audit.call(call("b"));
    await audit.close();
    expect((await linesOf(`${path}.1`)).map((line) => line.call)).toEqual(["a"]);
    expect((await linesOf(path)).map((line) => line.call)).toEqual(["b"]);
  });

  it("counts the lines that could not be written, says so at once, and says it in the file when it can", async () => {
    const path = newFile();
    const told: number[] = [];
    const audit = await Audit.open(path, false, (lines) => {
      told.push(lines);
    });
    await rm(path);
    // A folder in its place cannot be appended to, whoever runs the test.
    await mkdir(path);
    for (const id of ["a", "b", "c"]) {
      audit.call(call(id));
      await audit.close();
    }
    expect(told).toEqual([1, 2, 3]);
    await rmdir(path);
    audit.call(call("d"));
    audit.call(call("e"));
    await audit.close();
    const lines = await linesOf(path);
    expect(lines.map(({ event }) => event)).toEqual(["dropped", "call", "call"]);
    expect(lines[0]).toMatchObject({ lines: 3 });
  });

  it("counts what it has no place for while the disk is slow", async () => {
    const path = newFile();
    const audit = await Audit.open(path, false, () => undefined);
    // All at once: the first is being written, so the rest waits.
    for (let i = 0; i < 10_100; i++) audit.add({ event: "test", i });
    await audit.close();
    const lines = await linesOf(path);
    const dropped = lines.filter(({ event }) => event === "dropped");
    expect(dropped).toHaveLength(1);
    const count = dropped[0]!.lines as number;
    expect(count).toBeGreaterThan(0);
    expect(lines.length - 1 + count).toBe(10_100);
  });

  it("refuses at the start a path where no file can be", async () => {
    await expect(Audit.open(join(scratch, "nowhere", "a.jsonl"), false, () => undefined)).rejects.toThrow(/nowhere/);
    await expect(Audit.open(scratch, false, () => undefined)).rejects.toThrow(/it is a folder/);
  });
});
