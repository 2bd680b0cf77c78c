import { describe, expect, it } from "vitest";
import { convertPage, markdownOf } from "./convert.js";

describe("a page as Markdown", () => {
  it("keeps headings, paragraphs, emphasis and breaks", async () => {
    expect(
      await markdownOf(
        "<h1>One</h1><p>Some <b>bold</b>, <i>slanted</i> and <del>struck</del>\n  text.<br>Next line.</p><h3>Two <em>x</em></h3>",
      ),
    ).toBe("# One\n\nSome **bold**, *slanted* and ~~struck~~ text.\\\nNext line.\n\n### Two *x*");
  });

  it("writes text that is Markdown syntax so that it reads as itself", async () => {
    const { conversion, certificate } = await convertPage(
      "<p># no heading</p><p>1. no list</p><p>a * b * c and snake_case and *stars*</p><p>&lt;b&gt; [x](y) `tick`</p><p>---</p>",
    );
    expect(conversion.markdown).toContain("\\# no heading");
    expect(conversion.markdown).toContain("1\\. no list");
    expect(conversion.markdown).toContain("\\---");
    expect(certificate.words).toMatchObject({ lost: 0, added: 0 });
  });

  it("escapes dollars that would make a formula of the words between them, in whatever element they stand", async () => {
    expect(await markdownOf("<p>Set <b>$HOME</b> and <b>$PATH</b>.</p>")).toBe("Set **\\$HOME** and **\\$PATH**.");
    expect(await markdownOf("<p>It costs $5.</p>")).toBe("It costs $5.");
    expect(await markdownOf("<p>At $x, see <code>$y</code>.</p>")).toBe("At \\$x, see `$y`.");
  });

  it("moves blanks and punctuation out of emphasis where they would keep it from counting", async () => {
    expect(await markdownOf("<p>a<b> b </b>c</p>")).toBe("a **b** c");
    expect(await markdownOf("<p>日本<b>語。</b>次</p>")).toBe("日本**語**。次");
    expect(await markdownOf("<p><b>one</b><b>two</b></p>")).toBe("**onetwo**");
    expect(await markdownOf("<p>x<b><i> </i></b>y</p>")).toBe("x y");
    // Emphasis that cannot count is left out, and what it kept apart is then one text: a tag here.
    expect(await markdownOf("<p><b>a<i>&lt;b&gt; #</i></b>a</p>")).toBe("a\\<b> #a");
  });

  it("nests lists, goes on with their numbers and keeps two lists on end apart", async () => {
    expect(
      await markdownOf(
        "<ol start=3><li>three<ul><li>a</li><li>b</li></ul></li><li>four</li></ol><ol><li>again</li></ol>",
      ),
    ).toBe("3. three\n   - a\n   - b\n4. four\n\n1) again");
    expect(await markdownOf("<ul><li><p>one</p><p>more</p></li><li>two</li></ul>")).toBe("- one\n\n  more\n\n- two");
    expect(
      await markdownOf("<ul><li><input type=checkbox checked> done</li><li><input type=checkbox> open</li></ul>"),
    ).toBe("- [x] done\n- [ ] open");
  });

  it("writes definitions behind their terms", async () => {
    expect(
      await markdownOf("<dl><dt>Term</dt><dd>What it is.</dd><dt>Two</dt><dd>First.</dd><dd>Second.</dd></dl>"),
    ).toBe("- **Term**: What it is.\n- **Two**\n  - First.\n  - Second.");
  });

  it("keeps code with its language and its lines", async () => {
    expect(await markdownOf('<pre><code class="language-js">if (a &lt; b) {\n  c();\n}</code></pre>')).toBe(
      "```js\nif (a < b) {\n  c();\n}\n```",
    );
    expect(await markdownOf('<div class="highlight-python"><pre>a<br>b</pre></div>')).toBe("```python\na\nb\n```");
    expect(await markdownOf("<p>Run <code>a `b`</code>now</p>")).toBe("Run `` a `b` ``now");
  });

  it("quotes, and parts paragraphs at two breaks", async () => {
    expect(await markdownOf("<blockquote><p>One</p><p>Two</p></blockquote>three<br><br>four")).toBe(
      "> One\n>\n> Two\n\nthree\n\nfour",
    );
  });

  it("writes raised and lowered digits as the signs that Unicode has, and ordinals on the line", async () => {
    expect(await markdownOf("<p>H<sub>2</sub>O, x<sup>10</sup>, the 1<sup>st</sup>, x<sub>max</sub></p>")).toBe(
      "H₂O, x¹⁰, the 1st, x<sub>max</sub>",
    );
  });

  it("puts the reading of ruby behind its base, so that both are found", async () => {
    expect(await markdownOf("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>を</p>")).toBe(
      "漢字(かんじ)を",
    );
  });

  it("keeps right-to-left text in logical order", async () => {
    expect(await markdownOf('<div dir="rtl"><p>שלום <b>עולם</b> 123</p></div>')).toBe("שלום **עולם** 123");
  });
});

