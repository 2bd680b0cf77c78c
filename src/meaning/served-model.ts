import { sha256 as portableSha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { MdcxError } from "../errors.js";
import type { Encoded, Encoder, EncoderDescription, Role } from "./encoder.js";
import { usage } from "./families.js";
import { meanOf } from "./pooling.js";
import { Tokeniser } from "./tokeniser.js";
import { loadModel, MODEL_FILES, type Model, type ModelType } from "./transformer.js";

/** A model whose folder a web page's own server serves. */
export interface ServedModel {
  /** Address of the folder, as transformers.js lays one out: `https://example.org/models/multilingual-e5-small`. */
  readonly address: string;
  /** Address of the folder that serves the files of ONNX Runtime (`ort-wasm-simd-threaded.mjs` and `.wasm`). */
  readonly runtime: string;
  /** What packages call it; the folder's name unless given. */
  readonly id?: string;
  /** How the numbers of the model's file are stored; `q8` unless given. */
  readonly dtype?: ModelType;
}

interface Loaded {
  readonly description: EncoderDescription;
  readonly tokeniser: Tokeniser;
  readonly model: Model;
}

/**
 * The encoder of a browser: tokeniser and model run on the thread that asks, one text after another, and give the vectors
 * that the threads of Node give. A page that must not stand still runs it in a Web Worker. All of it is fetched from the
 * addresses given, at the first use.
 */
export class ServedEncoder implements Encoder {
  #loading: Promise<Loaded> | undefined;
  /** The last call: a session takes one text at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly served: ServedModel) {}

  async describe(): Promise<EncoderDescription> {
    return (await this.#load()).description;
  }

  encode(texts: readonly string[], role: Role, onProgress?: (done: number) => void): Promise<Encoded> {
    return this.#next(() => this.#encode(texts, role, onProgress));
  }

  close(): Promise<void> {
    return this.#next(async () => {
      const loading = this.#loading;
      this.#loading = undefined;
      await (await loading?.catch(() => undefined))?.model.close();
    });
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #encode(texts: readonly string[], role: Role, onProgress?: (done: number) => void): Promise<Encoded> {
    if (texts.length === 0) return { vectors: new Float32Array(0), windowed: 0, tokens: 0 };
    const { description, tokeniser, model } = await this.#load();
    const { dimensions, prefixes, window } = description;
    const vectors = new Float32Array(texts.length * dimensions);
    let [windowed, tokens] = [0, 0];
    for (const [i, text] of texts.entries()) {
      const windows = tokeniser.tokenise(text, prefixes[role], window);
      const rows = new Float32Array(windows.length * dimensions);
      for (const [at, ids] of windows.entries()) {
        rows.set(await model.run(ids), at * dimensions);
        tokens += ids.length;
      }
      if (windows.length > 1) windowed++;
      vectors.set(windows.length > 1 ? meanOf(rows, dimensions) : rows, i * dimensions);
      onProgress?.(i + 1);
    }
    return { vectors, windowed, tokens };
  }

  #load(): Promise<Loaded> {
    this.#loading ??= this.#loadNow().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #loadNow(): Promise<Loaded> {
    const { address, runtime, dtype = "q8" } = this.served;
    const location = address.replace(/\/+$/, "");
    const id = this.served.id ?? location.slice(location.lastIndexOf("/") + 1);
    const file = MODEL_FILES.find(([type]) => type === dtype)![1];
    const weightsAt = `${location}/onnx/${file}`;
    const [config, definition, tokeniserConfig, poolingConfig, sentences, length, weights] = await Promise.all([
      needed(`${location}/config.json`, json),
      needed(`${location}/tokenizer.json`, json),
      fetched(`${location}/tokenizer_config.json`, json),
      fetched(`${location}/1_Pooling/config.json`, json),
      fetched(`${location}/config_sentence_transformers.json`, json),
      fetched(`${location}/sentence_bert_config.json`, json),
      needed(weightsAt, async (response) => new Uint8Array(await response.arrayBuffer())),
    ]);
    const used = usage([id], { config, tokeniser: tokeniserConfig, pooling: poolingConfig, sentences, length });
    const place = { location, dtype, runtime: `${runtime.replace(/\/+$/, "")}/` };
    // Packages know their model by it.
    const sha256 = await digest(weights);
    const tokeniser = await Tokeniser.load(definition, tokeniserConfig ?? {});
    await lend(weightsAt, weights);
    const model = await loadModel(place, used.pooling).finally(() => lent.delete(weightsAt));
    const dimensions = (await model.run(tokeniser.tokenise("a", "", used.window)[0]!)).length;
    return { tokeniser, model, description: { id, revision: null, sha256, dtype, dimensions, ...used } };
  }
}

async function needed<T>(address: string, read: (response: Response) => Promise<T>): Promise<T> {
  const found = await fetched(address, read);
  if (found === undefined)
    throw new MdcxError(
      "missing-model",
      `There is no ${address}: serve the model's folder as transformers.js lays it out.`,
    );
  return found;
}

/** What an address gives; undefined where there is nothing. */
async function fetched<T>(address: string, read: (response: Response) => Promise<T>): Promise<T | undefined> {
  try {
    const response = await fetch(address);
    return response.ok ? await read(response) : undefined;
  } catch (cause) {
    throw new MdcxError("missing-model", `${address} could not be read: see that it is served, and to this page.`, {
      cause,
    });
  }
}

const json = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>;

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Pages that are not served safely have no WebCrypto.
  const { subtle } = (globalThis as { crypto: { subtle?: typeof crypto.subtle } }).crypto;
  return bytesToHex(subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : portableSha256(bytes));
}

/** Files that were read for their digest, by address, until the library has taken them. */
const lent = new Map<string, Uint8Array<ArrayBuffer>>();
let lending = false;

/** Gives the library a file that is here: fetched by both, 76 MB would travel twice wherever a server forbids caching. */
async function lend(address: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const { env } = await import("@huggingface/transformers");
  const { fetch: fetching } = env;
  if (!lending)
    env.fetch = (input, init) => {
      const here = lent.get(String(input));
      return here ? Promise.resolve(new Response(here)) : fetching(input, init);
    };
  lending = true;
  lent.set(address, bytes);
}
