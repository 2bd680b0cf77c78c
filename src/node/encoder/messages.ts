import type { Pooling } from "../../meaning/encoder.js";
import type { ModelPlace } from "../../meaning/transformer.js";
import { MdcxError, type ErrorCode } from "../../errors.js";

/** What the thread that tokenises is started with. */
export interface TokeniserStart {
  readonly tokenizer: string;
  readonly tokenizerConfig: string | undefined;
  /** Files whose digest names the model. */
  readonly weights: readonly string[];
  readonly window: number;
}

/** Texts to be tokenised, of one prefix. */
export interface TokeniseRequest {
  readonly request: number;
  readonly texts: readonly string[];
  readonly prefix: string;
}

/** What the thread that tokenises says. */
export type TokeniserAnswer =
  | { readonly kind: "digest"; readonly sha256: string }
  | {
      readonly kind: "tokens";
      readonly request: number;
      /** All tokens of all windows, one after another. */
      readonly ids: Int32Array;
      /** Tokens of each window. */
      readonly lengths: Int32Array;
      /** Windows of each text. */
      readonly windows: Int32Array;
    }
  | Failure;

/** What a thread with a session is started with. */
export interface SessionStart {
  readonly place: ModelPlace;
  readonly pooling: Pooling;
}

/** Windows to be run; `close` ends the thread after the one that is running. */
export type SessionRequest =
  | {
      readonly kind: "run";
      readonly request: number;
      readonly ids: Int32Array;
      readonly lengths: Int32Array;
      /** Goes before what is not. */
      readonly urgent: boolean;
    }
  | { readonly kind: "close" };

export type SessionAnswer =
  { readonly kind: "vectors"; readonly request: number; readonly vectors: Float32Array } | Failure;

/** What the thread that fetches a model is started with. */
export interface DownloadStart {
  readonly id: string;
  readonly revision: string;
  /** Ends in a slash. */
  readonly host: string;
  /** The folder of all fetched models, and in it that of this one. */
  readonly cache: string;
  readonly folder: string;
}

/** Its only answer, beside a failure: all files are there. */
export interface DownloadAnswer {
  readonly kind: "fetched";
  /** The commit that the hub calls it by, where it tells. */
  readonly revision: string | null;
}

/** What went wrong, and with which request; without one the thread is of no use. */
export interface Failure {
  readonly kind: "failed";
  readonly request?: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** An error as it crosses from a thread, where classes are lost. */
export function failure(error: unknown, request?: number): Failure {
  const known = error instanceof MdcxError;
  return {
    kind: "failed",
    ...(request !== undefined && { request }),
    code: known ? error.code : "encoder-failed",
    message: known ? error.message : `The model failed: ${error instanceof Error ? error.message : String(error)}`,
  };
}
