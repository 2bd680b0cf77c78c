/**
 * ONNX Runtime as it is, in a thread, beside which the encoder is measured: it takes the next batch of token lists from a
 * counter that all threads share, runs it, and reads the output. Nothing is pooled.
 */
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";

/** What a thread is given. */
export interface OnnxStart {
  /** The model's file. */
  readonly file: string;
  /** Threads inside of the session. */
  readonly threads: number;
  /** Texts of a run, padded to the longest. */
  readonly batch: number;
  /** Tokens of all texts, one after another, and where each text's begin; the end of the last is the last number. */
  readonly ids: Int32Array;
  readonly starts: Int32Array;
  /** One number: the next text that no thread has taken. */
  readonly counter: Int32Array;
}

interface Tensor {
  readonly data: Float32Array;
}
interface Runtime {
  readonly Tensor: new (type: "int64", data: BigInt64Array, shape: number[]) => unknown;
  readonly InferenceSession: {
    create(
      file: string,
      options: object,
    ): Promise<{ run(feeds: Record<string, unknown>): Promise<Record<string, Tensor>> }>;
  };
}

// The very copy that transformers.js runs.
const transformers = createRequire(import.meta.url).resolve("@huggingface/transformers");
const { Tensor, InferenceSession } = createRequire(transformers)("onnxruntime-node") as Runtime;

const { file, threads, batch, ids, starts, counter } = workerData as OnnxStart;
const session = await InferenceSession.create(file, { intraOpNumThreads: threads, interOpNumThreads: 1 });
const texts = starts.length - 1;

async function run(first: number): Promise<number> {
  const count = Math.min(batch, texts - first);
  const lengths = Array.from({ length: count }, (_, row) => starts[first + row + 1]! - starts[first + row]!);
  const width = Math.max(...lengths);
  const [tokens, mask] = [new BigInt64Array(count * width), new BigInt64Array(count * width)];
  lengths.forEach((length, row) => {
    for (let at = 0; at < length; at++) {
      tokens[row * width + at] = BigInt(ids[starts[first + row]! + at]!);
      mask[row * width + at] = 1n;
    }
  });
  const shape = [count, width];
  const output = await session.run({
    input_ids: new Tensor("int64", tokens, shape),
    attention_mask: new Tensor("int64", mask, shape),
    token_type_ids: new Tensor("int64", new BigInt64Array(count * width), shape),
  });
  return Object.values(output)[0]!.data[0]!;
}

parentPort!.on("message", () => {
  void (async () => {
    let sum = 0;
    for (;;) {
      const first = Atomics.add(counter, 0, batch);
      if (first >= texts) break;
      sum += await run(first);
    }
    parentPort!.postMessage(sum);
  })();
});
parentPort!.postMessage("ready");
