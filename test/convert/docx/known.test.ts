import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cell, field, item, paragraph, row, run, styled, wordFile, type WordFile } from "./build.js";
import { convertBytes } from "./convert.js";

/** A part of a document: what it is, and a number that varies it. */
const part = fc.record({
  kind: fc.constantFrom(
    "text",
    "split",
    "heading",
    "item",
    "table",
    "nested",
    "box",
    "note",
    "comment",
    "deleted",
    "moved",
    "hidden",
    "field",
    "control",
    "joined",
  ),
  size: fc.integer({ min: 1, max: 4 }),
});

/** A document of which every word is known, by what becomes of it. */
interface Known {
  readonly file: WordFile;
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
}

function compose(parts: readonly { readonly kind: string; readonly size: number }[]): Known {
  const shown: string[] = [];
  const hidden: string[] = [];
  let count = 0;
  const word = (to = shown): string => {
    const made = `w${++count}q`;
    to.push(made);
    return made;
  };
  const words = (many: number, to = shown): string => Array.from({ length: many }, () => word(to)).join(" ");
  const footnotes: string[] = [];
  const comments: string[] = [];
  const author = 'w:author="Zoe" w:date="2024-05-01T00:00:00Z"';
  const body = parts.map(({ kind, size }, id) => {
    switch (kind) {
      case "split": {
        // Word cuts a word into runs wherever it was touched.
        const text = word();
        return paragraph(run(text.slice(0, 1), "<w:b/>") + run(text.slice(1, 2)) + run(text.slice(2), "<w:i/>"));
      }
      case "heading":
        return styled(`berschrift${(size % 3) + 1}`, words(size));
      case "item":
        return item(words(size), (size % 2) + 1, size % 3);
      case "table":
        return `<w:tbl>${row(cell(paragraph(run(words(1))), '<w:gridSpan w:val="2"/>'), cell(paragraph(run(words(1))), '<w:vMerge w:val="restart"/>'))}${row(cell(paragraph(run(words(size)))), cell(paragraph(run(words(1))) + item(words(1), 2)), cell("", "<w:vMerge/>"))}</w:tbl>`;
      case "nested":
        return `<w:tbl>${row(cell(paragraph(run(word()))), cell(`<w:tbl>${row(cell(paragraph(run(word()))), cell(paragraph(run(word()))))}</w:tbl><w:p/>`))}</w:tbl>`;
      case "box": {
        const inside = words(size);
        const box = `<w:txbxContent>${paragraph(run(inside))}</w:txbxContent>`;
        return paragraph(
          `${run(word())}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><wps:wsp><wps:txbx>${box}</wps:txbx></wps:wsp></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>${box}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
        );
      }
      case "note":
        footnotes.push(`<w:footnote w:id="${id + 1}">${paragraph(run(words(size)))}</w:footnote>`);
        return paragraph(`${run(word())}<w:r><w:footnoteReference w:id="${id + 1}"/></w:r>`);
      case "comment":
        comments.push(`<w:comment w:id="${id}" ${author}>${paragraph(run(words(size)))}</w:comment>`);
        return paragraph(
          `<w:commentRangeStart w:id="${id}"/>${run(word())}<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`,
        );
      case "deleted":
        return paragraph(
          `${run(`${word()} `)}<w:del w:id="${id}" ${author}><w:r><w:delText>${words(size)}</w:delText></w:r></w:del><w:ins w:id="${id}" ${author}>${run(words(size))}</w:ins>`,
        );
      case "moved": {
        const text = words(size);
        return (
          paragraph(`<w:moveFrom w:id="${id}">${run(text)}</w:moveFrom>${run(word())}`) +
          paragraph(`<w:moveTo w:id="${id}">${run(text)}</w:moveTo>`)
        );
      }
      case "hidden":
        return paragraph(run(`${word()} `) + run(words(size, hidden), "<w:vanish/>") + run(` ${word()}`));
      case "field":
        return paragraph(field(' HYPERLINK "https://a.example/" ', run(words(size))));
      case "control":
        return `<w:sdt><w:sdtContent>${paragraph(`<w:sdt><w:sdtContent>${run(words(size))}</w:sdtContent></w:sdt>`)}</w:sdtContent></w:sdt>`;
      case "joined": {
        const text = word();
        return paragraph(run(text.slice(0, 2)), "<w:rPr><w:del/></w:rPr>") + paragraph(run(text.slice(2)));
      }
      default:
        return paragraph(run(words(size)));
    }
  });
  return { file: { body: body.join(""), footnotes: footnotes.join(""), comments: comments.join("") }, shown, hidden };
}

const found = (text: string): string[] => (text.match(/w\d+q/g) ?? []).sort();

describe("a Word document of which every word is known", () => {
  it("is read whole by the reader, and written whole by the engine, each word once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 12 }), async (parts) => {
        const { file, shown, hidden } = compose(parts);
        const { conversion, reference, certificate, markdown } = await convertBytes(wordFile(file));
        expect(found(reference.units.map(({ text }) => text).join("\n"))).toEqual([...shown, ...hidden].sort());
        // A comment is shown with the words that it is about, which are no words of its own.
        const anchors = found(conversion.labels.join("\n"));
        const plain = markdown.replace(/[*\\]/g, "");
        expect(found(plain)).toEqual([...shown, ...anchors].sort());
        expect(certificate.words).toMatchObject({ lost: 0, added: 0, coverage: 1 });
        expect(certificate.tables?.inPlace).toBe(certificate.tables?.cells);
      }),
      { numRuns: process.env.MDCX_LONG === undefined ? 60 : 1_000, seed: 5 },
    );
  });
});
