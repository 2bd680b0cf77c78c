/**
 * Texts to unit vectors. What makes them, a model here or a server elsewhere, is nobody's business but the encoder's own:
 * it describes itself, and a package keeps the description with its vectors.
 */

/** What a text is to be: what is asked, or what is found. Most families of models want to know. */
export type Role = "query" | "passage";

/** How the vectors of a text's tokens become one vector. */
export type Pooling = "mean" | "cls" | "last";

/** Everything on which a vector depends, beside the text and its role. */
export interface EncoderDescription {
  /** `intfloat/multilingual-e5-small`, the name of a folder, or the name that a server knows it by. */
  readonly id: string;
  /** Commit or version of the model, where its source states one. */
  readonly revision: string | null;
  /**
   * SHA-256 of the model's file, 64 hex digits. Of a server, whose file nobody sees here: of its address's model name and
   * the vectors of the probes.
   */
  readonly sha256: string;
  /** `q8`, `fp32`, …; `remote` for a server. */
  readonly dtype: string;
  readonly dimensions: number;
  readonly pooling: Pooling;
  /** Written before every text of that role, its blank included. */
  readonly prefixes: Readonly<Record<Role, string>>;
  /** Tokens that the model reads at once, those that it adds itself included; 0 where the encoder cannot tell. */
  readonly window: number;
}

/** What became of a list of texts. */
export interface Encoded {
  /** `texts × dimensions` numbers: one unit vector after another, in the order of the texts. */
  readonly vectors: Float32Array;
  /** How many texts did not fit the window: encoded in several windows, whose mean is their vector. */
  readonly windowed: number;
  /** Tokens that the model read; 0 where the encoder cannot tell. */
  readonly tokens: number;
}

/**
 * A model, ready or to be made ready by its first use. The vector of a text depends on the text, its role and the model
 * alone: not on the texts beside it, and not on what was asked before.
 */
export interface Encoder {
  /** @throws MdcxError `missing-package` or `missing-model` with the command that helps */
  describe(): Promise<EncoderDescription>;

  /**
   * @param texts without prefix
   * @param onProgress told how many of them are done
   * @throws MdcxError as `describe`, and `encoder-failed` where the model or the server gives no vector
   */
  encode(texts: readonly string[], role: Role, onProgress?: (done: number) => void): Promise<Encoded>;

  /** Lets go of model and threads. Asking again afterwards loads them again. */
  close(): Promise<void>;
}

/** Whether vectors of both may be compared: the same file, read in the same way. */
export function sameModel(a: EncoderDescription, b: EncoderDescription): boolean {
  return (
    a.sha256 === b.sha256 &&
    a.dimensions === b.dimensions &&
    a.pooling === b.pooling &&
    a.prefixes.query === b.prefixes.query &&
    a.prefixes.passage === b.prefixes.passage
  );
}
