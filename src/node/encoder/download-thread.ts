import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { MdcxError } from "../../errors.js";
import { MODEL_FILES } from "../../meaning/transformer.js";
import { optional } from "../optional-package.js";
import { failure, type DownloadAnswer, type DownloadStart } from "./messages.js";

/**
 * The thread that fetches a model of the hub, once; hub.ts starts it. transformers.js fetches by loading, and what it
 * loads goes with the thread.
 */
const { id, revision, host, cache, folder } = workerData as DownloadStart;
type Library = typeof import("@huggingface/transformers");

/** What sentence-transformers says of a model's use, which transformers.js does not read. */
const USAGE_FILES = ["config_sentence_transformers.json", "sentence_bert_config.json"];
const POOLING_FILE = "1_Pooling/config.json";

async function download({ AutoModel, AutoTokenizer, LogLevel, ModelRegistry, env }: Library): Promise<string | null> {
  env.logLevel = LogLevel.NONE;
  env.allowLocalModels = false;
  env.remoteHost = host;
  env.cacheDir = cache;
  const offered = await ModelRegistry.get_available_dtypes(id, { revision, cache_dir: cache });
  const dtype = MODEL_FILES.map(([each]) => each).find((each) => offered.includes(each));
  if (dtype === undefined)
    throw new MdcxError(
      "missing-model",
      `${new URL(host).host} has no model ${id} with an onnx folder: name one that transformers.js can read, such as Xenova/bge-small-en-v1.5.`,
    );
  await AutoTokenizer.from_pretrained(id, { revision });
  await (await AutoModel.from_pretrained(id, { revision, dtype })).dispose();

  let commit: string | null = null;
  for (const file of [...USAGE_FILES, POOLING_FILE]) {
    const address = `${host}${id}/resolve/${encodeURIComponent(revision)}/${file}`;
    const response = (await env.fetch(address)) as Response;
    commit ??= response.headers.get("x-repo-commit");
    if (response.status !== 200) continue;
    const text = await response.text();
    if (file === POOLING_FILE) await mkdir(join(folder, "1_Pooling"), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return commit;
}

try {
  const library = await optional("Fetching a model", () => import("@huggingface/transformers"));
  const answer: DownloadAnswer = { kind: "fetched", revision: await download(library) };
  parentPort!.postMessage(answer);
} catch (error) {
  const known = error instanceof MdcxError;
  parentPort!.postMessage(
    failure(
      known
        ? error
        : new MdcxError(
            "missing-model",
            `The model ${id} cannot be fetched from ${new URL(host).host}: ${reason(error)}. Check its name and the network, or name a folder that holds it.`,
            { cause: error },
          ),
    ),
  );
}

/** What went wrong, the cause that `fetch` hides included, as the end of a sentence. */
function reason(error: unknown): string {
  const { message, cause } = error as Error;
  const text = cause instanceof Error ? `${message} (${cause.message})` : message;
  return text.replace(/[.\s]+$/, "");
}
