/** Other converters over the same files, each imported only where it is installed. */
import { extname } from "node:path";
import type TurndownService from "turndown";

/** What a peer makes of a file; `plain` where it writes no Markdown. */
export interface Peer {
  readonly name: string;
  readonly plain: boolean;
  readonly formats: readonly string[];
  readonly load: () => Promise<(bytes: Uint8Array, path: string) => Promise<string>>;
}

interface OfficeParser {
  readonly parseOffice: (file: Buffer, config: { readonly fileType: string }) => Promise<{ toText: () => string }>;
}

interface TurndownTables {
  readonly gfm: (service: TurndownService) => void;
}

/** A package that states no types, or is not installed everywhere. */
async function untyped<T>(name: string): Promise<T> {
  return (await import(name)) as T;
}

export const PEERS: readonly Peer[] = [
  {
    name: "officeparser 7.8 (text)",
    plain: true,
    formats: ["docx", "pptx", "xlsx", "odt", "odp", "ods", "rtf", "pdf"],
    load: async () => {
      const { parseOffice } = await untyped<OfficeParser>("officeparser");
      return async (bytes, path) => {
        const fileType = extname(path)
          .slice(1)
          .replace(/^(...)m$/, "$1x");
        return (await parseOffice(Buffer.from(bytes), { fileType })).toText();
      };
    },
  },
  {
    name: "mammoth 1.13 (Markdown)",
    plain: false,
    formats: ["docx"],
    load: async () => {
      const { default: mammoth } = await import("mammoth");
      const { default: TurndownService } = await import("turndown");
      const { gfm } = await untyped<TurndownTables>("@joplin/turndown-plugin-gfm");
      return async (bytes) => {
        const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) });
        return new TurndownService({ headingStyle: "atx" }).use(gfm).turndown(value);
      };
    },
  },
  {
    name: "pdfjs-dist 5.6 (raw text)",
    plain: true,
    formats: ["pdf"],
    load: async () => {
      const { getDocument } = await import("pdfjs-dist/legacy/build/pdf.mjs");
      return async (bytes) => {
        const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0, useSystemFonts: false });
        const document = await task.promise;
        const pages: string[] = [];
        for (let number = 1; number <= document.numPages; number++) {
          const page = await document.getPage(number);
          const { items } = await page.getTextContent();
          pages.push(items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join(""));
          page.cleanup();
        }
        await task.destroy();
        return pages.join("\n");
      };
    },
  },
  {
    name: "turndown 7.2 with tables",
    plain: false,
    formats: ["html"],
    load: async () => {
      const { default: TurndownService } = await import("turndown");
      const { gfm } = await untyped<TurndownTables>("@joplin/turndown-plugin-gfm");
      return (bytes) =>
        Promise.resolve(
          new TurndownService({ headingStyle: "atx" })
            .use(gfm)
            .remove(["script", "style"])
            .turndown(new TextDecoder().decode(bytes)),
        );
    },
  },
];
