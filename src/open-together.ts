/** Packages that are being opened at a time: a passphrase takes 128 MiB and a processor while it is tried. */
const AT_A_TIME = 2;

/**
 * Opens several, two at a time, or none.
 *
 * @param close for what was opened where another is refused
 * @returns what was opened, in the order of the inputs
 * @throws what the first of them that was refused was refused with
 */
export async function openTogether<Input, Opened>(
  inputs: readonly Input[],
  open: (input: Input, place: number) => Promise<Opened>,
  close: (opened: Opened) => Promise<void>,
): Promise<Opened[]> {
  const opened: Opened[] = [];
  const refusals: { readonly place: number; readonly error: unknown }[] = [];
  let next = 0;
  const turn = async (): Promise<void> => {
    while (next < inputs.length && refusals.length === 0) {
      const place = next++;
      try {
        opened[place] = await open(inputs[place]!, place);
      } catch (error) {
        refusals.push({ place, error });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, turn));
  const [first] = refusals.sort((a, b) => a.place - b.place);
  if (first === undefined) return opened;
  // A place that was refused or not come to is a hole, which forEach and map pass over.
  await Promise.all(opened.map(close));
  throw first.error;
}
