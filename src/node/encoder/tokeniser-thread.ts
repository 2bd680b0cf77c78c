import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { parentPort, workerData } from "node:worker_threads";
import { Tokeniser } from "../../meaning/tokeniser.js";
import { optional } from "../optional-package.js";
import { failure, type TokeniseRequest, type TokeniserAnswer, type TokeniserStart } from "./messages.js";

/** The thread that tokenises, and that computes the model's digest while the sessions load; threads.ts starts it. */
const start = workerData as TokeniserStart;
const port = parentPort!;

function answer(message: TokeniserAnswer, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

async function load(): Promise<Tokeniser> {
  const [definition, config] = await Promise.all([
    readFile(start.tokenizer, "utf8"),
    start.tokenizerConfig === undefined ? "{}" : readFile(start.tokenizerConfig, "utf8"),
  ]);
  return await optional("Finding by meaning", () =>
    Tokeniser.load(JSON.parse(definition) as object, JSON.parse(config) as object),
  );
}

function tokenise(tokeniser: Tokeniser, { request, texts, prefix }: TokeniseRequest): void {
  const tokenised = texts.map((text) => tokeniser.tokenise(text, prefix, start.window));
  const all = tokenised.flat();
  const lengths = Int32Array.from(all, (window) => window.length);
  const ids = new Int32Array(lengths.reduce((sum, each) => sum + each, 0));
  let at = 0;
  for (const window of all) {
    ids.set(window, at);
    at += window.length;
  }
  const windows = Int32Array.from(tokenised, (each) => each.length);
  answer({ kind: "tokens", request, ids, lengths, windows }, [ids.buffer, lengths.buffer, windows.buffer]);
}

async function digest(): Promise<string> {
  const hash = createHash("sha256");
  for (const file of start.weights) {
    const stream = createReadStream(file, { highWaterMark: 2 ** 20 });
    await pipeline(stream, async (chunks) => {
      for await (const chunk of chunks) hash.update(chunk as Uint8Array);
    });
  }
  return hash.digest("hex");
}

try {
  const tokeniser = await load();
  port.on("message", (message: TokeniseRequest) => {
    try {
      tokenise(tokeniser, message);
    } catch (error) {
      answer(failure(error, message.request));
    }
  });
  answer({ kind: "digest", sha256: await digest() });
} catch (error) {
  answer(failure(error));
}
