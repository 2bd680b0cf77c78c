/** Work that must not run beside itself: each waits for those that came before it. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when all before it have ended, however they did. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** What is used here of a channel, typed because the project compiles without the DOM library. */
interface Channel {
  readonly port1: { onmessage: () => void; close(): void };
  readonly port2: { postMessage(message: undefined): void };
}

/** Lets what waits for this thread have it: messages of other threads, timers. A timer of our own would take a millisecond. */
export function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel() as unknown as Channel;
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
