import type { Engine, Format, Reader } from "./engine.js";

/** How a format is converted. Both are imported when the first document of the format comes. */
export interface FormatParts {
  readonly engine: () => Promise<Engine>;
  readonly reader: () => Promise<Reader>;
}

/** Engine and independent reader of each format (README.md lists the libraries behind them). */
export const FORMATS: Readonly<Partial<Record<Format, FormatParts>>> = {
  xlsx: {
    engine: async () => (await import("./xlsx/engine.js")).engine,
    reader: async () => (await import("./xlsx/reader.js")).reader,
  },
  text: {
    engine: async () => (await import("./text/engine.js")).engine,
    reader: async () => (await import("./text/reader.js")).reader,
  },
};
