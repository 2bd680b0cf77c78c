import { MdcxError } from "../errors.js";

/** The end of a conversion that cannot be: `sentence` says what is wrong with the original and what to do. */
export function refuse(sentence: string, options?: ErrorOptions): never {
  throw new MdcxError("refused", sentence, options);
}
