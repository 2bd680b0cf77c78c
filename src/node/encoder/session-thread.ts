import { parentPort, workerData } from "node:worker_threads";
import { loadModel, type Model } from "../../meaning/transformer.js";
import { optional } from "../optional-package.js";
import { failure, type SessionAnswer, type SessionRequest, type SessionStart } from "./messages.js";

/** A thread with one session of one thread; threads.ts starts it. ONNX Runtime blocks it for as long as a text runs. */
type Run = Extract<SessionRequest, { kind: "run" }>;
interface Job {
  readonly run: Run;
  readonly vectors: Float32Array[];
  /** The next window and where its tokens begin. */
  window: number;
  token: number;
}

const { place, pooling } = workerData as SessionStart;
const port = parentPort!;
const urgent: Job[] = [];
const others: Job[] = [];
let closing = false;
let wake: (() => void) | undefined;

function answer(message: SessionAnswer, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

port.on("message", (message: SessionRequest) => {
  if (message.kind === "close") closing = true;
  else (message.urgent ? urgent : others).push({ run: message, vectors: [], window: 0, token: 0 });
  wake?.();
});

/** Runs the next window of a job, and answers after its last. */
async function step(model: Model, job: Job, queue: Job[]): Promise<void> {
  const { ids, lengths, request } = job.run;
  try {
    const end = job.token + lengths[job.window]!;
    job.vectors.push(await model.run(ids.subarray(job.token, end)));
    job.token = end;
    if (++job.window < lengths.length) return;
    const dimensions = job.vectors[0]!.length;
    const vectors = new Float32Array(job.vectors.length * dimensions);
    job.vectors.forEach((vector, row) => {
      vectors.set(vector, row * dimensions);
    });
    answer({ kind: "vectors", request, vectors }, [vectors.buffer]);
  } catch (error) {
    answer(failure(error, request));
  }
  queue.splice(queue.indexOf(job), 1);
}

async function work(model: Model): Promise<void> {
  while (!closing) {
    // Between two windows the queue is looked at anew: a question does not wait behind the texts of a pack.
    const queue = urgent.length > 0 ? urgent : others;
    const job = queue[0];
    if (job !== undefined) await step(model, job, queue);
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  await model.close();
  port.close();
}

try {
  await work(await optional("Finding by meaning", () => loadModel(place, pooling)));
} catch (error) {
  answer(failure(error));
}
