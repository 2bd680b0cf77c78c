import { MdcxError } from "./errors.js";
import type { Image } from "./image/reader.js";
import type { Encoder, EncoderDescription } from "./meaning/encoder.js";
import { languageLevels } from "./meaning/language-means.js";
import { MeaningSearch, type Near, type PassageLevels } from "./meaning/nearest.js";
import type { MeaningState, PackageMeaning } from "./package-meaning.js";
import type { Ranked } from "./ranking/fuse.js";

/** What is needed of an opened package. */
export interface Meant {
  readonly image: Image;
  readonly meaning: PackageMeaning;
}

export interface NearestPassagesOptions {
  readonly limit: number;
  readonly filter: ((at: number, passage: number) => boolean) | undefined;
  /** Of two that are equally near. */
  readonly order: (a: Ranked, b: Ranked) => number;
}

/** What meaning says of a question. */
export interface NearAnswer {
  /** Nearest first, each within its language. */
  readonly hits: readonly Near[];
  /** The greatest of their cosines, whatever its language; undefined where no package could be asked. */
  readonly similarity: number | undefined;
  /** What was taken off a passage's cosine for its language. */
  readonly level: (hit: Ranked) => number;
  /** By place of the package: whether meaning can be asked of it. */
  readonly states: readonly MeaningState[];
  /** By place of the package: the question's vector by its model. */
  readonly vectors: ReadonlyMap<number, Float32Array>;
}

/** The languages of a package's passages: numbers by passage, and what they stand for. */
interface PassageLanguages {
  readonly codes: readonly string[];
  readonly numbers: Uint16Array;
}

/** The vectors of several packages as one ranking, each package asked by its own model. */
export class NearestPassages {
  readonly #packages: readonly Meant[];
  /** By model: the packages whose vectors it made, as one ranking. */
  readonly #searches = new Map<string, { readonly places: readonly number[]; readonly search: MeaningSearch }>();
  readonly #languages = new Map<number, PassageLanguages>();

  constructor(packages: readonly Meant[]) {
    this.#packages = packages;
  }

  /** The language of a passage's document. */
  languageOf({ package: at, passage }: Ranked): string {
    const { codes, numbers } = this.#languagesOf(at);
    return codes[numbers[passage]!]!;
  }

  /** Encodes the question, once a model, and finds the passages nearest to it. */
  async ask(query: string, { limit, filter, order }: NearestPassagesOptions): Promise<NearAnswer> {
    const states: MeaningState[] = await Promise.all(this.#packages.map(({ meaning }) => meaning.state()));
    const hits: Near[][] = [];
    const vectors = new Map<number, Float32Array>();
    const levels = new Map<number, PassageLevels>();
    const level = ({ package: at, passage }: Ranked): number => {
      const known = levels.get(at);
      return known === undefined ? 0 : known.levels[known.groups[passage]!]!;
    };
    for (const [model, places] of this.#byModel(states)) {
      const encoder = this.#packages[places[0]!]!.meaning.encoder!;
      const question = await vectorOf(query, encoder).catch((error: unknown) => failed(error));
      if (!(question instanceof Float32Array)) {
        // Words may still answer.
        for (const place of places)
          states[place] = { ...question, model: this.#packages[place]!.meaning.description!.id };
        continue;
      }
      const isLevelled = this.#level(question, places, levels);
      for (const place of places) vectors.set(place, question);
      const found = this.#searchOf(model, places).nearest(question, {
        limit,
        filter: filter && ((at, passage) => filter(places[at]!, passage)),
        ...(isLevelled && { levels: places.map((place) => levels.get(place)!) }),
        order: (a, b) => order({ ...a, package: places[a.package]! }, { ...b, package: places[b.package]! }),
      });
      hits.push(found.map((hit) => ({ ...hit, package: places[hit.package]! })));
    }
    const nearest = interleaved(hits, order).slice(0, limit);
    const similarity = nearest.length === 0 ? undefined : Math.max(...nearest.map((hit) => hit.similarity));
    return { hits: nearest, similarity, level, states, vectors };
  }

  /** The packages that can be asked, by what makes their vectors. Each has an encoder of its own, of equal vectors. */
  #byModel(states: readonly MeaningState[]): Map<string, number[]> {
    const byModel = new Map<string, number[]>();
    states.forEach(({ state }, place) => {
      if (state !== "available") return;
      const model = modelKey(this.#packages[place]!.meaning.description!);
      byModel.set(model, [...(byModel.get(model) ?? []), place]);
    });
    return byModel;
  }

  #searchOf(model: string, places: readonly number[]): MeaningSearch {
    const known = this.#searches.get(model);
    if (known?.places.join() === places.join()) return known.search;
    const search = new MeaningSearch(places.map((place) => this.#packages[place]!.meaning.vectors!));
    this.#searches.set(model, { places, search });
    return search;
  }

  /** Notes what is to be taken off the passages of each package. @returns whether anything is */
  #level(question: Float32Array, places: readonly number[], levels: Map<number, PassageLevels>): boolean {
    const byLanguage = languageLevels(
      question,
      places.map((place) => this.#packages[place]!.meaning.languageMeans),
    );
    if (byLanguage.size === 0) return false;
    for (const place of places) {
      const { codes, numbers } = this.#languagesOf(place);
      levels.set(place, { groups: numbers, levels: Float64Array.from(codes, (code) => byLanguage.get(code) ?? 0) });
    }
    return true;
  }

  #languagesOf(place: number): PassageLanguages {
    let known = this.#languages.get(place);
    if (known === undefined) {
      const { image } = this.#packages[place]!;
      const numbers = new Uint16Array(image.passageCount);
      const codes: string[] = [];
      for (const { language, firstPassage, passages } of image.documents()) {
        let number = codes.indexOf(language);
        if (number < 0) number = codes.push(language) - 1;
        numbers.fill(number, firstPassage, firstPassage + passages);
      }
      known = { codes, numbers };
      this.#languages.set(place, known);
    }
    return known;
  }
}

/** Equal for descriptions of which `sameModel` holds, and for no others. */
function modelKey({ sha256, dimensions, pooling, prefixes }: EncoderDescription): string {
  return JSON.stringify([sha256, dimensions, pooling, prefixes.query, prefixes.passage]);
}

async function vectorOf(query: string, encoder: Encoder): Promise<Float32Array> {
  return (await encoder.encode([query], "query")).vectors;
}

/** What an encoder that was ready and yet gave no vector leaves to be said. @throws what is no refusal of ours */
function failed(error: unknown): Omit<Extract<MeaningState, { readonly reason: string }>, "model"> {
  if (!(error instanceof MdcxError)) throw error;
  return { state: "failed", reason: error.message, remedy: "Try again, or ask by words alone." };
}

/** One order of several models' rankings: by rank, for their cosines cannot be compared. */
function interleaved(rankings: readonly (readonly Near[])[], order: (a: Ranked, b: Ranked) => number): Near[] {
  const [only] = rankings;
  if (only !== undefined && rankings.length === 1) return [...only];
  return rankings
    .flatMap((ranking) => ranking.map((hit, rank) => ({ hit, rank })))
    .sort((a, b) => a.rank - b.rank || order(a.hit, b.hit))
    .map(({ hit }) => hit);
}
