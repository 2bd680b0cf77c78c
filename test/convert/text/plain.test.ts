import { describe, expect, it } from "vitest";
import { engine } from "../../../src/convert/text/engine.js";
import { reader } from "../../../src/convert/text/reader.js";
import { cleanText, plainToMarkdown } from "../../../src/convert/text/plain.js";

const markdown = (text: string): string => plainToMarkdown(cleanText(text).text);

describe("plain text as Markdown", () => {
  it("keeps lines and words, and escapes what would be structure by accident", () => {
    expect(markdown("one\r\ntwo\r\n\r\n# three\n1. four\n> five")).toBe("one\ntwo\n\n\\# three\n1\\. four\n\\> five\n");
    expect(markdown("snake_case costs 2*3 <b> [^1] end")).toBe("snake_case costs 2\\*3 \\<b> \\[^1] end\n");
  });

  it("takes an underlined title for a heading", () => {
    expect(markdown("Title\n=====\n\nPart\n----\ntext")).toBe("# Title\n\n## Part\n\ntext\n");
    expect(markdown("=====\nTitle\n=====")).toBe("# Title\n");
    expect(markdown("not a title\n-----------------------------------------")).toContain("not a title\n\\---");
  });

  it("takes a line of signs for a rule", () => {
    expect(markdown("a\n\n----------\n\nb\n\n* * *")).toBe("a\n\n---\n\nb\n\n---\n");
  });

  it("keeps lists as lists, nested by how far they are set in, with what belongs to an item", () => {
    expect(markdown("  * one\n    more\n\n      + inner\n\n    of one\n\n  * two\n\nafter")).toBe(
      "- one\n  more\n\n  - inner\n\n  of one\n\n- two\n\nafter\n",
    );
  });

  it("keeps columns, drawings and listings as they stand", () => {
    expect(markdown("name      size    date\nfoo       1       2020")).toContain("```\nname      size    date\n");
    expect(markdown("    $ ls -l\n    total 0")).toBe("```\n$ ls -l\ntotal 0\n```\n");
    expect(markdown("    This is prose that was set in by four.")).toBe("This is prose that was set in by four.\n");
  });

  it("takes out colours and overstriking, and control characters with a finding", async () => {
    expect(markdown("\x1b[31mred\x1b[0m B\bBo\bol\bld\bd")).toBe("red Bold\n");
    const made = await engine({ path: "a.txt", bytes: Buffer.from("before\0after\n") }, { ocr: "off" });
    expect(made.markdown).toBe("before after\n");
    expect(made.findings.map(({ kind }) => kind)).toEqual(["control characters"]);
  });

  it("takes time in proportion to the length", () => {
    const start = performance.now();
    markdown("_a* ~b~ `c` ".repeat(200_000));
    markdown("x\n---\n".repeat(200_000));
    markdown(" * a\n".repeat(200_000));
    expect(performance.now() - start).toBeLessThan(8_000);
  });

  it("is compared with the text as another decoder reads it", async () => {
    const { units, reader: name } = await reader(
      { path: "a.txt", bytes: Uint8Array.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x0d, 0x0a, 0x1b, 0x5b, 0x6d, 0x61) },
      { ocr: "off" },
    );
    expect(name).toMatch(/^iconv-lite/);
    expect(units[0]!.text).toBe("Привет\n\na");
  });
});
