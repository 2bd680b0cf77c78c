import create from "markdown-it";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PLAIN, writeInlines, type Inline } from "../../../src/convert/docx/inline.js";
import { paragraph } from "../../../src/convert/markdown.js";

const parser = create({ html: true });

/** The characters of Markdown with how each looks, blanks apart. */
function shown(markdown: string): string[] {
  const found: string[] = [];
  const open = { B: 0, I: 0, S: 0, L: 0 };
  const byName = { strong: "B", em: "I", s: "S", del: "S", link: "L" } as const;
  for (const token of parser.parse(markdown, {}))
    for (const child of token.children ?? []) {
      const tag = /^<(\/?)(strong|em|del)>$/.exec(child.content);
      const mark = /^(strong|em|s|link)_(open|close)$/.exec(child.type);
      if (child.type === "html_inline" && tag !== null) open[byName[tag[2] as "em"]] += tag[1] === "" ? 1 : -1;
      else if (mark !== null) open[byName[mark[1] as "em"]] += mark[2] === "open" ? 1 : -1;
      else
        found.push(
          ...signs(child.content, child.type === "code_inline", open.B > 0, open.I > 0, open.S > 0, open.L > 0),
        );
    }
  return found;
}

function signs(text: string, code: boolean, bold: boolean, italic: boolean, strike: boolean, link: boolean): string[] {
  const look = `${bold ? "B" : ""}${italic ? "I" : ""}${strike ? "S" : ""}${code ? "C" : ""}${link ? "L" : ""}`;
  return Array.from(text)
    .filter((sign) => sign.trim() !== "")
    .map((sign) => (/[\p{L}\p{N}]/u.test(sign) ? sign + look : sign));
}

describe("runs written as Markdown", () => {
  it("read as themselves and look as they did, whatever stands beside them", () => {
    const text = fc
      .array(
        fc.constantFrom(
          "a",
          "b c",
          " ",
          "x.",
          "(y)",
          "“z”",
          "*",
          "!",
          "中文",
          ": ",
          " d ",
          "1",
          "<i>",
          "`",
          "$5",
          "&amp;",
          "#",
        ),
        {
          minLength: 1,
          maxLength: 3,
        },
      )
      .map((parts) => parts.join(""));
    const look = fc.record({
      bold: fc.boolean(),
      italic: fc.boolean(),
      strike: fc.constant(false),
      code: fc.constantFrom(false, false, false, true),
      script: fc.constant("" as const),
      target: fc.constantFrom("", "", "", "https://t.example/"),
    });
    const inline = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant("text" as const), text, look }) },
      { weight: 1, arbitrary: fc.constant<Inline>({ kind: "break" }) },
    );
    fc.assert(
      fc.property(fc.array(inline, { minLength: 1, maxLength: 5 }), (inlines) => {
        const wanted = inlines.flatMap((each) =>
          each.kind === "text"
            ? signs(each.text, each.look.code, each.look.bold, each.look.italic, false, each.look.target !== "")
            : [],
        );
        expect(shown(paragraph(writeInlines(inlines, { lineBreak: "\\\n" })))).toEqual(wanted);
      }),
      { numRuns: 2_000, seed: 11 },
    );
  });

  it("guard a dollar that a formula or another run would make the end of a formula", () => {
    const price: Inline = { kind: "text", text: "5$ and ", look: PLAIN };
    expect(writeInlines([price, { kind: "formula", latex: "x", display: false }], { lineBreak: " " })).toBe(
      "5\\$ and $x$",
    );
    expect(writeInlines([price], { lineBreak: " " })).toBe("5$ and");
  });

  it("guard a bracket behind a note, and an exclamation mark before a link", () => {
    const text = (words: string, target = ""): Inline => ({ kind: "text", text: words, look: { ...PLAIN, target } });
    expect(writeInlines([text("a"), { kind: "note", label: "1" }, text("(b)")], { lineBreak: " " })).toBe("a[^1]\\(b)");
    expect(writeInlines([text("See!"), text("this", "https://t.example/")], { lineBreak: " " })).toBe(
      "See\\![this](https://t.example/)",
    );
  });
});
