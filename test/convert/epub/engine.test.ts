import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { convertBook, epub, markdownOfBook, xhtml } from "./build.js";

const NAV = (entries: string): string => xhtml(`<nav epub:type="toc"><ol>${entries}</ol></nav>`);
const nav = (entries: string): { manifest: string; others: Record<string, string> } => ({
  manifest: '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>',
  others: { "OEBPS/nav.xhtml": NAV(entries) },
});

describe("a book as Markdown", () => {
  it("has its chapters in the order of its spine, each under its place", async () => {
    const { conversion, certificate } = await convertBook({
      chapters: { "b.xhtml": "<h1>Second</h1><p>Two.</p>", "a.xhtml": "<h1>First</h1><p>One.</p>" },
      spine: '<itemref idref="c1"/><itemref idref="c0"/>',
    });
    expect(conversion.markdown).toBe(
      '<!-- mdcx:chapter "First" -->\n\n# First\n\nOne.\n\n<!-- mdcx:chapter "Second" -->\n\n# Second\n\nTwo.\n',
    );
    expect(conversion.pagesTotal).toBe(2);
    expect(certificate).toMatchObject({ status: "ok", words: { reference: 4, lost: 0, added: 0 }, order: 1 });
  });

  it("takes the names of its chapters from the table of contents of EPUB 3, else of EPUB 2, else the file", async () => {
    const chapters = { "a.xhtml": "<p>One.</p>" };
    const three = nav('<li><a href="a.xhtml">From the nav</a></li>');
    expect(await markdownOfBook({ chapters, ...three })).toContain('chapter "From the nav"');
    expect(
      await markdownOfBook({
        chapters,
        manifest: '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
        spineAttributes: 'toc="ncx"',
        others: {
          "OEBPS/toc.ncx":
            '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint id="n"><navLabel><text>From the ncx</text></navLabel><content src="a.xhtml#x"/></navPoint></navMap></ncx>',
        },
      }),
    ).toContain('chapter "From the ncx"');
    expect(await markdownOfBook({ chapters: { "a.xhtml": xhtml("<p>One.</p>", "") } })).toContain('chapter "a.xhtml"');
  });

  it("marks the chapters that begin within a file", async () => {
    expect(
      await markdownOfBook({
        chapters: {
          "a.xhtml": '<p>Before.</p><div><h1 id="one">One</h1><p>x</p><ul><li id="two">in a list</li></ul></div>',
        },
        ...nav('<li><a href="a.xhtml#one">One</a></li><li><a href="a.xhtml#two">Two</a></li>'),
      }),
    ).toBe(
      '<!-- mdcx:chapter "One" -->\n\nBefore.\n\n<!-- mdcx:chapter "One" -->\n\n# One\n\nx\n\n<!-- mdcx:chapter "Two" -->\n\n- in a list',
    );
  });

  it("says its title, language and date of publication", async () => {
    const { conversion } = await convertBook({
      chapters: { "a.xhtml": "<p>x</p>" },
      metadata:
        '<dc:title id="s">Sub</dc:title><dc:title id="t">Main &amp; title</dc:title><meta refines="#t" property="title-type">main</meta>' +
        '<dc:language>fr_FR</dc:language><dc:date opf:event="modification">2020-01-01</dc:date><dc:date opf:event="publication">1999-05</dc:date>',
    });
    expect(conversion).toMatchObject({ title: "Main & title", language: "fr-FR", date: "1999-05" });
  });

  it("keeps links that lead out, and the words of those between its chapters", async () => {
    const { conversion, certificate } = await convertBook({
      chapters: {
        "a.xhtml": '<p><a href="b.xhtml#x">see b</a> <a href="https://a.example/">web</a></p>',
        "b.xhtml": '<p id="x">b</p>',
      },
    });
    expect(conversion.markdown).toContain("see b [web](https://a.example/)");
    expect(certificate.links).toEqual({ reference: 1, lost: 0, added: 0 });
  });

  it("has notes that are unique over the book, wherever they stand", async () => {
    const ref = (id: string): string => `<p>Text<a epub:type="noteref" href="notes.xhtml#${id}">1</a>.</p>`;
    const { conversion, certificate } = await convertBook({
      chapters: {
        "a.xhtml": ref("n1"),
        "b.xhtml": ref("n2"),
        "notes.xhtml":
          '<aside epub:type="footnote" id="n1"><p><a href="a.xhtml#r">1</a> First note.</p></aside><aside epub:type="footnote" id="n2"><p>Second note.</p></aside>',
      },
    });
    expect(conversion.markdown).toContain("Text[^1].");
    expect(conversion.markdown).toContain("[^1]: First note.");
    const second = /Text\[\^([^\]]+)\]\.[\s\S]*?Text\[\^([^\]]+)\]/.exec(conversion.markdown)![2]!;
    expect(second).not.toBe("1");
    expect(conversion.markdown).toContain(`[^${second}]: Second note.`);
    expect(certificate).toMatchObject({ footnotes: { reference: 2, lost: 0, added: 0 }, words: { lost: 0, added: 0 } });
  });

  it("reads prefixed markup, formulas, drawings and elements that XML closes by themselves", async () => {
    const { conversion, certificate } = await convertBook({
      chapters: {
        "a.xhtml": xhtml(
          '<a id="top"/><p>Let <m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:mi>x</m:mi></m:math>&#160;be&nbsp;it.</p>' +
            '<svg xmlns="http://www.w3.org/2000/svg"><title>t</title><text>label</text></svg>',
          "<title/>",
        ),
      },
    });
    expect(conversion.markdown).toContain("Let $x$\u00a0be\u00a0it.\n\nlabel");
    expect(certificate).toMatchObject({ status: "ok", words: { lost: 0, added: 0 }, formulas: { lost: 0 } });
  });

  it("takes drawings and pictures that are chapters", async () => {
    const { conversion, certificate } = await convertBook({
      chapters: { "a.xhtml": "<p>x</p>" },
      spine: '<itemref idref="c0"/><itemref idref="s"/><itemref idref="p"/>',
      manifest:
        '<item id="s" href="s.svg" media-type="image/svg+xml"/><item id="p" href="p.png" media-type="image/png"/>',
      others: { "OEBPS/s.svg": '<svg xmlns="http://www.w3.org/2000/svg"><text>Drawn</text></svg>', "OEBPS/p.png": "" },
    });
    expect(conversion.markdown).toContain("Drawn");
    expect(conversion.markdown).toContain("![](p.png)");
    expect(certificate).toMatchObject({ words: { lost: 0, added: 0 }, images: { reference: 1, placed: 1 } });
  });

  it("takes a sample of chapters spread over it, and says how many there are", async () => {
    const chapters = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`c${i}.xhtml`, `<h2>Chapter ${i}</h2>`]));
    const { conversion, certificate } = await convertBook(epub({ chapters }), 3);
    expect(conversion.markdown.match(/## Chapter \d/g)).toEqual(["## Chapter 0", "## Chapter 4", "## Chapter 8"]);
    expect(conversion.pagesTotal).toBe(9);
    expect(certificate.words).toMatchObject({ reference: 6, lost: 0, added: 0 });
  });
});

