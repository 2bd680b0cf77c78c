import type { Argv } from "yargs";
import type { Encoder } from "../src/meaning/encoder.js";
import { note, printableLine } from "./print.js";

/** The option of commands that put questions to vectors. */
export function withModelOption<T>(args: Argv<T>) {
  return args.option("model", {
    type: "string",
    requiresArg: true,
    describe:
      "the model for questions, where another than the one that ships made the vectors: a hub id, a folder, an address",
  });
}

/** The encoder for many passages: the model that ships unless another is named. Where texts or files go over a network is said. */
export async function encoderOf(model: string | undefined): Promise<Encoder> {
  const { openEncoder } = await import("../src/node/encoder/open.js");
  return openEncoder(model, { onDestination: sayDestination });
}

/** Says once a run which host receives texts, or sends a model. */
export function sayDestination(what: string): void {
  note(`mdcx: ${printableLine(what)}`);
}
