/** The library as a web page uses it: bundled, and driven by the test through `mdcxPage`. */
import { BytesSource } from "../../src/format/bytes-source.js";
import { primitives } from "../../src/format/portable.js";
import { parseSecret } from "../../src/format/secret.js";
import type { Encoder, EncoderDescription, Role } from "../../src/meaning/encoder.js";
import { scalarRows, wasmRows } from "../../src/meaning/scan/scan.js";
import { ServedEncoder } from "../../src/meaning/served-model.js";
import { Package } from "../../src/package.js";
import type { MeaningState } from "../../src/package-meaning.js";
import type { Reply } from "../../src/reply.js";
import type { SearchOptions } from "../../src/search.js";

/** What the test asks of the page. Answers pass as JSON. */
export interface PageUnderTest {
  describe(): Promise<EncoderDescription>;
  encode(texts: readonly string[], role: Role): Promise<number[]>;
  /** Opens the package twice: with the page's own encoder, and with one to which vectors of questions are told. */
  open(secret: string): Promise<void>;
  state(): Promise<MeaningState>;
  ask(question: string, options: SearchOptions): Promise<Reply>;
  /** Asks with the vector that another encoder made of the question. */
  askTold(question: string, options: SearchOptions, vector: readonly number[]): Promise<Reply>;
  export(): Record<string, string>;
  /** The same rows scanned by WebAssembly, where the page has it, and by JavaScript. */
  scan(codes: readonly number[], query: readonly number[]): { wasm: number[] | null; scalar: number[] };
}

const { origin } = (globalThis as unknown as { location: { origin: string } }).location;
const own = new ServedEncoder({
  address: `${origin}/model`,
  runtime: `${origin}/runtime`,
  id: "intfloat/multilingual-e5-small",
});
let told: Float32Array | undefined;
const listening: Encoder = {
  describe: () => own.describe(),
  encode: (texts, role) =>
    told ? Promise.resolve({ vectors: told, windowed: 0, tokens: 0 }) : own.encode(texts, role),
  close: () => Promise.resolve(),
};
let withOwn: Package | undefined;
let withTold: Package | undefined;

const page: PageUnderTest = {
  describe: () => own.describe(),
  async encode(texts, role) {
    return Array.from((await own.encode(texts, role)).vectors);
  },
  async open(secret) {
    const bytes = new Uint8Array(await (await fetch("/package.mdcx")).arrayBuffer());
    const open = (encoder: Encoder) =>
      Package.open(new BytesSource(bytes), primitives, {
        secret: parseSecret(secret),
        wasm: { url: "/sql-wasm-browser.wasm" },
        encoder: () => encoder,
      });
    withOwn = await open(own);
    withTold = await open(listening);
  },
  state: () => withOwn!.meaning.state(),
  ask: (question, options) => withOwn!.search(question, options),
  async askTold(question, options, vector) {
    await withTold!.meaning.state();
    told = Float32Array.from(vector);
    try {
      return await withTold!.search(question, options);
    } finally {
      told = undefined;
    }
  },
  export: () =>
    Object.fromEntries([...withOwn!.export()].map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)])),
  scan(codes, query) {
    const rows = codes.length / query.length;
    const [wasm, scalar] = [wasmRows(rows, query.length), scalarRows(rows, query.length)].map((scanned) => {
      if (scanned === undefined) return null;
      scanned.codes.set(codes);
      scanned.scales.fill(0.01);
      scanned.reaches.fill(0.02);
      return Array.from(scanned.scan({ query: Int16Array.from(query), base: 0.5, factor: 0.001 }));
    });
    return { wasm: wasm ?? null, scalar: scalar! };
  },
};

Object.assign(globalThis, { mdcxPage: page });
