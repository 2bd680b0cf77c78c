import { MdcxError } from "../errors.js";

/** The end of a conversion that cannot be: `sentence` says what is wrong with the original and what to do. */
export function refuse(sentence: string, options?: ErrorOptions): never {
  throw new MdcxError("refused", sentence, options);
}

/** Imports an optional package; a missing one is named with the command that installs it. */
export async function optional<T>(name: string, purpose: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new MdcxError("missing-package", `${purpose} needs the package ${name}: run npm install ${name}.`, { cause });
  }
}
