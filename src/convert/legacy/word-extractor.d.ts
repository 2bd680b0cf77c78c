declare module "word-extractor" {
  interface Options {
    /** Whether quotation marks and dashes become those of ASCII. */
    readonly filterUnicode?: boolean;
    readonly includeFooters?: boolean;
  }
  interface Document {
    getBody(options?: Options): string;
    getFootnotes(options?: Options): string;
    getEndnotes(options?: Options): string;
    getHeaders(options?: Options): string;
    getAnnotations(options?: Options): string;
    getTextboxes(options?: Options & { includeHeadersAndFooters?: boolean; includeBody?: boolean }): string;
  }
  export default class WordExtractor {
    extract(source: Buffer): Promise<Document>;
  }
}
