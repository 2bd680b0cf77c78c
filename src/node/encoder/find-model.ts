import { stat } from "node:fs/promises";
import { hubModel, type HubOptions } from "./hub.js";
import { readModelFolder, shippedFolder, SHIPPED_MODEL, type ModelFolder } from "./model-files.js";

/**
 * The folder of a model by what a person calls it.
 *
 * @param model absent: the one that ships; a folder; else an id on the hub
 * @throws MdcxError `missing-model`, `missing-package` with the command that helps
 */
export async function findModel(
  model: string | undefined,
  options: HubOptions & { readonly fromPackage: boolean },
): Promise<ModelFolder> {
  // The hub's own copy of the model that ships is in another format: the one that is here is meant.
  if (model === undefined || model === SHIPPED_MODEL.id)
    return await readModelFolder(shippedFolder(), SHIPPED_MODEL.id);
  if (!options.fromPackage && (await isFolder(model))) return await readModelFolder(model);
  return await hubModel(model, options);
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
