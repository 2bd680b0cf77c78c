import type { Encoded, Encoder, EncoderDescription, Role } from "../src/meaning/encoder.js";

/** Real passages whose vectors the others are made of. */
const MODELS = 400;

/**
 * An encoder whose questions are the real model's, and whose passages get vectors that are likely for the model without
 * running it: two real passages mixed at random, around their mean, with some noise. A package of 100,000 passages is so
 * made in minutes instead of an hour; it is as wide, as large and as crowded as a real one, and its answers mean nothing.
 */
export class LikelyVectors implements Encoder {
  #state = 0x9e37_79b9;

  private constructor(
    private readonly real: Encoder,
    private readonly description: EncoderDescription,
    private readonly mean: Float64Array,
    private readonly deviations: readonly Float64Array[],
  ) {}

  /** @param texts real passages of the kind that is packed; the first 400 are encoded */
  static async from(real: Encoder, texts: readonly string[]): Promise<LikelyVectors> {
    const description = await real.describe();
    const { dimensions } = description;
    const { vectors } = await real.encode(texts.slice(0, MODELS), "passage");
    const rows = Array.from({ length: vectors.length / dimensions }, (_, i) =>
      Float64Array.from(vectors.subarray(i * dimensions, (i + 1) * dimensions)),
    );
    const mean = new Float64Array(dimensions);
    for (const row of rows) for (let d = 0; d < dimensions; d++) mean[d]! += row[d]! / rows.length;
    return new LikelyVectors(
      real,
      description,
      mean,
      rows.map((row) => row.map((number, d) => number - mean[d]!)),
    );
  }

  describe(): Promise<EncoderDescription> {
    return Promise.resolve(this.description);
  }

  encode(texts: readonly string[], role: Role, onProgress?: (done: number) => void): Promise<Encoded> {
    // The probes are few and asked as the package's own: those must be real.
    if (role === "query" || texts.length < 8) return this.real.encode(texts, role, onProgress);
    const { dimensions } = this.description;
    const vectors = new Float32Array(texts.length * dimensions);
    for (let at = 0; at < texts.length; at++) vectors.set(this.#likely(), at * dimensions);
    return Promise.resolve({ vectors, windowed: 0, tokens: 0 });
  }

  close(): Promise<void> {
    return this.real.close();
  }

  #likely(): Float32Array {
    const { dimensions } = this.description;
    const pick = (): Float64Array => this.deviations[Math.floor(this.#random() * this.deviations.length)]!;
    const [a, b, angle] = [pick(), pick(), (this.#random() * Math.PI) / 2];
    const [ofA, ofB] = [Math.cos(angle), Math.sin(angle)];
    const vector = new Float32Array(dimensions);
    let square = 0;
    for (let d = 0; d < dimensions; d++) {
      const number = this.mean[d]! + ofA * a[d]! + ofB * b[d]! + (this.#random() - 0.5) * 0.02;
      vector[d] = number;
      square += number * number;
    }
    const length = Math.sqrt(square);
    return vector.map((number) => number / length);
  }

  /** The same numbers in every run (a linear congruential generator, Numerical Recipes). */
  #random(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }
}
