import { parentPort, workerData } from "node:worker_threads";
import type { CorpusAnswer, CorpusRequest, CorpusStart, Question } from "./corpus-messages.js";
import { refusal } from "./corpus-messages.js";
import { MountedCorpus } from "./mounted-corpus.js";

/**
 * The thread that holds a corpus; corpus-proxy.ts starts it. Searching and decrypting block it, while the thread that
 * speaks with clients goes on listening.
 */
const { start, givenUp } = workerData as { readonly start: CorpusStart; readonly givenUp: Int32Array };
const port = parentPort!;

function say(answer: CorpusAnswer): void {
  port.postMessage(answer);
}

function ask(corpus: MountedCorpus, { method, args }: Question): Promise<unknown> {
  switch (method) {
    case "search":
      return corpus.search(...args);
    case "info":
      return corpus.info(...args);
    case "documents":
      return corpus.documents(...args);
    case "document":
      return corpus.document(...args);
  }
}

async function answer(corpus: MountedCorpus, call: number, place: number, question: Question): Promise<void> {
  // Nobody waits for what was given up while this thread was busy.
  const wanted = Atomics.load(givenUp, place) !== call;
  try {
    say({ kind: "answer", call, value: wanted ? await ask(corpus, question) : undefined });
  } catch (error) {
    say(refusal(error, call));
  }
}

try {
  const { mounts, pinning, model, idleUnload } = start;
  const corpus = await MountedCorpus.open(mounts, {
    pinning,
    model,
    idleUnload,
    onDestination: (what) => {
      say({ kind: "event", event: { kind: "destination", what } });
    },
    onEvent: (event) => {
      say({ kind: "event", event });
    },
  });
  port.on("message", (request: CorpusRequest) => {
    if (request.kind === "ask") void answer(corpus, request.call, request.place, request.question);
    else
      void corpus.close().finally(() => {
        port.close();
      });
  });
  say({
    kind: "opened",
    packages: corpus.mounted.map(({ file, package: { id, claims } }) => ({
      file,
      packageId: id,
      revision: claims.revision,
      documents: claims.documents,
      passages: claims.passages,
    })),
  });
} catch (error) {
  say(refusal(error));
}
