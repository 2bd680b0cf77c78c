import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certify } from "../../../src/convert/compare/certify.js";
import { recover } from "../../../src/convert/compare/recover.js";
import type { Certificate } from "../../../src/convert/certificate.js";
import type { Conversion, Reference } from "../../../src/convert/engine.js";

const paragraphs = [
  "The lessee pays 1,250.50 euros on the first day of each month.",
  "Interest of 4.5 percent falls due when a payment is late by 30 days.",
  "Both parties keep a signed copy; the notary keeps the third.",
  "Notice is given in writing, six months before the end of a year.",
  "Disputes go to the court at the seat of the lessor.",
];
const table = [
  ["Item", "Price", "Year"],
  ["Desk", "120", "2019"],
  ["Lamp", "35", "2021"],
  ["Chair", "80", "2022"],
];

const pipes = (rows: readonly (readonly string[])[]): string =>
  rows
    .flatMap((row, i) => [`| ${row.join(" | ")} |`, ...(i === 0 ? [`|${row.map(() => " --- |").join("")}`] : [])])
    .join("\n");

const markdown = `# Lease of rooms\n\n${paragraphs.join("\n\n")}\n\n${pipes(table)}\n`;
const reference: Reference = {
  reader: "test",
  units: [
    {
      place: "page 1",
      text: `Lease of rooms\n${paragraphs.join("\n")}\n${table.map((row) => row.join("\t")).join("\n")}`,
    },
  ],
  tables: [table],
};

function conversion(text: string, more: Partial<Conversion> = {}): Conversion {
  return { engine: "test", markdown: text, withheld: [], labels: [], findings: [], ...more };
}

function count(text: string): number {
  return text.match(/[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu)!.length;
}

async function of(text: string, against: Reference = reference, more: Partial<Conversion> = {}): Promise<Certificate> {
  return certify(conversion(text, more), against);
}

describe("a certificate of a faithful conversion", () => {
  it("says that nothing was lost, added, moved or misplaced", async () => {
    const certificate = await of(markdown);
    expect(certificate).toMatchObject({
      status: "ok",
      words: { lost: 0, added: 0, coverage: 1, recovered: 0, unverifiable: 0 },
      order: 1,
      numbers: { lost: 0, added: 0 },
      tables: { cells: 12, inPlace: 12, lost: 0, added: 0 },
      lost: [],
      added: [],
    });
    expect(certificate.reason).toBeUndefined();
    expect(certificate.numbers.reference).toBe(9);
  });

  it("is perfect for any text against itself", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.stringMatching(/^[a-zäß0-9 .,]{1,40}$/), { minLength: 1, maxLength: 30 }),
        async (lines) => {
          const text = lines.join("\n");
          const certificate = await of(`\`\`\`\n${text}\n\`\`\``, { reader: "test", units: [{ text }] });
          expect(certificate.words).toMatchObject({ lost: 0, added: 0 });
          if (certificate.words.reference > 0) expect(certificate.order).toBe(1);
        },
      ),
      { seed: 4, numRuns: 100 },
    );
  });

  it("loses exactly the words that were dropped, wherever they stood", async () => {
    const word = fc.constantFrom("alpha", "beta", "gamma", "delta", "epsilon", "the", "of", "zeta", "eta", "theta");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(word, fc.boolean()), { minLength: 1, maxLength: 120 }), async (words) => {
        const text = words.map(([one]) => one).join(" ");
        const kept = words
          .filter(([, keep]) => keep)
          .map(([one]) => one)
          .join(" ");
        const certificate = await of(kept, { reader: "test", units: [{ text }] });
        expect(certificate.words.lost).toBe(words.filter(([, keep]) => !keep).length);
        expect(certificate.words.added).toBe(0);
        expect(certificate.order ?? 1).toBe(1);
      }),
      { seed: 4, numRuns: 200 },
    );
  });
});

