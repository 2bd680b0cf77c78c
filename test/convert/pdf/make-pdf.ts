/** Small PDFs from known content: pages of operators over the standard fonts. */

export interface MadePage {
  /** Operators, as they stand in a page's content. */
  readonly content: string;
  /** Annotations, each a dictionary. */
  readonly annotations?: readonly string[];
  /** Degrees that the page is turned by for showing. */
  readonly rotate?: number;
}

export interface MadeDocument {
  readonly pages: readonly MadePage[];
  /** Bookmarks: title, page from 1, depth from 0. */
  readonly outline?: readonly { readonly title: string; readonly page: number; readonly depth: number }[];
  /** Entries of the information dictionary: `/Title (A book)`. */
  readonly info?: string;
  /** More entries of the catalogue. */
  readonly catalogue?: string;
}

const FONTS = {
  F1: "Helvetica",
  F2: "Helvetica-Bold",
  F3: "Helvetica-Oblique",
  F4: "Courier",
  F5: "Times-Roman",
} as const;

/** One line of text: `x` and `y` in points from the bottom left of the page. */
export function line(x: number, y: number, text: string, size = 10, font: keyof typeof FONTS = "F1"): string {
  return `BT /${font} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text.replace(/[()\\]/g, "\\$&")}) Tj ET\n`;
}

/** Lines one below the other. */
export function lines(
  x: number,
  y: number,
  texts: readonly string[],
  leading = 12,
  size = 10,
  font: keyof typeof FONTS = "F1",
): string {
  return texts.map((text, index) => line(x, y - index * leading, text, size, font)).join("");
}

export function makePdf({ pages, outline = [], info = "", catalogue = "" }: MadeDocument): Uint8Array {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  const fonts = Object.entries(FONTS)
    .map(
      ([name, base]) =>
        `/${name} ${add(`<< /Type /Font /Subtype /Type1 /BaseFont /${base} /Encoding /WinAnsiEncoding >>`)} 0 R`,
    )
    .join(" ");
  const tree = objects.length + 1;
  add("");
  const kids = pages.map(({ content, annotations = [], rotate = 0 }) => {
    const stream = add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    const notes = annotations.map((dictionary) => `${add(dictionary)} 0 R`).join(" ");
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 612 792] /Rotate ${rotate} /Resources << /Font << ${fonts} >> >> /Contents ${stream} 0 R /Annots [${notes}] >>`,
    );
  });
  objects[tree - 1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(" ")}] >>`;
  const outlines = outline.length === 0 ? "" : `/Outlines ${addOutline(objects, outline, kids)} 0 R`;
  const root = add(`<< /Type /Catalog /Pages ${tree} 0 R ${outlines} ${catalogue} >>`);
  const facts = add(`<< ${info} >>`);
  let file = "%PDF-1.7\n";
  const offsets = objects.map((body, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root ${root} 0 R /Info ${facts} 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Uint8Array.from(file, (sign) => sign.charCodeAt(0));
}

function addOutline(objects: string[], outline: NonNullable<MadeDocument["outline"]>, kids: readonly number[]): number {
  const root = objects.push("");
  const numbers = outline.map(() => objects.push(""));
  const below = (parent: number, depth: number, from: number): number[] => {
    const children: number[] = [];
    for (let index = from; index < outline.length && outline[index]!.depth >= depth; index += 1) {
      if (outline[index]!.depth === depth) children.push(index);
    }
    for (const [at, index] of children.entries()) {
      const inside = below(numbers[index]!, depth + 1, index + 1);
      const { title, page } = outline[index]!;
      objects[numbers[index]! - 1] = [
        `<< /Title (${title}) /Parent ${parent} 0 R /Dest [${kids[page - 1]} 0 R /XYZ 0 792 0]`,
        at > 0 ? `/Prev ${numbers[children[at - 1]!]} 0 R` : "",
        at < children.length - 1 ? `/Next ${numbers[children[at + 1]!]} 0 R` : "",
        inside.length > 0
          ? `/First ${numbers[inside[0]!]} 0 R /Last ${numbers[inside.at(-1)!]} 0 R /Count ${inside.length}`
          : "",
        ">>",
      ].join(" ");
    }
    return children;
  };
  const top = below(root, 0, 0);
  objects[root - 1] =
    `<< /Type /Outlines /First ${numbers[top[0]!]} 0 R /Last ${numbers[top.at(-1)!]} 0 R /Count ${top.length} >>`;
  return root;
}
