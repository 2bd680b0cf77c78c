import { LeastRecent } from "./format/least-recent.js";
import type { Image } from "./image/reader.js";
import type { Direction } from "./image/records.js";
import { pathMatcher } from "./path-pattern.js";

/** Whether a passage may be found: by place of its package, and its number there. */
export type Filter = (at: number, passage: number) => boolean;

/** What restricts a search. */
export interface Restriction {
  readonly in?: string | undefined;
  readonly only?: Direction | undefined;
}

/** Restrictions whose passages are kept: people and programs ask several questions of one folder. A byte a passage each. */
const KEPT = 4;

/** Which passages of several packages a restriction admits. Both rankings are told before they are cut, and told the same. */
export class PassageFilter {
  readonly #known = new LeastRecent<readonly Uint8Array[], string>(KEPT);

  constructor(private readonly packages: readonly { readonly image: Image }[]) {}

  /** Undefined where all may be found. @throws MdcxError `bad-input` for a pattern that is none */
  of(restriction: Restriction): Filter | undefined {
    const { in: glob, only } = restriction;
    if (glob === undefined && only === undefined) return undefined;
    const key = `${only ?? ""} ${glob ?? ""}`;
    const admitted = this.#known.get(key) ?? this.#admitted(restriction);
    this.#known.set(key, admitted);
    return (at, passage) => admitted[at]![passage] === 1;
  }

  /** By package: a byte a passage, 1 where it may be found. */
  #admitted({ in: glob, only }: Restriction): Uint8Array[] {
    const matches = glob === undefined ? () => true : pathMatcher(glob);
    return this.packages.map(({ image }) => {
      const passages = new Uint8Array(image.passageCount);
      for (const document of image.documents())
        if ((only === undefined || document.direction === only) && matches(document.path))
          passages.fill(1, document.firstPassage, document.firstPassage + document.passages);
      return passages;
    });
  }
}
