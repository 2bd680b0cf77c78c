import type { ConvertedDocument, PartResult } from "../convert.js";
import type { EngineOptions, Original, PageRange } from "../engine.js";

/** What a worker converts with: the exports of convert.ts. A refusal is a certificate; what throws is a fault. */
export interface Converter {
  partsOf(original: Original, threshold: number): Promise<readonly (PageRange | undefined)[]>;
  convertPart(original: Original, options: EngineOptions): Promise<PartResult>;
  assemble(
    source: { readonly path: string; readonly sha256: string },
    parts: readonly PartResult[],
    options: EngineOptions,
  ): ConvertedDocument;
}

/** What an index shows of a document beside its certificate. */
export type Facts = PartResult["facts"] & Pick<PartResult, "format">;
