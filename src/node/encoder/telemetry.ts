import { isMainThread } from "node:worker_threads";
import { MdcxError } from "../../errors.js";

/**
 * ONNX Runtime, from 1.29 on, reports sessions, digests of models and a device id to its maker unless this is set before
 * it is loaded. Nothing leaves from here that nobody asked for.
 */
const SWITCH = "ORT_DISABLE_TELEMETRY";

/**
 * Keeps ONNX Runtime from reporting, for the rest of the process. To be called before a thread loads it.
 *
 * @throws MdcxError `encoder-failed` in a thread of the caller's, whose environment is a copy that native code never sees
 */
export function keepRuntimeQuiet(): void {
  if (process.env[SWITCH] === "1") return;
  if (!isMainThread)
    throw new MdcxError(
      "encoder-failed",
      `ONNX Runtime would report its use to its maker, and only the main thread can keep it from that: open the encoder there, or start the program with ${SWITCH}=1.`,
    );
  process.env[SWITCH] = "1";
}
