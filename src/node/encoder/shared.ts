import { MdcxError } from "../../errors.js";
import type { Encoder, EncoderDescription } from "../../meaning/encoder.js";
import { openEncoder, SHIPPED_MODEL, type OpenEncoderOptions } from "./open.js";

interface Shared {
  readonly encoder: Encoder;
  users: number;
}

/** By model: a model takes some 300 MB, and all packages of a process that use it share one. */
const shared = new Map<string, Shared>();

/**
 * The encoder for questions to vectors of that description, shared by all packages of this process. Closing what is
 * returned lets go of one use; the last one frees the model. Nothing is downloaded for reading.
 *
 * @param model hub id, folder or address where the user names one; else the one that the description names
 */
export function sharedEncoder(
  wanted: EncoderDescription,
  model?: string,
  options: Pick<OpenEncoderOptions, "onDestination"> = {},
): Encoder {
  // No package names a server, and what a server calls a model may be another one on the hub.
  if (model === undefined && wanted.dtype === "remote") return unnamedServer(wanted.id);
  const name =
    model ?? (wanted.id === SHIPPED_MODEL.id || wanted.sha256 === SHIPPED_MODEL.sha256 ? undefined : wanted.id);
  const fromPackage = model === undefined;
  const key = JSON.stringify([name, fromPackage]);
  let one = shared.get(key);
  if (one === undefined) {
    one = { encoder: openEncoder(name, { ...options, threads: 1, download: false, fromPackage }), users: 0 };
    shared.set(key, one);
  }
  return lease(key, one);
}

function unnamedServer(id: string): Encoder {
  const missing = (): Promise<never> =>
    Promise.reject(
      new MdcxError(
        "missing-model",
        `Its vectors were made by ${id} on a server: give the server's address with --model http://HOST:PORT/v1#${id}.`,
      ),
    );
  return { describe: missing, encode: missing, close: () => Promise.resolve() };
}

function lease(key: string, one: Shared): Encoder {
  one.users++;
  let open = true;
  return {
    describe: () => one.encoder.describe(),
    encode: (texts, role, onProgress) => one.encoder.encode(texts, role, onProgress),
    close: async () => {
      if (!open) return;
      open = false;
      one.users--;
      if (one.users > 0) return;
      shared.delete(key);
      await one.encoder.close();
    },
  };
}
