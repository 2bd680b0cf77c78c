import { MdcxError } from "./errors.js";
import { whenHere } from "./format/not-here-yet.js";
import type { Image } from "./image/reader.js";
import type { Encoder, EncoderDescription } from "./meaning/encoder.js";
import { languageLevels, meanCosine } from "./meaning/language-means.js";
import { MeaningSearch, type Near, type NearestOptions, type PassageLevels } from "./meaning/nearest.js";
import type { MeaningState, PackageMeaning } from "./package-meaning.js";
import type { Ranked } from "./ranking/fuse.js";

/** What is needed of an opened package. */
export interface Meant {
  readonly image: Image;
  readonly meaning: PackageMeaning;
  /** Languages of its documents. */
  readonly languages: readonly string[];
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
  /**
   * How near a passage is, comparable between models and languages: what its cosine is above that of two texts that have
   * nothing to do with each other, as a share of what there is above it; 0 and less for what is no nearer.
   */
  readonly nearness: (hit: Near) => number;
  /**
   * The nearest passages of one package as they are where it is mounted alone, as many as a judgement of it needs. None where it
   * could not be asked.
   */
  readonly nearestOf: (place: number) => readonly Near[];
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

/** The packages of one model. */
interface ModelSearch {
  readonly places: readonly number[];
  readonly search: MeaningSearch;
  /** Mean cosine of two passages. */
  readonly base: number;
}

/** How many of a package's own nearest passages are found for its judgement. */
const JUDGED_OF = 10;

/** The vectors of several packages as one ranking, each package asked by its own model. */
export class NearestPassages {
  readonly #packages: readonly Meant[];
  /** By model: the packages whose vectors it made, as one ranking. */
  readonly #searches = new Map<string, ModelSearch>();
  readonly #languages = new Map<number, PassageLanguages>();

  constructor(packages: readonly Meant[]) {
    this.#packages = packages;
  }

  /** The language of a passage's document. */
  languageOf({ package: at, passage }: Ranked): string {
    const [only, ...others] = this.#packages[at]!.languages;
    if (only !== undefined && others.length === 0) return only;
    const { codes, numbers } = this.#languagesOf(at);
    return codes[numbers[passage]!]!;
  }

  /** Encodes the question, once a model, and finds the passages nearest to it. */
  async ask(query: string, options: NearestPassagesOptions): Promise<NearAnswer> {
    const states: MeaningState[] = await Promise.all(this.#packages.map(({ meaning }) => meaning.state()));
    const rankings: Near[][] = [];
    const vectors = new Map<number, Float32Array>();
    const bases = new Map<number, number>();
    const levels = new Map<number, PassageLevels>();
    for (const [model, places] of this.#byModel(states)) {
      const question = await vectorOf(query, this.#packages[places[0]!]!.meaning.encoder!).catch(failed);
      if (!(question instanceof Float32Array)) {
        // Words may still answer.
        for (const place of places)
          states[place] = { ...question, model: this.#packages[place]!.meaning.description!.id };
        continue;
      }
      await whenHere(() => {
        this.#level(question, places, levels);
      });
      const { search, base } = await whenHere(() => this.#searchOf(model, places));
      for (const place of places) {
        vectors.set(place, question);
        bases.set(place, base);
      }
      const { asked, placed } = askedIn(places, levels, options);
      rankings.push((await search.nearestBeside(question, asked)).map(placed));
    }
    const hits = interleaved(rankings, options.order).slice(0, options.limit);
    return {
      hits,
      similarity: hits.length === 0 ? undefined : Math.max(...hits.map((hit) => hit.similarity)),
      nearness: (hit) => {
        const base = bases.get(hit.package)!;
        return (hit.similarity - levelOf(levels.get(hit.package), hit.passage) - base) / (1 - base);
      },
      nearestOf: (place) => {
        const question = vectors.get(place);
        return question === undefined ? [] : this.#nearestAlone(place, question, hits, options);
      },
      states,
      vectors,
    };
  }

  /** The nearest passages of a package as if it were mounted alone. */
  #nearestAlone(
    place: number,
    question: Float32Array,
    found: readonly Near[],
    options: NearestPassagesOptions,
  ): Near[] {
    const levels = new Map<number, PassageLevels>();
    this.#level(question, [place], levels);
    const among = found.filter((hit) => hit.package === place);
    if (levels.size === 0 && among.length >= JUDGED_OF) return among;
    const search = new MeaningSearch([this.#packages[place]!.meaning.vectors!]);
    const { asked, placed } = askedIn([place], levels, { ...options, limit: JUDGED_OF });
    return search.nearest(question, asked).map(placed);
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

  #searchOf(model: string, places: readonly number[]): ModelSearch {
    const known = this.#searches.get(model);
    if (known?.places.join() === places.join()) return known;
    const meanings = places.map((place) => this.#packages[place]!.meaning);
    const one: ModelSearch = {
      places,
      search: new MeaningSearch(meanings.map(({ vectors }) => vectors!)),
      base: meanCosine(meanings.map(({ languageMeans }) => languageMeans)),
    };
    this.#searches.set(model, one);
    return one;
  }

  /** Notes what is to be taken off the passages of each package; nothing where all are in one language. */
  #level(question: Float32Array, places: readonly number[], levels: Map<number, PassageLevels>): void {
    const byLanguage = languageLevels(
      question,
      places.map((place) => this.#packages[place]!.meaning.languageMeans),
    );
    if (byLanguage.size === 0) return;
    for (const place of places) {
      const { codes, numbers } = this.#languagesOf(place);
      levels.set(place, { groups: numbers, levels: Float64Array.from(codes, (code) => byLanguage.get(code) ?? 0) });
    }
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

/** What some packages of one model are asked, by their places among those, and how what they find gets its place among all. */
function askedIn(
  places: readonly number[],
  levels: ReadonlyMap<number, PassageLevels>,
  { limit, filter, order }: NearestPassagesOptions,
): { readonly asked: NearestOptions; readonly placed: <Hit extends Ranked>(hit: Hit) => Hit } {
  const placed = <Hit extends Ranked>(hit: Hit): Hit => ({ ...hit, package: places[hit.package]! });
  const asked = {
    limit,
    filter: filter && ((at: number, passage: number) => filter(places[at]!, passage)),
    ...(levels.has(places[0]!) && { levels: places.map((place) => levels.get(place)!) }),
    order: (a: Near, b: Near) => order(placed(a), placed(b)),
  };
  return { asked, placed };
}

function levelOf(known: PassageLevels | undefined, passage: number): number {
  return known === undefined ? 0 : known.levels[known.groups[passage]!]!;
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