describe("a damaged book", () => {
  it("is read as far as it goes: chapters that are no XML, names in other case and encoded, missing chapters", async () => {
    const { conversion, certificate } = await convertBook({
      chapters: { "a.xhtml": "<html><body><p>one<p>two<br></body>" },
      spine: '<itemref idref="c0"/><itemref idref="e"/><itemref idref="gone"/><itemref idref="out"/>',
      manifest:
        '<item id="e" href="%C3%A9%20B.XHTML" media-type="application/xhtml+xml"/><item id="gone" href="gone.xhtml" media-type="application/xhtml+xml"/><item id="out" href="../../etc/passwd" media-type="application/xhtml+xml"/>',
      others: { "OEBPS/é b.xhtml": xhtml("<p>three</p>") },
    });
    expect(conversion.markdown).toMatch(/one\n\ntwo\n[\s\S]*three/);
    expect(conversion.findings.map(({ kind }) => kind)).toEqual([
      "missing chapter",
      "missing chapter",
      "chapter is not well-formed",
    ]);
    expect(certificate.words).toMatchObject({ reference: 3, lost: 0, added: 0 });
  });

  it("keeps a chapter whose title is never closed", async () => {
    const broken = "<html><head><title>t</head><body><p>one two</p></body></html>";
    const { conversion } = await convertBook({ chapters: { "a.xhtml": broken } });
    expect(conversion.markdown).toContain("one two");
  });

  it("keeps what XHTML lets stand between the rows and cells of a table, and deep nesting", async () => {
    const rows = "<table>loose<tr><td>a</td>b<td>c</td></tr><p>d</p></table>";
    const deep = `${"<table><tr><td>".repeat(2_000)}deep${"</td></tr></table>".repeat(2_000)}`;
    const { conversion, certificate } = await convertBook({ chapters: { "a.xhtml": rows + deep } });
    for (const word of ["loose", "a", "b", "c", "d", "deep"])
      expect(conversion.markdown).toMatch(new RegExp(`\\b${word}\\b`));
    expect(certificate.words).toMatchObject({ lost: 0, added: 0 });
  });

  it("never resolves entities that it declares", async () => {
    const page = `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/hostname">]><html xmlns="http://www.w3.org/1999/xhtml"><body><p>a &x; b</p></body></html>`;
    expect(await markdownOfBook({ chapters: { "a.xhtml": page } })).toContain("a \\&x; b");
  });

  it("is refused where it lacks its package or chapters, or is protected; unreadable fonts alone hinder nobody", async () => {
    const zip = (files: Record<string, string>): Uint8Array =>
      zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
    await expect(convertBook(zip({ mimetype: "application/epub+zip" }))).rejects.toThrow(
      /lacks the description of a book/,
    );
    await expect(convertBook({ chapters: {} })).rejects.toThrow(/None of the chapters/);
    const encrypted = (algorithm: string, name: string): Record<string, string> => ({
      "META-INF/encryption.xml": `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><e:EncryptedData xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptionMethod Algorithm="${algorithm}"/><e:CipherData><e:CipherReference URI="${name}"/></e:CipherData></e:EncryptedData></encryption>`,
    });
    const chapters = { "a.xhtml": "<p>x</p>" };
    await expect(
      convertBook({ chapters, others: encrypted("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/a.xhtml") }),
    ).rejects.toThrow(/protected by DRM/);
    const font = encrypted("http://www.idpf.org/2008/embedding", "OEBPS/a.xhtml");
    expect(await markdownOfBook({ chapters, others: font })).toContain("x");
  });
});
