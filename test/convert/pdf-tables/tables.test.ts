import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { findTables } from "../../../src/convert/pdf/tables.js";
import { PageBuilder, textsOf } from "./page-builder.js";

const found = (page: PageBuilder): string[][][] => findTables(page.page()).map(textsOf);
const SENTENCE = "The tenant shall keep the garden in good";

describe("tables that are drawn", () => {
  it("have a cell for each field of the grid, empty ones too", () => {
    const page = new PageBuilder();
    for (const y of [100, 120, 140, 160]) page.line(100, y, 400, y);
    for (const x of [100, 200, 300, 400]) page.line(x, 100, x, 160);
    page.row(114, [105, 205, 305], ["Name", "Born", "Town"]);
    page.row(134, [105, 205, 305], ["Ann Lee", "1970", ""]);
    page.row(154, [105, 205, 305], ["Bob Ray", "1981", "York"]);
    expect(found(page)).toEqual([
      [
        ["Name", "Born", "Town"],
        ["Ann Lee", "1970", ""],
        ["Bob Ray", "1981", "York"],
      ],
    ]);
  });

  it("have merged cells where the line between two fields is missing", () => {
    const page = new PageBuilder();
    page.line(100, 100, 400, 100).line(200, 120, 400, 120).line(100, 140, 400, 140).line(100, 160, 400, 160);
    page.line(100, 100, 100, 160).line(200, 100, 200, 160).line(300, 120, 300, 160).line(400, 100, 400, 160);
    page.text(105, 124, "Town").text(205, 114, "Rainfall in").text(205, 134, "May").text(305, 134, "June");
    page.row(154, [105, 205, 305], ["York", "41", "50"]);
    expect(found(page)).toEqual([
      [
        ["Town [1x2]", "Rainfall in [2x1]"],
        ["May", "June"],
        ["York", "41", "50"],
      ],
    ]);
  });

  it("keep a text of several lines in its cell, line by line", () => {
    const page = new PageBuilder();
    for (const y of [100, 120, 160]) page.line(100, y, 400, y);
    for (const x of [100, 200, 400]) page.line(x, 100, x, 160);
    page.row(114, [105, 205], ["Part", "Use"]);
    page.row(134, [105, 205], ["Valve", "closes the pipe when the"]).text(205, 147, "pressure falls");
    expect(found(page)[0]![1]).toEqual(["Valve", "closes the pipe when the pressure falls"]);
  });

  it("have the rows that their lines of text make where only the columns are drawn", () => {
    const page = new PageBuilder();
    for (const y of [100, 120, 180]) page.line(100, y, 400, y);
    for (const x of [100, 250, 400]) page.line(x, 100, x, 180);
    page.row(114, [105, 255], ["Year", "Sum"]);
    for (const [index, sum] of ["10", "20", "30", "40"].entries())
      page.row(134 + 12 * index, [105, 255], [`200${index}`, sum]);
    expect(found(page)[0]).toEqual([
      ["Year", "Sum"],
      ["2000", "10"],
      ["2001", "20"],
      ["2002", "30"],
      ["2003", "40"],
    ]);
  });

  it("part the head by its shade where no line does", () => {
    const page = new PageBuilder().fill(100, 100, 400, 120);
    page.line(100, 100, 400, 100).line(100, 140, 400, 140).line(100, 160, 400, 160);
    for (const x of [100, 250, 400]) page.line(x, 100, x, 160);
    page.row(114, [105, 255], ["Old", "New"]);
    page.row(134, [105, 255], ["cars", "buses"]);
    page.row(154, [105, 255], ["coal", "wind"]);
    expect(found(page)[0]).toEqual([
      ["Old", "New"],
      ["cars", "buses"],
      ["coal", "wind"],
    ]);
  });

  it("are no frames, and no drawings with a few letters in them", () => {
    const frame = new PageBuilder();
    frame.line(100, 100, 400, 100).line(100, 200, 400, 200).line(100, 100, 100, 200).line(400, 100, 400, 200);
    for (let y = 114; y < 200; y += 12) frame.text(105, y, SENTENCE);
    expect(found(frame)).toEqual([]);
    const drawing = new PageBuilder();
    for (const at of [100, 150, 200, 250]) drawing.line(100, at, 250, at).line(at, 100, at, 250);
    drawing.text(120, 130, "A").text(170, 180, "B").text(220, 230, "x → y");
    expect(found(drawing)).toEqual([]);
  });
});