describe("damage to an engine's output changes the figures by exactly that", () => {
  it("a dropped paragraph", async () => {
    const dropped = paragraphs[1]!;
    const certificate = await of(markdown.replace(`${dropped}\n\n`, ""));
    expect(certificate.words).toMatchObject({ lost: count(dropped), added: 0 });
    expect(certificate.words.coverage).toBe(1 - count(dropped) / certificate.words.reference);
    expect(certificate.numbers).toMatchObject({ lost: 2, added: 0 });
    expect(certificate.order).toBe(1);
    expect(certificate.lost).toEqual([
      { place: "page 1", words: dropped.toLowerCase().replace(/\.$/, "").split(" "), text: dropped },
    ]);
    expect(certificate.status).toBe("fail");
    expect(certificate.reason).toContain("14 words of");
  });

  it("two cells that changed places, though no word is lost", async () => {
    const swapped = table.map((row) => [...row]);
    [swapped[1]![1], swapped[3]![1]] = [swapped[3]![1]!, swapped[1]![1]!];
    const certificate = await of(markdown.replace(pipes(table), pipes(swapped)));
    expect(certificate.words).toMatchObject({ lost: 0, added: 0 });
    expect(certificate.tables).toEqual({ cells: 12, inPlace: 10, lost: 0, added: 0 });
    expect(certificate.status).toBe("warn");
    expect(certificate.reason).toContain("10 of 12 table cells are in place");
  });

  it("two cells of one row that changed places", async () => {
    const swapped = table.map((row) => [...row]);
    [swapped[2]![1], swapped[2]![2]] = [swapped[2]![2]!, swapped[2]![1]!];
    const certificate = await of(markdown.replace(pipes(table), pipes(swapped)));
    expect(certificate.tables).toEqual({ cells: 12, inPlace: 10, lost: 0, added: 0 });
  });

  it("a changed digit, which is one number lost and one added", async () => {
    const certificate = await of(markdown.replace("1,250.50", "1,256.50"));
    expect(certificate.words).toMatchObject({ lost: 1, added: 1 });
    expect(certificate.numbers).toEqual({ reference: 9, lost: 1, added: 1 });
    expect(certificate.lost[0]).toEqual({ place: "page 1", words: ["1,250.50"], text: paragraphs[0] });
    expect(certificate.added[0]?.words).toEqual(["1,256.50"]);
    expect(certificate.status).toBe("warn");
    expect(certificate.reason).toContain("1 number of 9 is missing");
  });

  it("a changed digit in a cell", async () => {
    const certificate = await of(markdown.replace("| 35 |", "| 36 |"));
    expect(certificate.numbers).toMatchObject({ lost: 1, added: 1 });
    expect(certificate.tables).toEqual({ cells: 12, inPlace: 11, lost: 1, added: 1 });
  });

  it("a page written twice", async () => {
    const certificate = await of(`${markdown}\n${markdown}`);
    expect(certificate.words).toMatchObject({ lost: 0, added: certificate.words.reference, coverage: 1 });
    expect(certificate.numbers).toMatchObject({ lost: 0, added: 9 });
    expect(certificate.tables).toEqual({ cells: 12, inPlace: 12, lost: 0, added: 12 });
    expect(certificate.order).toBe(1);
    expect(certificate.status).toBe("fail");
  });

  it("a sentence that the original does not hold", async () => {
    const certificate = await of(markdown.replace("Notice is", "Nobody ever agreed to this. Notice is"));
    expect(certificate.words).toMatchObject({ lost: 0, added: 5 });
    expect(certificate.added[0]?.words).toEqual(["nobody", "ever", "agreed", "to", "this"]);
    expect(certificate.status).toBe("warn");
  });

  it("two paragraphs in the wrong order", async () => {
    const certificate = await of(
      markdown.replace(paragraphs[0]!, "§").replace(paragraphs[4]!, paragraphs[0]!).replace("§", paragraphs[4]!),
    );
    expect(certificate.words).toMatchObject({ lost: 0, added: 0 });
    expect(certificate.order).toBeLessThan(0.8);
    expect(certificate.status).toBe("warn");
  });

  it("an engine that returns nothing has coverage 0, not 1", async () => {
    const certificate = await of("");
    expect(certificate.words).toMatchObject({ coverage: 0, lost: certificate.words.reference, added: 0 });
    expect(certificate.order).toBeNull();
    expect(certificate.status).toBe("fail");
    expect(certificate.reason).toMatch(/^None of the \d+ words of the original is there;/);
  });

  it("words swapped for one another by their endings are lost, though the letters add up", async () => {
    const certificate = await of("reform on", { reader: "test", units: [{ text: "form reon" }] });
    expect(certificate.words.lost).toBe(2);
  });
});