describe("links and images", () => {
  it("are kept where they lead somewhere, and never run anything", async () => {
    const { conversion, certificate } = await convertPage(
      '<a href="https://a.example/x y">one</a> <a href="other.html#s">two</a> <a href="#here">three</a> ' +
        '<a href="java\nscript:alert(1)">four</a> <a href="data:text/html,x">five</a> <a href="mailto:a@b.example">six</a>',
    );
    expect(conversion.markdown).toBe(
      "[one](https://a.example/x%20y) [two](other.html#s) three four five [six](mailto:a@b.example)\n",
    );
    expect(certificate.links).toEqual({ reference: 3, lost: 0, added: 0 });
  });

  it("stay links behind an exclamation mark", async () => {
    expect(await markdownOf('<p>Look!<a href="/x">here</a></p>')).toBe("Look\\![here](/x)");
  });

  it("that go around blocks go to their first words", async () => {
    expect(await markdownOf('<a href="/x"><h2>Title</h2><p>Text</p></a>')).toBe("## [Title](/x)\n\nText");
  });

  it("that lead to a place in the same page stay their words", async () => {
    expect((await convertPage('<a href="page.html#x">x</a>', "dir/page.html")).conversion.markdown).toBe("x\n");
  });

  it("images are their alternative text and name, and pictures of one pixel are nothing", async () => {
    expect(
      await markdownOf(
        '<img src="/a/b%20c.png?w=3" alt="A [view]"><img src="data:image/gif;base64,R0" data-src="late.jpg"><img width=1 height=1 src=t.gif>',
      ),
    ).toBe("![A \\[view\\]](b%20c.png)![](late.jpg)");
  });
});

describe("formulas", () => {
  const math = "<math><msup><mi>x</mi><mn>2</mn></msup></math>";

  it("of MathML are LaTeX, from their TeX where they hold it", async () => {
    expect(await markdownOf(`<p>Let ${math} be.</p>`)).toBe("Let $x^{2}$ be.");
    expect(
      await markdownOf(
        '<p><math><semantics><mi>x</mi><annotation encoding="application/x-tex">{\\displaystyle x}</annotation></semantics></math></p>',
      ),
    ).toBe("$x$");
    expect(await markdownOf('<math display="block"><mi>x</mi></math>')).toBe("$$\nx\n$$");
  });

  it("of TeX renderers come once, though they are in the page three times", async () => {
    const katex = `<span class="katex"><span class="katex-mathml">${math}</span><span class="katex-html">x2</span></span>`;
    const mathjax =
      '<span class="MathJax_Preview"></span><span class="MathJax">x2</span><script type="math/tex">x^2</script>';
    const wiki = `<span><span style="display:none">${math}</span><img class="mwe-math-fallback-image-inline" alt="x2"></span>`;
    const sphinx = '<span class="math">\\(x^2\\)</span>';
    for (const [page, latex] of [
      [katex, "x^{2}"],
      [mathjax, "x^2"],
      [wiki, "x^{2}"],
      [sphinx, "x^2"],
    ] as const) {
      const { conversion, certificate } = await convertPage(`<p>a ${page} b</p>`);
      expect(conversion.markdown).toBe(`a $${latex}$ b\n`);
      expect(certificate).toMatchObject({ status: "ok", formulas: { reference: 1, lost: 0, added: 0 } });
    }
  });
});

