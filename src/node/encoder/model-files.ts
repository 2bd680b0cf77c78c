import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { MdcxError } from "../../errors.js";
import { statedDimensions, usage, type Usage } from "../../meaning/families.js";
import { MODEL_FILES, type ModelPlace } from "../../meaning/transformer.js";
import { versioned } from "../optional-package.js";

/** The model that ships: a folder like any other, in a package of its own that `npm install mdcx` brings along. */
export const SHIPPED_MODEL = {
  id: "intfloat/multilingual-e5-small",
  package: "mdcx-multilingual-e5-small",
  /** Of its ONNX file: a package made with the same file from any folder is read with it. */
  sha256: "28efb6b451dd289586cafc9cd786d1f52265fcbad91fda4f10a5497d39580a75",
} as const;

/** A model on this machine, with what is known before it is loaded. */
export interface ModelFolder {
  readonly id: string;
  readonly revision: string | null;
  readonly place: ModelPlace;
  readonly usage: Usage;
  /** Undefined where `config.json` does not say it: the first vector will. */
  readonly dimensions: number | undefined;
  readonly tokenizer: string;
  readonly tokenizerConfig: string | undefined;
  /** The model's file, and its weights where they lie beside it. */
  readonly weights: readonly string[];
}

/** The folder of the shipped model. @throws MdcxError `missing-model` */
export function shippedFolder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${SHIPPED_MODEL.package}/package.json`));
  } catch (cause) {
    throw new MdcxError(
      "missing-model",
      `Finding by meaning needs the model that comes as a package of its own: run npm install ${versioned(SHIPPED_MODEL.package)}.`,
      { cause },
    );
  }
}

/**
 * Reads what a folder says of its model.
 *
 * @param id what packages will call the model; the folder's name unless given
 * @throws MdcxError `missing-model` naming the file that the folder lacks, `encoder-failed` for a file that is no JSON
 */
export async function readModelFolder(folder: string, id?: string, revision?: string): Promise<ModelFolder> {
  const location = resolve(folder);
  const file = async (name: string): Promise<string | undefined> =>
    (await isFile(join(location, name))) ? join(location, name) : undefined;
  const needed = async (name: string): Promise<string> =>
    (await file(name)) ??
    missing(`The folder ${folder} holds no ${name}: name the folder of a model as transformers.js reads it.`);

  const config = await readJson(await needed("config.json"));
  const tokenizer = await needed("tokenizer.json");
  const tokenizerConfig = await file("tokenizer_config.json");
  const [dtype, onnx] =
    (await firstModel(location)) ??
    missing(
      `The folder ${folder} holds no onnx/model_quantized.onnx or onnx/model.onnx: name the folder of a model as transformers.js reads it.`,
    );
  const external = await file(`onnx/${onnx}_data`);
  const optionalJson = async (name: string) => {
    const path = await file(name);
    return path === undefined ? undefined : await readJson(path);
  };
  const name = id ?? basename(location);
  return {
    id: name,
    revision: revision ?? null,
    place: { location, dtype, externalData: external !== undefined },
    usage: usage([name], {
      config,
      tokeniser: await optionalJson("tokenizer_config.json"),
      pooling: await optionalJson("1_Pooling/config.json"),
      sentences: await optionalJson("config_sentence_transformers.json"),
      length: await optionalJson("sentence_bert_config.json"),
    }),
    dimensions: statedDimensions(config),
    tokenizer,
    tokenizerConfig,
    weights: [join(location, "onnx", onnx), ...(external === undefined ? [] : [external])],
  };
}

async function firstModel(location: string): Promise<(typeof MODEL_FILES)[number] | undefined> {
  for (const each of MODEL_FILES) if (await isFile(join(location, "onnx", each[1]))) return each;
  return undefined;
}

function missing(sentence: string): never {
  throw new MdcxError("missing-model", sentence);
}

export async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function readJson(path: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch (cause) {
    throw new MdcxError("encoder-failed", `${path} is no JSON, so the model cannot be read: get the model anew.`, {
      cause,
    });
  }
  throw new MdcxError("encoder-failed", `${path} holds no object, so the model cannot be read: get the model anew.`);
}
