import { describe, expect, it } from "vitest";
import { convertPage, markdownOf } from "./convert.js";

const table = (...rows: string[]): string => `<table>${rows.map((row) => `<tr>${row}</tr>`).join("")}</table>`;

describe("tables of a page", () => {
  it("have their header where the page says so, and none where it does not", async () => {
    expect(await markdownOf(table("<th>A<th>B", "<td>1<td>2"))).toBe("| A | B |\n| --- | --- |\n| 1 | 2 |");
    expect(await markdownOf(table("<td>1<td>2", "<td>3<td>4"))).toContain("| 1 | 2 |\n| 3 | 4 |");
  });

  it("keep pipes and breaks within their cells", async () => {
    const { conversion, certificate } = await convertPage(
      table("<th>A<th>B", "<td>a|b<td>one<br>two", "<td><code>x|y</code><td>z"),
    );
    expect(conversion.markdown).toContain("| a\\|b | one<br>two |");
    expect(certificate.tables).toEqual({ cells: 6, inPlace: 6, lost: 0, added: 0 });
  });

  it("with spans, lists and tables in their cells lose no cell", async () => {
    const { conversion, certificate } = await convertPage(
      table(
        "<th colspan=2>Wide",
        "<td rowspan=2>Tall<td><ul><li>one</li><li>two</li></ul>",
        `<td>${table("<th>inner<th>more", "<td>1<td>2")}`,
      ),
    );
    expect(conversion.markdown).toContain('<td rowspan="2">Tall</td>');
    expect(conversion.markdown).toContain("- one\n- two");
    expect(certificate).toMatchObject({ status: "ok", words: { lost: 0, added: 0 }, tables: { lost: 0, added: 0 } });
    expect(certificate.tables!.inPlace).toBe(certificate.tables!.cells);
  });

  it("show captions before, rows of the head first and those of the foot last", async () => {
    expect(
      await markdownOf(
        "<table><caption>Cap</caption><tfoot><tr><td>f</table>".replace(
          "</table>",
          "</tfoot><tbody><tr><td>b</tbody><thead><tr><th>h</thead></table>",
        ),
      ),
    ).toBe("Cap\n\n| h |\n| --- |\n| b |\n| f |");
  });

  it("that only place things come as what they hold", async () => {
    expect(await markdownOf(table("<td><p>one</p><p>two</p>"))).toBe("one\n\ntwo");
    expect(await markdownOf(`<table role="presentation"><tr><td>a</td><td>b</td></tr></table>`)).toBe("a\n\nb");
    const note = table('<td rowspan=2><img src="n.png" alt="[Note]"></td><th>Note</th>', "<td>Mind this.</td>");
    const { conversion, certificate } = await convertPage(note);
    expect(conversion.markdown).toBe("![\\[Note\\]](n.png)\n\n**Note**\n\nMind this.\n");
    expect(certificate).toMatchObject({ status: "ok", tables: { cells: 0, added: 0 } });
  });

  it("have headings of their cells as bold lines", async () => {
    expect(await markdownOf(table("<td><h1>A</h1><td><h2>B</h2>", "<td>1<td>2"))).toBe(
      "| **A** | **B** |\n| --- | --- |\n| 1 | 2 |",
    );
  });
});