describe("tables between horizontal lines", () => {
  it("have the columns that the space between their words makes, and heads over several of them", () => {
    const page = new PageBuilder();
    page.line(100, 100, 420, 100).line(100, 136, 420, 136).line(100, 180, 420, 180);
    page.text(205, 114, "accuracy of the model");
    page.row(130, [105, 205, 275, 375], ["method", "first", "second", "time"]);
    page.row(150, [105, 205, 275, 375], ["ours", "0.91", "0.88", "12"]);
    page.row(162, [105, 205, 275, 375], ["theirs", "0.87", "0.80", "9"]);
    page.row(174, [105, 205, 275, 375], ["random", "0.50", "0.50", "1"]);
    expect(found(page)).toEqual([
      [
        ["", "accuracy of the model [2x1]", ""],
        ["method", "first", "second", "time"],
        ["ours", "0.91", "0.88", "12"],
        ["theirs", "0.87", "0.80", "9"],
        ["random", "0.50", "0.50", "1"],
      ],
    ]);
  });

  it("put the lines of a head into one row", () => {
    const page = new PageBuilder();
    page.line(100, 100, 400, 100).line(100, 132, 400, 132).line(100, 164, 400, 164);
    page.row(114, [105, 205, 305], ["kind of", "number of", ""]);
    page.row(126, [105, 205, 305], ["house", "rooms", "rent"]);
    page.row(146, [105, 205, 305], ["cottage", "3", "500"]);
    page.row(158, [105, 205, 305], ["villa", "9", "1500"]);
    expect(found(page)[0]![0]).toEqual(["kind of house", "number of rooms", "rent"]);
  });

  it("are not the text between a rule under the head of the page and one above its foot", () => {
    const page = new PageBuilder().line(60, 60, 550, 60).line(60, 700, 550, 700);
    for (let y = 90; y < 690; y += 12) page.text(60, y, SENTENCE).text(320, y, SENTENCE);
    expect(found(page)).toEqual([]);
  });
});

