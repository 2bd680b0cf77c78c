import type { Tensor as LibraryTensor } from "@huggingface/transformers";
import { MdcxError } from "../errors.js";
import type { Pooling } from "./encoder.js";
import { pool, unit } from "./pooling.js";

/** File names of a model by how its numbers are stored, the one that is used first where a folder holds several. */
export const MODEL_FILES = [
  ["q8", "model_quantized.onnx"],
  ["fp32", "model.onnx"],
  ["fp16", "model_fp16.onnx"],
  ["int8", "model_int8.onnx"],
  ["uint8", "model_uint8.onnx"],
  ["q4", "model_q4.onnx"],
  ["q4f16", "model_q4f16.onnx"],
  ["bnb4", "model_bnb4.onnx"],
] as const;

/** `q8`, `fp32`, … as transformers.js names them. */
export type ModelType = (typeof MODEL_FILES)[number][0];

export interface ModelPlace {
  /** Folder of the model: an absolute path, or in a browser the whole address under which it is served. */
  readonly location: string;
  readonly dtype: ModelType;
  /** Whether weights lie beside the model's file, in `model….onnx_data`. */
  readonly externalData?: boolean;
  /** In a browser: where the WebAssembly of ONNX Runtime is served, ending in a slash. Nothing is fetched from elsewhere. */
  readonly runtime?: string;
}

/** A loaded model of one thread: tokens of one text in, its vector out. */
export interface Model {
  /**
   * @param ids tokens of one text, special tokens included
   * @returns a unit vector
   */
  run(ids: Int32Array): Promise<Float32Array>;
  close(): Promise<void>;
}

/**
 * Loads a model of transformers.js from its folder, with one thread. Texts run one by one: models in eight bits scale
 * their numbers over the whole batch, so that a vector would depend on the texts beside it, and padding costs more than
 * batches gain where every thread has a session of its own.
 *
 * @throws the import's error where `@huggingface/transformers` is not installed; MdcxError `encoder-failed` where it
 * cannot load the model
 */
export async function loadModel(place: ModelPlace, pooling: Pooling): Promise<Model> {
  const { AutoModel, LogLevel, Tensor, env } = await import("@huggingface/transformers");
  env.allowRemoteModels = false;
  // What goes wrong is thrown; its log would print the texts' tokens.
  env.logLevel = LogLevel.NONE;
  env.allowLocalModels = true;
  let name = place.location;
  if (place.runtime !== undefined) {
    // transformers.js takes an address for a model on the hub, unless its parent is the place of local models.
    const parts = /^(.*\/)([^/]+)\/?$/.exec(place.location)!;
    env.localModelPath = parts[1]!;
    name = parts[2]!;
    // The library's own choice, the build for WebGPU, lacks the kernel of four-bit embeddings on processors.
    const runtime = `${place.runtime}ort-wasm-simd-threaded`;
    env.backends.onnx.wasm!.wasmPaths = { mjs: `${runtime}.mjs`, wasm: `${runtime}.wasm` };
    // Kept by address for ever, a model that was replaced would be mixed with the tokeniser of the new one.
    env.useBrowserCache = false;
    env.useWasmCache = false;
    env.backends.onnx.wasm!.numThreads = 1;
  }
  const model = await AutoModel.from_pretrained(name, {
    dtype: place.dtype,
    local_files_only: true,
    use_external_data_format: place.externalData ?? false,
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
  }).catch((error: unknown) => {
    throw new MdcxError(
      "encoder-failed",
      `ONNX Runtime cannot load the model in ${place.location}: ${(error as Error).message}`,
      { cause: error },
    );
  });

  return {
    async run(ids) {
      const shape = [1, ids.length];
      const tokens = new Tensor("int64", BigInt64Array.from(ids, BigInt), shape);
      const ones = new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape);
      const zeros = new Tensor("int64", new BigInt64Array(ids.length), shape);
      const output = (await model({ input_ids: tokens, attention_mask: ones, token_type_ids: zeros })) as Record<
        string,
        LibraryTensor
      >;
      const vector = vectorOf(output, pooling);
      for (const each of Object.values(output)) each.dispose();
      return vector;
    },
    async close() {
      await model.dispose();
    },
  };
}

function vectorOf(output: Record<string, LibraryTensor>, pooling: Pooling): Float32Array {
  // Some models end in layers of their own, pooling included, and then give the sentence beside its tokens.
  const sentence = output.sentence_embedding;
  if (sentence !== undefined) return unit(Float32Array.from(sentence.data as Float32Array));
  const tokens = output.last_hidden_state ?? output.token_embeddings;
  if (tokens === undefined)
    throw new MdcxError(
      "encoder-failed",
      `The model gives ${Object.keys(output).join(", ")} but no vectors of tokens: it is not a model for embeddings.`,
    );
  return pool(tokens.data as Float32Array, tokens.dims.at(-1)!, pooling);
}
