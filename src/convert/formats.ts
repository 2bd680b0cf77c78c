import type { Engine, Format, Reader } from "./engine.js";

/** How a format is converted. Both are imported when the first document of the format comes. */
export interface FormatParts {
  readonly engine: () => Promise<Engine>;
  readonly reader: () => Promise<Reader>;
}

const openDocument: FormatParts = {
  engine: async () => (await import("./odf/engine.js")).engine,
  reader: async () => (await import("./odf/reader.js")).reader,
};
const legacy: FormatParts = {
  engine: async () => (await import("./legacy/engine.js")).engine,
  reader: async () => (await import("./legacy/reader.js")).reader,
};

const mail: FormatParts = {
  engine: async () => (await import("./mail/engine.js")).engine,
  reader: async () => (await import("./mail/reader.js")).reader,
};

/** Engine and independent reader of each format (README.md lists the libraries behind them). */
export const FORMATS: Readonly<Partial<Record<Format, FormatParts>>> = {
  pdf: {
    engine: async () => (await import("./pdf/engine.js")).engine,
    reader: async () => (await import("./pdf/reader.js")).reader,
  },
  docx: {
    engine: async () => (await import("./docx/engine.js")).engine,
    reader: async () => (await import("./docx/reader.js")).reader,
  },
  xlsx: {
    engine: async () => (await import("./xlsx/engine.js")).engine,
    reader: async () => (await import("./xlsx/reader.js")).reader,
  },
  pptx: {
    engine: async () => (await import("./pptx/engine.js")).engine,
    reader: async () => (await import("./pptx/reader.js")).reader,
  },
  html: {
    engine: async () => (await import("./html/engine.js")).engine,
    reader: async () => (await import("./html/reader.js")).reader,
  },
  epub: {
    engine: async () => (await import("./epub/engine.js")).engine,
    reader: async () => (await import("./epub/reader.js")).reader,
  },
  odt: openDocument,
  ods: openDocument,
  odp: openDocument,
  eml: mail,
  msg: mail,
  markdown: {
    engine: async () => (await import("./markdown-file/engine.js")).engine,
    reader: async () => (await import("./markdown-file/reader.js")).reader,
  },
  csv: {
    engine: async () => (await import("./csv/engine.js")).engine,
    reader: async () => (await import("./csv/reader.js")).reader,
  },
  text: {
    engine: async () => (await import("./text/engine.js")).engine,
    reader: async () => (await import("./text/reader.js")).reader,
  },
  rtf: {
    engine: async () => (await import("./rtf/engine.js")).engine,
    reader: async () => (await import("./rtf/reader.js")).reader,
  },
  doc: legacy,
  xls: legacy,
  ppt: legacy,
};
