import { parentPort } from "node:worker_threads";
import { scanHanded } from "../meaning/scan/scan.js";
import type { ScanAnswer, ScanRequest } from "./scan-proxy.js";

/** The thread that scans codes in memories which it is handed; scan-proxy.ts starts it. */
const port = parentPort!;

function scanned({ number, scans }: ScanRequest): ScanAnswer {
  try {
    for (const scan of scans) scanHanded(scan);
    return { number };
  } catch (error) {
    return { number, failure: String(error) };
  }
}

port.on("message", (request: ScanRequest) => {
  port.postMessage(scanned(request));
});
