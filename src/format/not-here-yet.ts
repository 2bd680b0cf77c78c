/**
 * Thrown by reading that cannot wait, where bytes of a remote source are neither here nor readable at once. Whoever called
 * awaits `bring` and runs again what it was doing: `whenHere` does so.
 */
export class NotHereYet extends Error {
  override readonly name = "NotHereYet";

  /** @param bring fetches, checks and keeps what was missing; rejects with the MdcxError of what went wrong */
  constructor(readonly bring: () => Promise<void>) {
    super("Bytes of the package have not come yet.");
  }
}

/**
 * Runs each of `works`. What is missing of several is brought at once, instead of what the first of them lacks and then what
 * the next one does.
 *
 * @throws NotHereYet that brings what all of them lack
 */
export function together(works: readonly (() => void)[]): void {
  const missing: NotHereYet[] = [];
  for (const work of works) {
    try {
      work();
    } catch (error) {
      if (!(error instanceof NotHereYet)) throw error;
      missing.push(error);
    }
  }
  if (missing.length === 0) return;
  throw new NotHereYet(async () => {
    await Promise.all(missing.map((one) => one.bring()));
  });
}

/**
 * Runs `work` until nothing is missing. What it had done before it was broken off is done again, so it must leave no trace
 * that a second run would add to.
 */
export async function whenHere<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NotHereYet)) throw error;
      await error.bring();
    }
  }
}
