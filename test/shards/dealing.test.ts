import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { deal, isInShard, parseShard, shardFile } from "../../src/shard.js";

const PATHS = Array.from({ length: 3000 }, (_, i) => ({ path: `folder ${i % 7}/document ${i}.pdf` }));

describe("documents are dealt to shards", () => {
  it("each to exactly one, and the shards are of about one size", () => {
    for (const count of [1, 2, 3, 7, 16]) {
      const shards = Array.from({ length: count }, (_, i) => deal(PATHS, { index: i + 1, count }));
      expect(new Set(shards.flatMap(({ here }) => here))).toEqual(new Set(PATHS));
      for (const { here, elsewhere } of shards) {
        expect(here.length + elsewhere.length).toBe(PATHS.length);
        expect(here.length).toBeGreaterThan((0.7 * PATHS.length) / count);
      }
    }
  });

  it("by the first eight bytes of the SHA-256 of their paths, as another implementation has it", () => {
    for (const { path } of [...PATHS.slice(0, 200), { path: "Übersicht/größe.md" }, { path: "港/文.md" }]) {
      const dealt = BigInt(`0x${createHash("sha256").update(path).digest("hex").slice(0, 16)}`) % 16n;
      expect(isInShard(path, { index: Number(dealt) + 1, count: 16 }), path).toBe(true);
    }
  });

  it("as the table in spec/shards.md has it", () => {
    const spec = readFileSync(new URL("../../spec/shards.md", import.meta.url), "utf8");
    const rows = [...spec.matchAll(/^\| `(.+)` \| (\d+) \| (\d+) \|$/gm)];
    expect(rows).toHaveLength(3);
    for (const [, path, by3, by16] of rows) {
      expect(isInShard(path!, { index: Number(by3) + 1, count: 3 }), path).toBe(true);
      expect(isInShard(path!, { index: Number(by16) + 1, count: 16 }), path).toBe(true);
    }
  });

  it("the same where a file system gives names taken apart", () => {
    const name = "Übersicht/größe.md";
    const shards = (path: string) =>
      Array.from({ length: 64 }, (_, i) => isInShard(path, { index: i + 1, count: 64 })).indexOf(true);
    expect(name.normalize("NFD")).not.toBe(name);
    expect(shards(name.normalize("NFD"))).toBe(shards(name));
  });

  it("all here where there is no shard", () => {
    expect(deal(PATHS, undefined)).toEqual({ here: PATHS, elsewhere: [] });
  });
});

describe("a shard on a command line", () => {
  it("is a part, counted from 1, and a number of parts", () => {
    expect(parseShard("2/16")).toEqual({ index: 2, count: 16 });
    expect(parseShard("1/1")).toEqual({ index: 1, count: 1 });
    for (const text of ["0/3", "4/3", "1/0", "2", "2/3/4", "-1/3", "1.5/3", "two/3", "", "1/1000001", "1/ 3"])
      expect(() => parseShard(text), text).toThrow(/^--shard needs a part, counted from 1/);
  });

  it("gives each of them a file of its own, and leaves a name that says it already", () => {
    const shard = { index: 2, count: 16 };
    expect(shardFile("out.d/handbook.mdcx", shard)).toBe("out.d/handbook-2-of-16.mdcx");
    expect(shardFile("out.d/handbook", shard)).toBe("out.d/handbook-2-of-16");
    expect(shardFile("v1.2.mdcx", shard)).toBe("v1.2-2-of-16.mdcx");
    expect(shardFile("handbook-2-of-16.mdcx", shard)).toBe("handbook-2-of-16.mdcx");
    expect(shardFile("handbook-12-of-16.mdcx", shard)).toBe("handbook-12-of-16-2-of-16.mdcx");
  });
});
