import { MdcxError } from "./errors.js";
import { whenHere } from "./format/not-here-yet.js";
import type { Image } from "./image/reader.js";
import { sameModel, type Encoder, type EncoderDescription } from "./meaning/encoder.js";
import { readLanguageMeans, type LanguageMean } from "./meaning/language-means.js";
import { checkProbes } from "./meaning/probes.js";
import type { ScanBeside } from "./meaning/scan/scan-beside.js";
import { VectorIndex, VECTORS_VERSION } from "./meaning/vectors.js";
import { readCalibration, type Calibration } from "./ranking/calibration.js";
import { readDescription } from "./meaning/description.js";

/**
 * Gives the encoder for vectors of that description; called when a first question is put to meaning, never for a package
 * without vectors. Closing the encoder that it gives must not disturb others that use the same model.
 */
export type EncoderFor = (wanted: EncoderDescription) => Encoder;

/** Whether a package can be found by meaning here, and if not, why and what to do. */
export type MeaningState =
  | { readonly state: "available"; readonly model: string }
  | {
      /**
       * `absent`: it has no vectors. `mismatch`: the encoder at hand makes other vectors. `not-installed`: the model or what
       * runs it is missing. `failed`: the encoder gave no answer.
       */
      readonly state: "absent" | "mismatch" | "not-installed" | "failed";
      readonly model: string | null;
      /** One sentence. */
      readonly reason: string;
      readonly remedy: string;
    };

/** The vectors of one opened package, with the encoder that questions need. Nothing is read or loaded before it is needed. */
export class PackageMeaning {
  #vectors: VectorIndex | undefined;
  #calibration: Calibration | undefined;
  #means: ReadonlyMap<string, LanguageMean> | undefined;
  #encoder: Encoder | undefined;
  #state: Promise<MeaningState> | undefined;

  /** @param name of the package, for messages */
  constructor(
    private readonly image: Image,
    private readonly name: string,
    private readonly encoderFor: EncoderFor | undefined,
    private readonly scanBeside?: ScanBeside,
  ) {}

  /** What made the vectors; undefined for a package without them. @throws MdcxError `bad-image` */
  get description(): EncoderDescription | undefined {
    const stated = this.image.meta.get("encoder");
    return stated === undefined ? undefined : readDescription(stated);
  }

  /** The vectors, undefined without them. @throws MdcxError `newer-rules` where other rules laid them out */
  get vectors(): VectorIndex | undefined {
    const { description } = this;
    if (description === undefined) return undefined;
    if (this.image.meta.get("rule:vectors") !== String(VECTORS_VERSION))
      throw new MdcxError(
        "newer-rules",
        `The vectors of ${this.name} are laid out by rules that this mdcx does not know: use a newer mdcx, or ask by words alone.`,
      );
    this.#vectors ??= new VectorIndex(
      { codes: this.image.stream("codes"), halves: this.image.stream("halves") },
      this.image.passageCount,
      description.dimensions,
      { beside: this.scanBeside },
    );
    return this.#vectors;
  }

  /** The mean vectors of its languages. */
  get languageMeans(): ReadonlyMap<string, LanguageMean> {
    this.#means ??= readLanguageMeans(this.image.meta, this.description?.dimensions ?? 0);
    return this.#means;
  }

  /** What tells whether the package bears on a question; undefined without vectors. */
  get calibration(): Calibration | undefined {
    this.#calibration ??= readCalibration(this.image.meta, this.image.calibration());
    return this.#calibration;
  }

  /** Whether meaning can be asked here: loads the encoder and holds it against the probes, once. */
  async state(): Promise<MeaningState> {
    this.#state ??= this.#check();
    const state = await this.#state;
    // A model may be installed, or a server come up, while this process runs.
    if (state.state === "not-installed" || state.state === "failed") this.#state = undefined;
    return state;
  }

  /** The encoder, once `state` is `available`. */
  get encoder(): Encoder | undefined {
    return this.#encoder;
  }

  async close(): Promise<void> {
    this.#vectors?.close();
    await this.#encoder?.close();
    this.#encoder = undefined;
    this.#state = undefined;
  }

  async #check(): Promise<MeaningState> {
    const wanted = this.description;
    if (wanted === undefined)
      return {
        state: "absent",
        model: null,
        reason: `${this.name} has no vectors: it is found by words alone.`,
        remedy: "mdcx enrich gives it meaning, or pack it again with --meaning.",
      };
    const model = wanted.id;
    if (this.encoderFor === undefined)
      return {
        state: "not-installed",
        model,
        reason: `No encoder was given for ${model}.`,
        remedy: "Open the package with an encoder, or ask by words alone.",
      };
    const encoder = (this.#encoder ??= this.encoderFor(wanted));
    try {
      const found = await encoder.describe();
      if (!sameModel(found, wanted)) return mismatch(wanted, `the encoder at hand is ${found.id} with other weights`);
      const { trust } = await checkProbes(encoder, await whenHere(() => this.image.probes()));
      if (trust === "none") return mismatch(wanted, "it gives other vectors for the package's own probes");
      return { state: "available", model };
    } catch (error) {
      if (!(error instanceof MdcxError)) throw error;
      const missing = error.code === "missing-model" || error.code === "missing-package";
      return {
        state: missing ? "not-installed" : "failed",
        model,
        reason: error.message,
        remedy: missing ? "Install what is named, or ask by words alone." : "Try again, or ask by words alone.",
      };
    }
  }
}

function mismatch({ id }: EncoderDescription, why: string): MeaningState {
  return {
    state: "mismatch",
    model: id,
    reason: `Meaning is switched off: the vectors were made by ${id}, and ${why}.`,
    remedy: `Use the model that made it (--model), or give the package this one's vectors with mdcx enrich.`,
  };
}