describe("what is not seen", () => {
  it("is no text: scripts, styles, templates, comments", async () => {
    expect(
      await markdownOf(
        "<style>p{}</style><script>var a</script><template>t</template><noscript>n</noscript><!-- c --><p>p</p>",
      ),
    ).toBe("p");
  });

  it("is withheld and counted where it is hidden", async () => {
    const { conversion, certificate } = await convertPage(
      '<p>seen</p><p hidden>one</p><p style="color:red; display : none">two</p><p hidden="until-found">found</p>',
    );
    expect(conversion.markdown).toBe("seen\n\nfound\n");
    expect(conversion.withheld).toEqual([
      { kind: "hidden", text: "one" },
      { kind: "hidden", text: "two" },
    ]);
    expect(certificate.words).toMatchObject({ lost: 0, added: 0, withheld: { hidden: 2 } });
  });

  it("navigation is withheld beside an article, and kept where it is all there is", async () => {
    const article = "<article>" + "<p>Words of an article.</p>".repeat(3) + "</article>";
    const { conversion, certificate } = await convertPage(`<nav><a href="/a">Home</a></nav>${article}`);
    expect(conversion.withheld).toEqual([{ kind: "navigation", text: "Home" }]);
    expect(conversion.markdown).not.toContain("Home");
    expect(certificate).toMatchObject({ words: { lost: 0 }, links: { lost: 0 } });
    expect(await markdownOf('<nav><ul><li><a href="/a">Home</a></li></ul></nav><p>x</p>')).toBe("- [Home](/a)\n\nx");
  });
});

describe("notes", () => {
  it("become footnotes where the page says what they are", async () => {
    const { conversion, certificate } = await convertPage(
      '<p>Text<a class="footnote-ref" href="#fn1" id="r1" role="doc-noteref"><sup>1</sup></a> goes on.</p>' +
        '<section class="footnotes" role="doc-endnotes"><hr><ol><li id="fn1"><p>The note.<a href="#r1" role="doc-backlink">↩︎</a></p></li></ol></section>',
    );
    expect(conversion.markdown).toBe("Text[^1] goes on.\n\n[^1]: The note.\n");
    expect(certificate.footnotes).toEqual({ reference: 1, lost: 0, added: 0 });
    expect(certificate.words).toMatchObject({ lost: 0, added: 0 });
  });

  it("stay links and paragraphs where they lead nowhere", async () => {
    expect(await markdownOf('<p>Text<a class="footnote-ref" href="#gone">1</a></p>')).toBe("Text1");
  });
});

describe("what a page says of itself", () => {
  it("is its title, language and the date of publication in ISO 8601", async () => {
    const { conversion } = await convertPage(
      '<html lang="de-AT"><head><title> Der  Titel </title><meta property="article:published_time" content="2021-03-04T05:06:07+0100"></head><body>x</body></html>',
    );
    expect(conversion).toMatchObject({ title: "Der Titel", language: "de-AT", date: "2021-03-04T05:06:07+01:00" });
  });

  it("is not guessed: 03/04/2021 is two dates", async () => {
    const { conversion } = await convertPage('<meta name="date" content="03/04/2021"><svg><title>icon</title></svg>x');
    expect(conversion.date).toBeUndefined();
    expect(conversion.language).toBeUndefined();
  });

  it("is read from linked data", async () => {
    const page = '<script type="application/ld+json">{"@type":"Article","datePublished":"2020-01-02"}</script><p>x</p>';
    expect((await convertPage(page)).conversion.date).toBe("2020-01-02");
  });
});

describe("the characters of a page", () => {
  const bytes = (text: string, encode: (sign: string) => number): Uint8Array => Uint8Array.from(text, encode);

  it("are decoded as declared, however late", async () => {
    const page = `<!doctype html><title>x</title><!--${"-".repeat(3_000)}--><meta charset="windows-1252"><p>\u00fc \u0093q\u0094</p>`;
    const { conversion } = await convertPage(bytes(page, (sign) => sign.charCodeAt(0)));
    expect(conversion.markdown).toBe("ü “q”\n");
  });

  it("are UTF-8 where the bytes are, whatever is declared, and UTF-16 by their mark", async () => {
    const utf8 = new TextEncoder().encode('<meta charset="iso-8859-1"><p>Grüße 日本</p>');
    expect((await convertPage(utf8)).conversion.markdown).toBe("Grüße 日本\n");
    const utf16 = Buffer.from('\uFEFF<meta charset="utf-8"><p>Grüße</p>', "utf16le");
    expect((await convertPage(utf16)).conversion.markdown).toBe("Grüße\n");
  });
});
