import { parentPort, workerData } from "node:worker_threads";
import { ApartAnalyst } from "../document-analysis.js";
import type { AnalysisReply, AnalysisRequest } from "./pack-threads.js";

/** A thread that reads documents; pack-threads.ts starts it and posts one batch after the other, which it answers in their order. */
const port = parentPort!;
const analyst = new ApartAnalyst((workerData as { readonly table: number }).table);

port.on("message", ({ batch, rules }: AnalysisRequest) => {
  const say = (reply: AnalysisReply): void => {
    port.postMessage(reply);
  };
  analyst.analyse(batch, rules).then(say, (error: unknown) => {
    say({ error });
  });
});
