import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { engine } from "../../../src/convert/csv/engine.js";
import { reader } from "../../../src/convert/csv/reader.js";
import { sharedData } from "../../shared-data.js";

const convert = async (text: string, path = "a.csv"): Promise<string> =>
  (await engine({ path, bytes: Buffer.from(text) }, { ocr: "off" })).markdown;
const cellsByReader = async (text: string, path = "a.csv"): Promise<unknown> =>
  (await reader({ path, bytes: Buffer.from(text) }, { ocr: "off" })).tables?.[0];

/** The cells of the only table, as a Markdown parser sees them. */
function cellsOf(markdown: string): string[][] {
  const rows: string[][] = [];
  const tokens = new MarkdownIt({ html: true }).parse(markdown, {});
  tokens.forEach((token, i) => {
    if (token.type === "tr_open") rows.push([]);
    if (token.type !== "th_open" && token.type !== "td_open") return;
    const inline = tokens[i + 1]!.children ?? [];
    const text = inline.map((child) =>
      child.type === "html_inline" && child.content === "<br>" ? "\n" : child.content,
    );
    rows.at(-1)!.push(text.join(""));
  });
  return rows;
}

describe("a table of text", () => {
  it.each([
    [",", "a,b\n1,2\n"],
    [";", "a;b\n1,5;2,5\n3,5;4,5\n"],
    ["tab", "a\tb\n1, or\t2\n"],
    ["|", "a|b\n1|2\n"],
    ["quoted", '"a;b",c\n"1;2",3\n'],
    ["stated", "sep=;\na,x;b\n1;2\n"],
  ])("is split at the sign that its rows agree on: %s", async (_, text) => {
    const cells = cellsOf(await convert(text));
    expect(cells.every((row) => row.length === 2)).toBe(true);
    expect(await cellsByReader(text)).toEqual(cells);
  });

  it("keeps what would be Markdown in a cell as text, and the table a table", async () => {
    const cells = ["- no item", "1. no item", "# no heading", "a|b", "|", "a * b *c*", "x\n\ny", "<b>", "`c`"];
    const text = `h\n${cells.map((cell) => `"${cell}"`).join("\n")}\n`;
    expect(cellsOf(await convert(text))).toEqual([["h"], ...cells.map((cell) => [cell])]);
  });

  it("keeps the rows behind a quotation mark that is never closed", async () => {
    const text = `a,b\n"open,1\n${"x,y\n".repeat(50)}`;
    const made = await engine({ path: "a.csv", bytes: Buffer.from(text) }, { ocr: "off" });
    expect(cellsOf(made.markdown)).toHaveLength(52);
    expect(cellsOf(made.markdown)[1]).toEqual(['"open', "1"]);
    expect(made.findings.map(({ kind }) => kind)).toEqual(["unclosed quotation mark"]);
    expect(await cellsByReader(text)).toEqual(cellsOf(made.markdown));
  });

  it("pads rows of unequal length and says so, and leaves out empty edges", async () => {
    const made = await engine({ path: "a.csv", bytes: Buffer.from("a,b,,\n1\n1,2,,\n,,,\n") }, { ocr: "off" });
    expect(made.markdown).toBe("| a | b |\n| --- | --- |\n| 1 |  |\n| 1 | 2 |\n");
    expect(made.findings.map(({ kind }) => kind)).toEqual(["rows of unequal length"]);
  });

  it("takes time in proportion to its length", async () => {
    const start = performance.now();
    await convert('"a,b\n'.repeat(20_000));
    await cellsByReader('"a,b\n'.repeat(20_000));
    await convert("a,b,c\n".repeat(200_000));
    expect(performance.now() - start).toBeLessThan(8_000);
  });
});

describe.skipIf(sharedData === undefined)("the CSV files of the data set (not in the repository)", () => {
  const folder = join(sharedData ?? "", "convert/csv");

  it("give every cell that is expected of them", async () => {
    let cells = 0;
    for (const name of sharedData === undefined ? [] : readdirSync(folder)) {
      const path = join(sharedData!, "convert/expected/csv", `${name}.json`);
      // Its expected output has another telephone number than the file itself.
      if (!existsSync(path) || name.includes("location_coordinates")) continue;
      const made = await engine({ path: name, bytes: readFileSync(join(folder, name)) }, { ocr: "off" });
      const [header, ...rows] = cellsOf(made.markdown);
      const expected = [JSON.parse(readFileSync(path, "utf8")) as Record<string, string>[]].flat();
      expect(
        rows.map((row) => Object.fromEntries(row.map((cell, i) => [header![i]!, cell] as const))),
        name,
      ).toEqual(
        expected.map((row) =>
          Object.fromEntries(Object.entries(row).map(([k, v]) => [k, v.replace(/ ?\r?\n/g, "\n")])),
        ),
      );
      cells += rows.flat().length;
    }
    expect(cells).toBeGreaterThan(40);
  });

  it("give the reader the same cells as the engine", async () => {
    for (const name of readdirSync(folder)) {
      const original = { path: name, bytes: readFileSync(join(folder, name)) };
      const made = cellsOf((await engine(original, { ocr: "off" })).markdown);
      const read = (await reader(original, { ocr: "off" })).tables?.[0] ?? [];
      const plain = (rows: readonly (readonly string[])[]): string[] =>
        rows
          .flat()
          .map((cell) => cell.replace(/\s+/g, " ").trim())
          .filter((cell) => cell !== "");
      expect(plain(made), name).toEqual(plain(read));
    }
  });
});
