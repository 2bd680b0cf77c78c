import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { Encoder, EncoderDescription, Role } from "../src/meaning/encoder.js";

/** Bytes before each vector: the digest of role, prefix and text. */
const DIGEST = 32;
/** Texts encoded between two writes: what a killed run loses at most. */
const BATCH = 256;

/**
 * Vectors that a bench need not make twice. With `MDCX_BENCH_CACHE` naming a folder they are kept there between runs, one
 * file a model (its file, width and pooling), as records of 32 bytes digest and the vector's float32 numbers; without it
 * they are kept for this run. Texts are not kept.
 */
export class VectorCache {
  readonly #known = new Map<string, Float32Array>();

  private constructor(
    private readonly encoder: Encoder,
    readonly description: EncoderDescription,
    private readonly file: string | undefined,
  ) {
    if (file !== undefined && existsSync(file)) this.#read(file);
  }

  static async open(encoder: Encoder): Promise<VectorCache> {
    const description = await encoder.describe();
    const folder = process.env.MDCX_BENCH_CACHE;
    if (folder === undefined || folder === "") return new VectorCache(encoder, description, undefined);
    mkdirSync(folder, { recursive: true });
    const { sha256, dimensions, pooling } = description;
    return new VectorCache(
      encoder,
      description,
      join(folder, `${sha256.slice(0, 16)}-${dimensions}-${pooling}.vectors`),
    );
  }

  get dimensions(): number {
    return this.description.dimensions;
  }

  /** The same as an encoder, for what asks one. Closing it leaves the encoder behind it open. */
  asEncoder(): Encoder {
    return {
      describe: () => Promise.resolve(this.description),
      encode: async (texts, role) => ({ vectors: await this.encode(texts, role), windowed: 0, tokens: 0 }),
      close: () => Promise.resolve(),
    };
  }

  /** Vectors of texts, one after another in their order; those that are not known yet are encoded and kept. */
  async encode(texts: readonly string[], role: Role): Promise<Float32Array> {
    const keys = texts.map((text) => this.#key(text, role));
    const missing = new Map<string, string>();
    keys.forEach((key, i) => {
      if (!this.#known.has(key)) missing.set(key, texts[i]!);
    });
    // Short ones first: a bench that is stopped has then kept the most.
    const queue = [...missing].sort(([, a], [, b]) => a.length - b.length);
    for (let at = 0; at < queue.length; at += BATCH) {
      await this.#make(queue.slice(at, at + BATCH), role);
      if (queue.length > BATCH)
        process.stderr.write(`\r  encoded ${Math.min(at + BATCH, queue.length)} of ${queue.length} `);
    }
    if (queue.length > BATCH) process.stderr.write("\n");
    const vectors = new Float32Array(texts.length * this.dimensions);
    keys.forEach((key, i) => {
      vectors.set(this.#known.get(key)!, i * this.dimensions);
    });
    return vectors;
  }

  async #make(texts: readonly (readonly [string, string])[], role: Role): Promise<void> {
    const { vectors } = await this.encoder.encode(
      texts.map(([, text]) => text),
      role,
    );
    const records: Uint8Array[] = [];
    texts.forEach(([key], i) => {
      const vector = vectors.slice(i * this.dimensions, (i + 1) * this.dimensions);
      this.#known.set(key, vector);
      records.push(Buffer.from(key, "hex"), new Uint8Array(vector.buffer));
    });
    if (this.file !== undefined) appendFileSync(this.file, Buffer.concat(records));
  }

  #key(text: string, role: Role): string {
    return createHash("sha256").update(`${role}\0${this.description.prefixes[role]}\0${text}`).digest("hex");
  }

  #read(file: string): void {
    const bytes = readFileSync(file);
    const record = DIGEST + this.dimensions * Float32Array.BYTES_PER_ELEMENT;
    const whole = bytes.length - (bytes.length % record);
    // A run that was killed while writing leaves part of a record, behind which nothing could be read.
    if (whole < bytes.length) truncateSync(file, whole);
    for (let at = 0; at < whole; at += record)
      this.#known.set(
        bytes.toString("hex", at, at + DIGEST),
        new Float32Array(new Uint8Array(bytes.subarray(at + DIGEST, at + record)).buffer),
      );
  }
}