describe("what is no loss", () => {
  const same = async (text: string, written: string, more: Partial<Reference> = {}): Promise<Certificate["words"]> =>
    (await of(written, { reader: "test", units: [{ text }], ...more })).words;

  it.each([
    ["a hyphen at the end of a line", "the con-\nversion of all", "the conversion of all"],
    ["letter-spaced text", "a  C O N T R A C T  between", "a CONTRACT between"],
    ["words glued by another reader", "all ofthe words", "all of the words"],
    ["an accent apart from its letter", "a na\u00a8\u0131ve strategy", "a naïve strategy"],
    ["a vowel sign before its letter", "\u0623\u064a \u064b\u0636\u0627 x", "\u0623\u064a\u0636\u0627\u064b x"],
    [
      "alef and lam in the order of their sign",
      "\u0627\u0625\u0644\u0646\u062a\u0627\u062c",
      "\u0627\u0644\u0625\u0646\u062a\u0627\u062c",
    ],
    ["ligatures", "the ﬁrst oﬃce", "the first office"],
    ["soft hyphens and zero-width blanks", "con\u00adver\u200bsion", "conversion"],
    ["signs of direction", "\u202bשלום\u202c עולם", "שלום עולם"],
    ["other apostrophes", "l’homme don't", "l'homme don’t"],
    ["capitals", "CHAPTER One", "Chapter one"],
    ["emphasis within a word", "conversion", "con**ver**sion"],
    ["indices", "H2O and x2", "H<sub>2</sub>O and x<sup>2</sup>"],
    ["escapes and entities", "a * b & c <d> 1. x", "a \\* b &amp; c \\<d> 1\\. x"],
    ["list numbers that the original shows", "1. one\n2. two", "1. one\n2. two"],
    ["list numbers that it does not show", "one\ntwo", "1. one\n2. two"],
    ["marks of notes that the original shows", "word1 more\n1 the note", "word[^1] more\n\n[^1]: the note"],
    ["marks of notes that it does not show", "word more\nthe note", "word[^1] more\n\n[^1]: the note"],
    ["scripts without blanks", "日本語の 文書です", "日本\n語の文書で す"],
    ["a number with a blank after its comma", "see [1, 2]", "see [1,2]"],
    ["numbers after units without a blank", "12 kg", "12kg"],
  ])("%s", async (_name, text, written) => {
    expect(await same(text, written)).toMatchObject({ lost: 0, added: 0 });
  });

  it.each([
    ["an accent that is gone", "the résumé here", "the resume here"],
    ["a hamza that is gone", "\u0627\u0644\u0623\u0646", "\u0627\u0644\u0627\u0646"],
    ["two numbers run together", "1 2", "12"],
    ["a number without its point", "3.14", "314"],
    ["a point turned into a comma", "1.5", "1,5"],
    ["a number cut in two cells", "3.14", "3 14"],
  ])("but %s is one", async (_name, text, written) => {
    expect((await same(text, written)).lost).toBeGreaterThan(0);
  });

  it("a word that the end of a page divides, with a running head between its halves", async () => {
    const text = "the whole con-\nAnnual report 2023\nversion of it";
    const certificate = await of(
      "the whole conversion of it",
      { reader: "test", units: [{ text }] },
      {
        withheld: [{ kind: "running-head", text: "Annual report 2023" }],
      },
    );
    expect(certificate.words).toMatchObject({ lost: 0, added: 0, withheld: { "running-head": 3 } });
  });
});

