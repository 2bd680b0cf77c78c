import { deflateSync } from "node:zlib";

/** A page to be made: its content stream, what its dictionary says besides, and the objects of its annotations. */
export interface PageToMake {
  readonly content: string;
  /** More entries of the page's dictionary: `/Rotate 90`. */
  readonly entries?: string;
  /** Dictionaries of annotations: `<< /Type /Annot … >>`. */
  readonly annotations?: readonly string[];
}

/** Lines of text, one under the other from the top of the page, in 12 point Helvetica. */
export function lines(...texts: readonly string[]): string {
  const shown = texts.map((text) => `(${text.replace(/[\\()]/g, "\\$&")}) Tj T*`);
  return `BT /F1 12 Tf 14 TL 72 720 Td ${shown.join(" ")} ET`;
}

/** A PDF of `pages`, valid and plain. `fields` are the numbers, page.annotation from 0, of annotations that are form fields. */
export function makePdf(
  pages: readonly PageToMake[],
  options: { readonly fields?: readonly (readonly [number, number])[]; readonly filters?: number } = {},
): Uint8Array {
  const objects: string[] = ["", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"];
  const add = (object: string): number => objects.push(object);
  const numbers: number[] = [];
  const fields: number[] = [];
  pages.forEach((page, pageIndex) => {
    const annotations = (page.annotations ?? []).map(add);
    for (const [wantedPage, annotation] of options.fields ?? []) {
      if (wantedPage === pageIndex) fields.push(annotations[annotation]!);
    }
    let stream = Buffer.from(page.content, "latin1");
    for (let filter = 0; filter < (options.filters ?? 0); filter += 1) stream = deflateSync(stream);
    const filter = options.filters === undefined ? "" : `/Filter [${"/FlateDecode ".repeat(options.filters)}]`;
    const content = add(`<< /Length ${stream.length} ${filter} >>\nstream\n${stream.toString("latin1")}\nendstream`);
    const annots = annotations.map((each) => `${each} 0 R`).join(" ");
    numbers.push(
      add(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> ` +
          `/Contents ${content} 0 R /Annots [${annots}] ${page.entries ?? ""} >>`,
      ),
    );
  });
  const form = fields.length === 0 ? "" : `/AcroForm << /Fields [${fields.map((each) => `${each} 0 R`).join(" ")}] >>`;
  objects[0] = `<< /Type /Catalog /Pages 2 0 R ${form} >>`;
  objects[1] = `<< /Type /Pages /Kids [${numbers.map((each) => `${each} 0 R`).join(" ")}] /Count ${numbers.length} >>`;
  let file = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, "latin1");
}
