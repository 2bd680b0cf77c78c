import type { Image } from "./image/reader.js";
import type { Encoder } from "./meaning/encoder.js";
import { languageLevels } from "./meaning/language-means.js";
import { MeaningSearch, type Near } from "./meaning/nearest.js";
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
  order(a: Ranked, b: Ranked): number;
}

/** What meaning says of a question. */
export interface NearAnswer {
  /** Nearest first, each within its language. */
  readonly hits: readonly Near[];
  /** Cosine of the nearest passage of all, whatever its language; undefined where no package could be asked. */
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
  /** By encoder: the packages whose questions it encodes, and their vectors as one ranking. */
  readonly #searches = new Map<Encoder, { readonly places: readonly number[]; readonly search: MeaningSearch }>();
  readonly #languages = new Map<number, PassageLanguages>();

  constructor(packages: readonly Meant[]) {
    this.#packages = packages;
  }

  /** Encodes the question, once a model, and finds the passages nearest to it. */
  async ask(query: string, { limit, filter, order }: NearestPassagesOptions): Promise<NearAnswer> {
    const states = await Promise.all(this.#packages.map(({ meaning }) => meaning.state()));
    const hits: Near[][] = [];
    const vectors = new Map<number, Float32Array>();
    const levels = new Map<number, (passage: number) => number>();
    const level = ({ package: at, passage }: Ranked): number => levels.get(at)?.(passage) ?? 0;
    let similarity: number | undefined;
    for (const [encoder, places] of this.#byEncoder(states)) {
      const { vectors: question } = await encoder.encode([query], "query");
      const isLevelled = this.#level(question, places, levels);
      for (const place of places) vectors.set(place, question);
      const search = this.#searchOf(encoder, places);
      const admits = filter && ((at: number, passage: number) => filter(places[at]!, passage));
      const found = search.nearest(question, {
        limit,
        filter: admits,
        ...(isLevelled && { level: (at, passage) => levels.get(places[at]!)!(passage) }),
        order: (a, b) => order({ ...a, package: places[a.package]! }, { ...b, package: places[b.package]! }),
      });
      hits.push(found.map((hit) => ({ ...hit, package: places[hit.package]! })));
      const [first] = isLevelled ? search.nearest(question, { limit: 1, filter: admits }) : found;
      if (first) similarity = Math.max(similarity ?? -1, first.similarity);
    }
    return { hits: interleaved(hits, order).slice(0, limit), similarity, level, states, vectors };
  }

  #byEncoder(states: readonly MeaningState[]): Map<Encoder, number[]> {
    const byEncoder = new Map<Encoder, number[]>();
    states.forEach(({ state }, place) => {
      if (state !== "available") return;
      const encoder = this.#packages[place]!.meaning.encoder!;
      byEncoder.set(encoder, [...(byEncoder.get(encoder) ?? []), place]);
    });
    return byEncoder;
  }

  #searchOf(encoder: Encoder, places: readonly number[]): MeaningSearch {
    const known = this.#searches.get(encoder);
    if (known?.places.join() === places.join()) return known.search;
    const search = new MeaningSearch(places.map((place) => this.#packages[place]!.meaning.vectors!));
    this.#searches.set(encoder, { places, search });
    return search;
  }

  /** Notes what is to be taken off the passages of each package. @returns whether anything is */
  #level(question: Float32Array, places: readonly number[], levels: Map<number, (passage: number) => number>): boolean {
    const byLanguage = languageLevels(
      question,
      places.map((place) => this.#packages[place]!.meaning.languageMeans),
    );
    if (byLanguage.size === 0) return false;
    for (const place of places) {
      const { codes, numbers } = this.#languagesOf(place);
      const byNumber = codes.map((code) => byLanguage.get(code) ?? 0);
      levels.set(place, (passage) => byNumber[numbers[passage]!]!);
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

/** One order of several models' rankings: by rank, for their cosines cannot be compared. */
function interleaved(rankings: readonly (readonly Near[])[], order: (a: Ranked, b: Ranked) => number): Near[] {
  const [only] = rankings;
  if (only !== undefined && rankings.length === 1) return [...only];
  return rankings
    .flatMap((ranking) => ranking.map((hit, rank) => ({ hit, rank })))
    .sort((a, b) => a.rank - b.rank || order(a.hit, b.hit))
    .map(({ hit }) => hit);
}
