import { describe, expect, it } from "vitest";
import { openPackage } from "../../src/index.js";
import { nodeDeflate } from "../../src/node/deflate.js";
import { contents, KEY, packed, type Folder } from "../package/in-memory.js";

/** A document of about as many passages as it has sections. */
const sections = (count: number, subject: string): string =>
  `# ${subject}\n\n${Array.from({ length: count }, (_, i) => `## ${subject} ${i}\n\n${`Section ${i} of ${subject} tells how the boats of year ${i * 7} were moored and what it cost. `.repeat(9)}`).join("\n\n")}\n`;

describe("the summary of packing", () => {
  const even: Folder = {
    "a.md": sections(12, "Alpha"),
    "b.md": sections(13, "Beta"),
    "c.md": sections(12, "Gamma"),
    "d.md": sections(12, "Delta"),
  };

  it("names the document with most passages", async () => {
    const { summary } = await packed(even);
    expect(summary.largest).toEqual({ document: "@/b.md", passages: 13, share: 13 / 49 });
    expect(summary.dominant).toBeUndefined();
  });

  it("warns of it when it holds a third of the passages or more, and not below", async () => {
    const { summary } = await packed({ ...even, "b.md": sections(18, "Beta") });
    expect(summary.dominant).toEqual({ document: "@/b.md", share: 18 / 54 });
    const { summary: below } = await packed({ ...even, "b.md": sections(17, "Beta") });
    expect(below.dominant).toBeUndefined();
  });

  it("has no document with most passages where none is searched", async () => {
    const { summary } = await packed({ "a.md": "---\nindexed: false\n---\nOne.\n" });
    expect(summary.largest).toBeUndefined();
  });
});

describe("packing with --fast", () => {
  it("makes a larger file with the same contents, index and ranking", async () => {
    // Prose is never so much alike that both levels find the same.
    let seed = 1;
    const words = "boat quay lamp tide rope crane fee night pier gauge storm anchor keeper harbour mooring".split(" ");
    const prose = (count: number): string =>
      Array.from({ length: count }, () => {
        seed = (seed * 48_271) % 2_147_483_647;
        return `${words[seed % words.length]!}${seed % 97 === 0 ? "." : ""}`;
      }).join(" ");
    const folder: Folder = Object.fromEntries(
      ["Alpha", "Beta", "Gamma"].map((name) => [`${name}.md`, `# ${name}\n\n${prose(20_000)}\n`]),
    );
    const [slow, fast] = [await packed(folder), await packed(folder, { deflate: nodeDeflate({ fast: true }) })];
    expect(fast.summary.fileBytes).toBeGreaterThan(slow.summary.fileBytes);
    const [a, b] = await Promise.all([slow, fast].map(({ bytes }) => openPackage(bytes, { secret: KEY })));
    expect(contents(b!)).toEqual(contents(a!));
    for (const name of ["dictionary", "postings", "lengths"] as const) {
      const [x, y] = [a!.image.stream(name), b!.image.stream(name)];
      expect(Buffer.compare(x.read(0, x.length), y.read(0, y.length))).toBe(0);
    }
    const ranked = async (pkg: typeof a, question: string) =>
      (await pkg!.search(question, { limit: 50 })).passages.map(({ document, line, text }) => [document, line, text]);
    for (const question of ["boats moored", "Beta storm", "keeper of the harbour lamp"])
      expect(await ranked(b, question)).toEqual(await ranked(a, question));
    await a!.close();
    await b!.close();
  });
});
