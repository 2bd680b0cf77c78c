import type { Extra } from "./answer.js";

/** How often a client that asked for it hears that a call is still being worked at, in milliseconds. */
const EVERY = 1000;

const DOING: Readonly<Record<string, string>> = { search: "Searching", info: "Looking", document: "Reading" };

/**
 * Tells a client that asked for progress that its call has begun, and each second that it goes on, so that it goes on
 * waiting: the first question after a pause loads the encoder. How long it takes nobody knows, so there is no total.
 *
 * @returns what ends it
 */
export function reportProgress(tool: string, extra: Extra): () => void {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  const tell = (): void => {
    const message = `${DOING[tool] ?? "Reading"}${progress === 0 ? "" : `, ${progress} s`}`;
    // A client that has gone is no reason to stop the call.
    extra
      .sendNotification({ method: "notifications/progress", params: { progressToken, progress, message } })
      .catch(() => undefined);
    progress++;
  };
  tell();
  const timer = setInterval(tell, EVERY);
  return () => {
    clearInterval(timer);
  };
}
