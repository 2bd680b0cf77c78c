import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { CallToolResult, ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import { MdcxError, type ErrorCode } from "../src/errors.js";
import { reportProgress } from "./progress.js";
import { clipped } from "./reply-size.js";
import type { Told } from "./tool.js";

/** What the SDK hands over with a request: the signal of its cancellation, its metadata, a way to notify. */
export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A call that has ended, for whoever keeps a log. It holds what was asked: how much of it is written down is theirs to decide. */
export interface EndedCall {
  /** Unique among the calls of all servers. */
  readonly id: string;
  /** `search`, `info`, `document`, or `resource` for a document that was read as one. */
  readonly tool: string;
  /** As they were sent, whether or not they fit the schema. */
  readonly arguments: unknown;
  readonly milliseconds: number;
  /** refused: the caller can do something about it; failed: a fault of mdcx or of a file; cancelled: by the client. */
  readonly outcome: "answered" | "refused" | "failed" | "cancelled";
  /** First 8 digits of the ids of the packages that the answer came from. */
  readonly packages: readonly string[];
  /** Ids of the passages that were returned. */
  readonly passages: readonly string[];
  /** Of what was refused or failed; `internal` for what is no MdcxError. */
  readonly code?: ErrorCode;
  readonly error?: unknown;
}

/** What is told of a server while it serves. */
export interface ServerHooks {
  readonly onCall?: (call: EndedCall) => void;
}

/** What can be put right by asking otherwise. */
const CALLERS: readonly ErrorCode[] = ["bad-input", "not-found", "no-meaning"];

/**
 * Runs a call: tells the client that it is being worked at, stops waiting when the client cancels, and tells the hooks how
 * it ended. What has begun in the reading runs to its end there; its answer goes nowhere.
 */
export async function run(
  call: Pick<EndedCall, "tool" | "arguments">,
  work: () => Promise<Told>,
  extra: Extra,
  hooks: ServerHooks,
): Promise<Told> {
  const started = performance.now();
  const ended = (rest: Pick<EndedCall, "outcome"> & Partial<EndedCall>): void =>
    hooks.onCall?.({
      id: crypto.randomUUID(),
      tool: call.tool,
      arguments: call.arguments,
      milliseconds: performance.now() - started,
      packages: [],
      passages: [],
      ...rest,
    });
  const stop = reportProgress(call.tool, extra);
  try {
    const told = await unlessAborted(work(), extra.signal);
    ended({
      outcome: "answered",
      ...(told.packages && { packages: told.packages }),
      ...(told.passages && { passages: told.passages }),
    });
    return told;
  } catch (error) {
    const code = error instanceof MdcxError ? error.code : "internal";
    if (extra.signal.aborted) ended({ outcome: "cancelled" });
    else ended({ outcome: CALLERS.includes(code) ? "refused" : "failed", code, error });
    throw error;
  } finally {
    stop();
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(new Error("cancelled"));
    };
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", abort);
    });
  });
}

/**
 * The reply goes out whole in both forms, because a client shows the model one of them: some drop the text when structured
 * content is there.
 */
export function answered({ reply }: Told): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(reply) }], structuredContent: reply };
}

/** What went wrong, as an error that the model can read; the server stays up. */
export function refused(error: unknown): CallToolResult {
  return { isError: true, content: [{ type: "text", text: sentence(error) }] };
}

/** Characters of an error: it may list the full names of a document that many packages have. */
const LONGEST_ERROR = 8_000;

/** What is no MdcxError may hold anything, a path of this machine too: it is for the log alone. */
export function sentence(error: unknown): string {
  return error instanceof MdcxError
    ? clipped(error.message, LONGEST_ERROR)
    : "Something went wrong inside mdcx: its log says what. Other calls still work.";
}
