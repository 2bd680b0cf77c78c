import ora from "ora";

/** A line on the terminal that says how far long work has come; silent where nobody watches. */
export interface Progress {
  say(text: string): void;
  stop(): void;
}

/** Starts a progress line on standard error, so that it never mixes with results. */
export function startProgress(text: string): Progress {
  // A terminal without a size (0 columns, as some containers give it) would make ora rub out lines without end.
  if (!process.stderr.isTTY || !process.stderr.columns) return { say: () => undefined, stop: () => undefined };
  // Standard input is left alone: a passphrase may still be asked for.
  const spinner = ora({ text, stream: process.stderr, discardStdin: false }).start();
  return {
    say: (now) => {
      spinner.text = now;
    },
    stop: () => {
      spinner.stop();
    },
  };
}
