import type { Encoder, Role } from "./encoder.js";
import { fromHalves, toHalves } from "./half.js";
import { product } from "./product.js";

/**
 * A text that a package keeps with the vector that its own encoder gave: a reader's encoder must give the same one.
 */
export interface Probe {
  readonly text: string;
  /** Two bytes a dimension. */
  readonly halves: Uint8Array;
}

/** What an encoder is to the vectors of a package. */
export interface ProbeCheck {
  /**
   * `full`: the same model in the same use, perhaps on another engine. `warn`: near it, as a copy of other precision is:
   * rankings will differ. `none`: its vectors cannot be compared with those of the package.
   */
  readonly trust: "full" | "warn" | "none";
  /** The least likeness of a probe to its stored vector: 1 where they are equal, 0 where they are no nearer than two other probes. */
  readonly least: number;
}

/**
 * Short, for every start encodes them; of unlike subjects, scripts and lengths, for their distances measure the others.
 * The first two are asked as questions, the others as passages: a prefix that is missing or mistaken shows.
 */
export const PROBES: readonly string[] = [
  "Where is the spare key of the boat shed?",
  "今天晚上的火车几点到站",
  "Der Ofen wird mit Buchenholz geheizt und am Morgen ausgefegt.",
  "صدر الحكم بعد جلسة قصيرة",
];
const QUESTIONS = 2;

/**
 * Likeness from which an encoder is trusted fully, and at all. Measured with the shipped model: WebAssembly against native
 * .997, noise of a tenth of the length .98; a prefix that is missing .88 or swapped .80, another pooling .51, 100 kB of
 * the 76 MB of weights changed .39, dimensions in another order below 0.
 */
const FULL = 0.96;
const SOME = 0.9;

/** The probes with the vectors of an encoder. */
export async function makeProbes(encoder: Encoder): Promise<Probe[]> {
  const vectors = await encodeProbes(encoder, PROBES);
  return PROBES.map((text, i) => ({ text, halves: toHalves(vectors[i]!) }));
}

/**
 * Holds an encoder against the stored probes of a package. Cosines of some models live between .7 and 1, so what a probe
 * reaches with its own vector counts from what it reaches with the other probes'.
 *
 * @param probes as `makeProbes` gave them, perhaps another version's; none are no reason to trust
 */
export async function checkProbes(encoder: Encoder, probes: readonly Probe[]): Promise<ProbeCheck> {
  const { dimensions } = await encoder.describe();
  if (probes.length < 2 || probes.some(({ halves }) => halves.length !== 2 * dimensions))
    return { trust: "none", least: 0 };
  const stored = probes.map(({ halves }) => fromHalves(halves, dimensions));
  const made = await encodeProbes(
    encoder,
    probes.map(({ text }) => text),
  );
  const others: number[] = [];
  stored.forEach((a, i) => {
    stored.slice(i + 1).forEach((b) => others.push(product(a, b)));
  });
  const base = others.reduce((sum, one) => sum + one, 0) / others.length;
  const least = Math.min(...stored.map((vector, i) => (product(vector, made[i]!) - base) / (1 - base)));
  return { trust: least >= FULL ? "full" : least >= SOME ? "warn" : "none", least };
}

async function encodeProbes(encoder: Encoder, texts: readonly string[]): Promise<Float32Array[]> {
  const encode = async (part: readonly string[], role: Role): Promise<Float32Array[]> => {
    if (part.length === 0) return [];
    const { vectors } = await encoder.encode(part, role);
    const dimensions = vectors.length / part.length;
    return part.map((_, i) => vectors.subarray(i * dimensions, (i + 1) * dimensions));
  };
  return [...(await encode(texts.slice(0, QUESTIONS), "query")), ...(await encode(texts.slice(QUESTIONS), "passage"))];
}
