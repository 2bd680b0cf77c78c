import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convertPage } from "./convert.js";

/** Words that try to be syntax of Markdown or HTML, beside plain ones in several scripts. */
const word = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-z]{1,8}$/) },
  fc.stringMatching(/^[0-9]{1,4}[.,]?[0-9]{0,2}$/),
  fc.constantFrom(
    "größe",
    "мир",
    "日本語",
    "שלום",
    "AT&T",
    "a_b_c",
    "x*y",
    "C:\\dir",
    "$5",
    "$HOME",
    "~5",
    "<b>",
    "[y]",
    "](y)",
    "`q`",
  ),
  fc.constantFrom(
    "#",
    "-",
    "+",
    "*",
    "1.",
    "2)",
    ">",
    "---",
    "===",
    "|",
    "!",
    "&lt;",
    "[^1]",
    ":",
    "—",
    "“quoted”",
    "end.",
  ),
);
const words = fc.array(word, { minLength: 1, maxLength: 8 }).map((list) => list.join(" "));

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

const { line } = fc.letrec<{ line: string }>((tie) => ({
  line: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    words.map(escaped),
    fc
      .tuple(
        fc.constantFrom("b", "i", "em", "strong", "s", "code", "span", "u", "q", "sup", "sub", "label"),
        tie("line"),
      )
      .map(([name, inside]) => `<${name}>${inside}</${name}>`),
    fc.tuple(tie("line"), fc.constantFrom("", " ", "<br>", "\n"), tie("line")).map((parts) => parts.join("")),
    tie("line").map((inside) => `<a href="https://example.org/a_(b)?c=1&amp;d">${inside}</a>`),
  ),
}));

const { block } = fc.letrec<{ block: string }>((tie) => {
  const blocks = fc.array(tie("block"), { minLength: 1, maxLength: 3 }).map((list) => list.join("\n"));
  return {
    block: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc
        .tuple(fc.constantFrom("p", "p", "div", "h1", "h2", "h6", "figcaption"), line)
        .map(([name, inside]) => `<${name}>${inside}</${name}>`),
      line,
      words.map((text) => `<pre>${escaped(text)}\n  ${escaped(text)}</pre>`),
      fc
        .tuple(fc.constantFrom("blockquote", "div", "section", "details"), blocks)
        .map(([name, inside]) => `<${name}>${inside}</${name}>`),
      fc
        .tuple(
          fc.constantFrom("ul", "ol", 'ol start="7"'),
          fc.array(fc.oneof(line, blocks), { minLength: 1, maxLength: 3 }),
        )
        .map(([name, items]) => `<${name}>${items.map((item) => `<li>${item}</li>`).join("")}</${name.slice(0, 2)}>`),
      fc
        .array(fc.tuple(line, fc.oneof(line, blocks)), { minLength: 1, maxLength: 2 })
        .map((pairs) => `<dl>${pairs.map(([term, told]) => `<dt>${term}</dt><dd>${told}</dd>`).join("")}</dl>`),
      fc
        .array(fc.array(fc.oneof({ weight: 4, arbitrary: line }, blocks), { minLength: 2, maxLength: 3 }), {
          minLength: 2,
          maxLength: 3,
        })
        .map(
          (rows) =>
            `<table><tr><th>h</th><th>k</th></tr>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")}</table>`,
        ),
    ),
  };
});

describe("pages made from known content", () => {
  it("lose no word and gain none, whatever they nest", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 4 }), async (blocks) => {
        const { conversion, certificate } = await convertPage(`<!doctype html><body>${blocks.join("\n")}`);
        const { lost, added } = certificate.words;
        expect({ lost, added, markdown: lost + added > 0 ? conversion.markdown : "" }).toEqual({
          lost: 0,
          added: 0,
          markdown: "",
        });
      }),
      { seed: 4, numRuns: process.env.MDCX_LONG === undefined ? 300 : 20_000 },
    );
  }, 300_000);

  it("end in any text that is cut anywhere", async () => {
    const page =
      "<table><tr><td><ul><li><a href='x'><b>one<pre>two</pre></a><dl><dt>t<dd>d<math><mi>x</mi></math><ruby>a<rt>b";
    for (let end = 0; end <= page.length; end++) await convertPage(page.slice(0, end));
  });
});
