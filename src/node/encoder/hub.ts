import { readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { MdcxError } from "../../errors.js";
import { isFile, readModelFolder, type ModelFolder } from "./model-files.js";
import type { DownloadAnswer, DownloadStart } from "./messages.js";
import { EncoderThread } from "./thread.js";

/** Written last into a fetched model's folder: without it the fetching was broken off. */
const COMPLETE = "mdcx-fetched.json";

export interface HubOptions {
  /** Whether a model that is not on this machine may be fetched. */
  readonly download: boolean;
  /** Told before anything is fetched: what comes from where. */
  readonly onDestination?: ((what: string) => void) | undefined;
}

/** Where fetched models lie: `mdcx/models` in `XDG_CACHE_HOME`, or in `.cache` of the user's home where that is not set. */
export function modelCache(): string {
  const { XDG_CACHE_HOME: cache } = process.env;
  return join(cache !== undefined && cache !== "" ? cache : join(homedir(), ".cache"), "mdcx", "models");
}

/** `https://huggingface.co/`, or the mirror that `HF_ENDPOINT` names, as for other programs that use the hub. */
function hubHost(): string {
  const { HF_ENDPOINT: endpoint } = process.env;
  const host = endpoint === undefined || endpoint === "" ? "https://huggingface.co" : endpoint;
  return `${host.replace(/\/+$/, "")}/`;
}

/**
 * The folder of a model of the hub, fetched by transformers.js where it is not on this machine yet.
 *
 * @param model `Xenova/bge-small-en-v1.5`, with `@` and a revision where not the newest is meant
 * @throws MdcxError `missing-model` where it is neither here nor to be had
 */
export async function hubModel(model: string, { download, onDestination }: HubOptions): Promise<ModelFolder> {
  const [id, asked] = model.split("@") as [string, string | undefined];
  if (!/^[\w.-]{1,96}(\/[\w.-]{1,96})?$/.test(id) || /\.\.|^[.-]|\/[.-]/.test(id) || asked === "")
    throw new MdcxError(
      "missing-model",
      `${model} is neither a folder nor the name of a model on the hub, such as Xenova/bge-small-en-v1.5.`,
    );
  const revision = asked ?? "main";
  if (!/^[\w-][\w.-]{0,63}$/.test(revision))
    throw new MdcxError("missing-model", `${revision} is no revision of a model: name a commit or a tag after the @.`);
  const cache = modelCache();
  // As the cache of transformers.js lays its files out.
  const folder = join(cache, id, ...(revision === "main" ? [] : [revision]));
  if (!(await isFile(join(folder, COMPLETE)))) {
    if (!download)
      throw new MdcxError(
        "missing-model",
        `The model ${model} is not on this machine, and reading fetches none: run mdcx model ${model} once, or name its folder or its server with --model.`,
      );
    const host = hubHost();
    onDestination?.(`the model ${model} is fetched from ${new URL(host).host} into ${folder}`);
    const commit = await fetchModel({ id, revision, host, cache, folder });
    await writeFile(join(folder, COMPLETE), `${JSON.stringify({ revision: commit ?? asked ?? null })}\n`);
  }
  const { revision: commit } = JSON.parse(await readFile(join(folder, COMPLETE), "utf8")) as {
    revision: string | null;
  };
  return await readModelFolder(folder, id, commit ?? undefined);
}

/** @returns the commit that the hub calls it by, where it tells */
async function fetchModel(start: DownloadStart): Promise<string | null> {
  return await new Promise((resolve, reject) => {
    const thread = new EncoderThread<never, DownloadAnswer>(
      "#download-thread",
      start,
      ({ revision }) => {
        resolve(revision);
        void thread.close();
      },
      reject,
    );
    thread.hold(true);
  });
}
