import type { Encoded, Encoder, EncoderDescription, Role } from "../../src/meaning/encoder.js";

/**
 * The real encoder, which encodes no text twice in one test file: a vector depends on its text and role alone. Counts what
 * was asked, remembered or not.
 */
export class RememberingEncoder implements Encoder {
  /** Texts asked for as passages since the last `forget`. */
  asked: string[] = [];
  readonly #known = new Map<string, Float32Array>();

  constructor(private readonly encoder: Encoder) {}

  describe(): Promise<EncoderDescription> {
    return this.encoder.describe();
  }

  async encode(texts: readonly string[], role: Role): Promise<Encoded> {
    if (role === "passage") this.asked.push(...texts);
    const { dimensions } = await this.describe();
    const missing = [...new Set(texts)].filter((text) => !this.#known.has(`${role} ${text}`));
    const made = await this.encoder.encode(missing, role);
    missing.forEach((text, i) => {
      this.#known.set(`${role} ${text}`, made.vectors.slice(i * dimensions, (i + 1) * dimensions));
    });
    const vectors = new Float32Array(texts.length * dimensions);
    texts.forEach((text, i) => {
      vectors.set(this.#known.get(`${role} ${text}`)!, i * dimensions);
    });
    return { vectors, windowed: made.windowed, tokens: made.tokens };
  }

  close(): Promise<void> {
    return this.encoder.close();
  }
}

/** The same model used in another way: it writes something else before every passage. */
export function otherUse(encoder: Encoder): Encoder {
  return {
    describe: async () => {
      const description = await encoder.describe();
      return { ...description, prefixes: { ...description.prefixes, passage: "passage: note: " } };
    },
    encode: (texts, role) => encoder.encode(role === "passage" ? texts.map((text) => `note: ${text}`) : texts, role),
    close: () => encoder.close(),
  };
}
