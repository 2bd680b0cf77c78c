import type { CorpusReading } from "../corpus.js";
import { MdcxError, type ErrorCode } from "../errors.js";
import type { MountEvent } from "./mounted-corpus.js";
import type { Mount } from "./mounted-package.js";
import type { Pinning } from "./pinning.js";

/** What the thread that holds a corpus is started with. */
export interface CorpusStart {
  readonly mounts: readonly Mount[];
  readonly pinning: Pinning;
  readonly model: string | undefined;
  /** Milliseconds; 0: never. */
  readonly idleUnload: number;
}

/** What was opened, in the order in which the files were given. */
export interface Opened {
  readonly file: string;
  readonly packageId: string;
  readonly revision: number;
  readonly documents: number;
  readonly passages: number;
}

/** What is asked of the corpus, by the names and arguments of `CorpusReading`. */
export type Question = {
  [Method in keyof CorpusReading]: {
    readonly method: Method;
    /** Without the signal, which cannot be cloned. */
    readonly args: WithoutSignal<Parameters<CorpusReading[Method]>>;
  };
}[keyof CorpusReading];
type WithoutSignal<Args extends readonly unknown[]> =
  Required<Args> extends readonly [...infer Asked, unknown] ? Asked : never;

/** `place` is where the call is noted as given up, `GivenUp`. */
export type CorpusRequest =
  | { readonly kind: "ask"; readonly call: number; readonly place: number; readonly question: Question }
  | { readonly kind: "close" };

export type CorpusAnswer =
  | { readonly kind: "opened"; readonly packages: readonly Opened[] }
  | { readonly kind: "answer"; readonly call: number; readonly value: unknown }
  | { readonly kind: "event"; readonly event: CorpusEvent }
  | Refusal;

export type CorpusEvent = MountEvent | { readonly kind: "destination"; readonly what: string };

/** An error as it crosses from the thread, where classes are lost. Without a call, nothing was opened. */
export interface Refusal {
  readonly kind: "refused";
  readonly call?: number;
  /** Absent for what is no refusal but a fault of the program. */
  readonly code?: ErrorCode;
  readonly message: string;
  readonly stack?: string;
}

export function refusal(error: unknown, call?: number): Refusal {
  const known = error instanceof MdcxError;
  return {
    kind: "refused",
    ...(call !== undefined && { call }),
    ...(known && { code: error.code }),
    message: error instanceof Error ? error.message : String(error),
    ...(error instanceof Error && error.stack !== undefined && { stack: error.stack }),
  };
}

/** The error of a refusal, of the class that it had. */
export function errorOf({ code, message, stack }: Refusal): Error {
  const error = code === undefined ? new Error(message) : new MdcxError(code, message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
