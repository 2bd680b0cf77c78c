import { freemem, availableParallelism } from "node:os";
import type { Encoder } from "../../meaning/encoder.js";
import { HttpEncoder } from "../../meaning/http.js";
import { findModel } from "./find-model.js";
import { SHIPPED_MODEL } from "./model-files.js";
import { ThreadedEncoder } from "./threads.js";

export { SHIPPED_MODEL };

export interface OpenEncoderOptions {
  /** Sessions at most, each in a thread of its own; as many as there are processors unless given. One is enough to read. */
  readonly threads?: number;
  /** Whether a model of the hub that is not on this machine may be fetched; true unless given. Readers never do. */
  readonly download?: boolean;
  /**
   * Whether the name is what a package says of itself: then it is a model of the hub or nothing. Whoever writes a package
   * must not choose the server to which questions go, or the folder that is read.
   */
  readonly fromPackage?: boolean;
  /** Told once, before texts leave for a host or a model comes from one: what goes where, in half a sentence. */
  readonly onDestination?: (what: string) => void;
}

/** More sessions than this gain little beside their memory. */
const MOST_SESSIONS = 8;
/** What a session of the shipped model takes, in bytes. */
const SESSION_MEMORY = 250 * 2 ** 20;

/**
 * An encoder, which loads its model at the first use.
 *
 * @param model absent: the model that ships; a folder as transformers.js reads it; the address of an OpenAI-compatible
 * server of embeddings; anything else is the id of a model on the hub
 */
export function openEncoder(model?: string, options: OpenEncoderOptions = {}): Encoder {
  if (model !== undefined && options.fromPackage !== true && /^https?:\/\//i.test(model)) {
    const key = process.env.MDCX_EMBEDDINGS_KEY;
    const { onDestination } = options;
    return new HttpEncoder(model, {
      ...(key !== undefined && { key }),
      ...(onDestination && {
        onDestination: (host: string) => {
          onDestination(`every text that is encoded goes to ${host}`);
        },
      }),
    });
  }
  return new ThreadedEncoder(
    () =>
      findModel(model, {
        download: options.download ?? true,
        fromPackage: options.fromPackage ?? false,
        onDestination: options.onDestination,
      }),
    () => options.threads ?? sessions(),
  );
}

function sessions(): number {
  const affordable = Math.floor(freemem() / SESSION_MEMORY);
  return Math.max(1, Math.min(availableParallelism(), affordable, MOST_SESSIONS));
}
