import type { ConvertedDocument, PartResult } from "../convert.js";
import type { EngineOptions, PageRange } from "../engine.js";
import type { Facts } from "./converter.js";

/** One source as a worker finds it. */
export interface JobSource {
  /** Where it lies. */
  readonly file: string;
  /** Its path inside the input, by which it is named. */
  readonly path: string;
  readonly password?: string;
}

/** A whole document. One with chapters is not converted where `asUnits` is set: its parts come back as jobs of their own. */
export interface DocumentJob {
  readonly kind: "document";
  readonly source: JobSource;
  readonly options: EngineOptions;
  readonly splitThreshold: number;
  readonly asUnits: boolean;
}

/** One part of a document whose bytes are known. */
export interface PartJob {
  readonly kind: "part";
  readonly source: JobSource;
  readonly sha256: string;
  readonly options: EngineOptions;
}

/** The parts of a document made into one: each in a file of its own, or what is said of one that was not converted. */
export interface AssembleJob {
  readonly kind: "assemble";
  readonly source: JobSource;
  readonly sha256: string;
  readonly parts: readonly (string | PartResult)[];
  readonly options: EngineOptions;
}

/** What a worker is asked to do. */
export type Job = DocumentJob | PartJob | AssembleJob;

/** A finished document. */
export interface DocumentAnswer {
  readonly kind: "document";
  readonly sha256: string;
  readonly bytes: number;
  readonly facts: Facts;
  readonly result: ConvertedDocument;
}

/** A document that is to be converted in these parts. */
export interface PartsAnswer {
  readonly kind: "parts";
  readonly sha256: string;
  readonly bytes: number;
  readonly parts: readonly PageRange[];
}

/** A finished part. */
export interface PartAnswer {
  readonly kind: "part";
  readonly result: PartResult;
}

/** The unit could not be done, and the worker is well: the file cannot be read, a package is missing, the converter is at fault. */
export interface FaultAnswer {
  readonly kind: "fault";
  readonly code: string;
  readonly message: string;
}

/** What a worker says of a job. */
export type Answer = DocumentAnswer | PartsAnswer | PartAnswer | FaultAnswer;

/** From the pool to a worker: first how it is to work, then one job after the other. */
export type ToWorker =
  | {
      readonly start: {
        /** Module that converts. */
        readonly converter: string;
        /** Bytes above those of the idle worker. */
        readonly memory: number;
        /** A larger source is refused unread. */
        readonly largest: number;
      };
    }
  | { readonly job: Job }
  // Not by closing the channel: then Node never says that the process has closed.
  | { readonly leave: true };

/** From a worker to the pool. */
export type FromWorker = { readonly ready: true } | { readonly answer: Answer };

/** File descriptor on which a worker's watchdog says why it ends the process; the channel of messages is 3. */
export const LAST_WORDS = 4;
