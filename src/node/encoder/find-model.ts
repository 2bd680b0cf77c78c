import { stat } from "node:fs/promises";
import { MdcxError } from "../../errors.js";
import { readModelFolder, shippedFolder, SHIPPED_MODEL, type ModelFolder } from "./model-files.js";

export { SHIPPED_MODEL };

export async function findModel(model: string | undefined): Promise<ModelFolder> {
  if (model === undefined) return await readModelFolder(shippedFolder(), SHIPPED_MODEL.id);
  const isFolder = await stat(model).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return await readModelFolder(model);
  throw new MdcxError("missing-model", `There is no folder ${model}.`);
}