describe("tables without lines", () => {
  const columns = [60, 160, 260, 360];

  it("are columns that stand under one another, with empty cells", () => {
    const page = new PageBuilder().text(60, 100, "The stock of the warehouse in May was as follows:");
    page.row(130, columns, ["Code", "Place", "Expected", "Found"]);
    page.row(145, columns, ["A-17", "north", "450", ""]);
    page.row(160, columns, ["", "south", "", "289"]);
    page.row(175, columns, ["B-22", "", "780", "778"]);
    page.text(60, 210, "Differences are looked into every month.");
    expect(found(page)).toEqual([
      [
        ["Code", "Place", "Expected", "Found"],
        ["A-17", "north", "450", ""],
        ["", "south", "", "289"],
        ["B-22", "", "780", "778"],
      ],
    ]);
  });

  it("join the lines of a cell that goes on below", () => {
    const page = new PageBuilder();
    page.row(100, [60, 200], ["Option", "Meaning"]);
    page.row(118, [60, 200], ["--force", "write the file even if"]).text(200, 129, "there is one already");
    page.row(147, [60, 200], ["--quiet", "say nothing but errors"]).text(200, 158, "and what they mean");
    page.row(176, [60, 200], ["--version", "print the version"]);
    expect(found(page)[0]).toEqual([
      ["Option", "Meaning"],
      ["--force", "write the file even if there is one already"],
      ["--quiet", "say nothing but errors and what they mean"],
      ["--version", "print the version"],
    ]);
  });

  it("stand in one column of a page with two, without the text beside them", () => {
    const page = new PageBuilder();
    for (let y = 90; y < 500; y += 12) page.text(320, y, SENTENCE);
    for (let y = 90; y < 250; y += 12) page.text(60, y, SENTENCE);
    for (let y = 350; y < 500; y += 12) page.text(60, y, SENTENCE);
    for (const [index, value] of ["value", "10", "20", "30"].entries())
      page.row(280 + 14 * index, [60, 130, 200], [index === 0 ? "year" : `200${index}`, value, `${index}%`]);
    expect(found(page).map((table) => table.map((row) => row.join("|")))).toEqual([
      ["year|value|0%", "2001|10|1%", "2002|20|2%", "2003|30|3%"],
    ]);
  });

  it.each<[string, (page: PageBuilder) => void]>([
    [
      "text in two columns",
      (page) => {
        for (let y = 90; y < 700; y += 12) page.text(60, y, SENTENCE).text(320, y, SENTENCE);
      },
    ],
    [
      "a list with bullets",
      (page) => {
        for (let y = 90; y < 300; y += 14) page.text(60, y, "•").text(80, y, "pay the rent");
      },
    ],
    [
      "a list with numbers",
      (page) => {
        for (let n = 1; n < 12; n += 1) page.text(60, 90 + 14 * n, `${n}.`).text(85, 90 + 14 * n, "turn left");
      },
    ],
    [
      "contents with leaders",
      (page) => {
        for (let n = 1; n < 12; n += 1)
          page.text(60, 90 + 14 * n, `Chapter ${n} . . . . . . . . . . .`).text(400, 90 + 14 * n, `${n * 7}`);
      },
    ],
    [
      "contents without leaders",
      (page) => {
        for (let n = 1; n < 12; n += 1) page.text(60, 90 + 14 * n, `Chapter ${n}`).text(400, 90 + 14 * n, `${n * 7}`);
      },
    ],
    [
      "a listing of code",
      (page) => {
        for (let n = 1; n < 12; n += 1) {
          page.text(60, 90 + 12 * n, `x${n} = 1;`, { monospaced: true });
          page.text(200, 90 + 12 * n, "// set it", { monospaced: true });
        }
      },
    ],
    [
      "a running head of three lines",
      (page) => {
        page.text(60, 40, "Request for proposals").text(450, 40, "Section 4");
        page.text(60, 52, "Rotary Clubs").text(450, 52, "Instructions");
        page.text(60, 64, "Sargent House").text(450, 64, "Page 1 of 8");
      },
    ],
    [
      "aligned equations",
      (page) => {
        for (let n = 1; n < 6; n += 1) page.text(150, 90 + 14 * n, "a = b").text(400, 90 + 14 * n, `(${n})`);
      },
    ],
  ])("are not %s", (_, draw) => {
    const page = new PageBuilder();
    draw(page);
    expect(found(page)).toEqual([]);
  });
});

describe("the tables of a page", () => {
  it("hold each word once, as the object that the page has", () => {
    const page = new PageBuilder();
    for (const y of [100, 120, 140]) page.line(100, y, 300, y);
    for (const x of [100, 200, 300]) page.line(x, 100, x, 140);
    page.row(114, [105, 205], ["Name", "Sum"]).row(134, [105, 205], ["Ann", "12"]);
    page.row(220, [60, 160, 260], ["Day", "Sun", "Rain"]);
    page.row(235, [60, 160, 260], ["Monday", "7 h", "0 mm"]);
    page.row(250, [60, 160, 260], ["Tuesday", "5 h", "3 mm"]);
    const tables = findTables(page.page());
    const items = tables.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells.flatMap((cell) => cell.items)));
    expect(tables).toHaveLength(2);
    expect(new Set(items).size).toBe(items.length);
    expect(items.every((item) => page.items.includes(item))).toBe(true);
    expect(tables.map(({ header }) => header)).toEqual([true, true]);
  });

  it("are looked for within bounds where a page is nothing but lines, words or both", () => {
    const page = new PageBuilder();
    for (let y = 10; y < 780; y += 6) page.line(20, y, 590, y);
    for (let x = 20; x < 590; x += 6) page.line(x, 10, x, 300);
    for (let y = 15; y < 780; y += 6) for (let x = 20; x < 590; x += 30) page.text(x, y, "ab");
    const started = performance.now();
    findTables(page.page());
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