describe("what an engine keeps out or writes itself", () => {
  it("counts withheld text by kind and not as lost", async () => {
    const certificate = await of(
      "Body text here.",
      { reader: "test", units: [{ text: "Annual report\nBody text here.\n12" }] },
      {
        withheld: [
          { kind: "running-head", text: "Annual report" },
          { kind: "page-number", text: "12" },
        ],
      },
    );
    expect(certificate.words).toMatchObject({ lost: 0, withheld: { "running-head": 2, "page-number": 1 } });
  });

  it("does not let withheld text excuse another loss", async () => {
    const certificate = await of(
      "Body.",
      { reader: "test", units: [{ text: "Annual report\nBody. Important sentence." }] },
      {
        withheld: [{ kind: "running-head", text: "Annual report" }],
      },
    );
    expect(certificate.words.lost).toBe(2);
  });

  it("warns where much was kept out", async () => {
    const certificate = await of(
      "Body.",
      { reader: "test", units: [{ text: "A whole chapter here. Body." }] },
      {
        withheld: [{ kind: "hidden", text: "A whole chapter here." }],
      },
    );
    expect(certificate.status).toBe("warn");
  });

  it("does not count its own labels as added", async () => {
    const certificate = await of(
      "Body.\n\n## Comments\n\n- Ann: fine",
      { reader: "test", units: [{ text: "Body. fine" }], comments: ["fine"] },
      {
        labels: ["Comments", "Ann"],
      },
    );
    expect(certificate.words).toMatchObject({ lost: 0, added: 0, labels: 2 });
    expect(certificate.comments).toEqual({ reference: 1, lost: 0, added: 0 });
  });

  it("counts recognised text as unverifiable, never as fidelity", async () => {
    const text =
      "<!-- mdcx:page 1 -->\n\nReal text.\n\n<!-- mdcx:page 2 ocr -->\n\nRecognised words here.\n\n<!-- mdcx:page 3 -->\n\nMore.";
    const certificate = await of(text, { reader: "test", units: [{ text: "Real text.\nMore." }] });
    expect(certificate.words).toMatchObject({ reference: 3, lost: 0, added: 0, unverifiable: 3 });
  });

  it("is unverifiable where the original holds no text", async () => {
    const certificate = await of("<!-- mdcx:page 1 ocr -->\n\nRecognised words.", { reader: "test", units: [] });
    expect(certificate).toMatchObject({ status: "unverifiable", words: { coverage: null, unverifiable: 2 } });
  });
});

describe("links, notes, formulas and images", () => {
  it("are taken apart from words and compared each on its own", async () => {
    const text =
      "See [the page](https://Example.org/a%20b/) and ![a red door](door.png).[^1] Then $x^2+\\alpha$.\n\n[^1]: A note.";
    const certificate = await of(text, {
      reader: "test",
      units: [{ text: "See the page and . Then . A note." }],
      links: ["https://example.org/a b", "https://example.org/lost"],
      footnotes: ["A note."],
      formulas: ["𝑥2+α", "y"],
      images: ["a red door", ""],
    });
    expect(certificate.words).toMatchObject({ lost: 0, added: 0 });
    expect(certificate.links).toEqual({ reference: 2, lost: 1, added: 0 });
    expect(certificate.footnotes).toEqual({ reference: 1, lost: 0, added: 0 });
    expect(certificate.formulas).toEqual({ reference: 2, lost: 1, added: 0 });
    expect(certificate.images).toEqual({ reference: 2, placed: 1, withoutText: 1 });
  });

  it("keeps the x of a box that is no task, and does not ask for that of a task", async () => {
    const literal = "- one\n\n  [x] more\n\n| [x] cell | b |\n| --- | --- |\n| [x] c | d |\n";
    const written = await of(literal, { reader: "test", units: [{ text: "one [x] more [x] cell b [x] c d" }] });
    expect(written.words).toMatchObject({ reference: 9, lost: 0, added: 0 });
    for (const text of ["[x] done", "done"]) {
      const { words } = await of("- [x] done\n", { reader: "test", units: [{ text }] });
      expect(words).toMatchObject({ lost: 0, added: 0 });
    }
  });

  it("reads tables in HTML whose cells hold Markdown", async () => {
    const html =
      '<table>\n<tr>\n<th colspan="2">Both &amp; all</th>\n</tr>\n<tr>\n<td>\n\n- one\n- *two*\n\n</td>\n<td>three</td>\n</tr>\n</table>';
    const certificate = await of(html, {
      reader: "test",
      units: [{ text: "Both & all one two three" }],
      tables: [[["Both & all"], ["one two", "three"]]],
    });
    expect(certificate.words).toMatchObject({ lost: 0, added: 0 });
    expect(certificate.tables).toEqual({ cells: 3, inPlace: 3, lost: 0, added: 0 });
  });
});

describe("recovery", () => {
  it("gives back the lines that hold lost words, by place, and counts the words", async () => {
    const lost = paragraphs[3]!;
    const certificate = await of(markdown.replace(`${lost}\n\n`, ""));
    const recovery = recover(certificate);
    expect(recovery.markdown).toBe(`<!-- mdcx:page 1 -->\n\n**Page 1**\n\n${lost}`);
    expect(recovery.recovered).toBe(count(lost));
    expect(certificate.words.coverage).toBeLessThan(1);
  });

  it("writes nothing where nothing was lost", async () => {
    expect(recover(await of(markdown))).toEqual({ markdown: "", recovered: 0 });
  });
});
