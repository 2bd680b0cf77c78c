import type { FactCounts } from "./fact-counts.js";
import type { SignatureState } from "./format/head.js";
import type { JsonObject } from "./format/json.js";
import type { Direction } from "./image/records.js";
import type { EncoderDescription } from "./meaning/encoder.js";
import type { MeaningState } from "./package-meaning.js";
import type { Calibration } from "./ranking/calibration.js";
import type { Band } from "./ranking/relevance.js";

/** Where in its document a passage stands, as the converter's markers say it (spec/text.md). */
export interface Place {
  readonly kind: "page" | "slide" | "sheet" | "chapter";
  /** `12`, `3`, `"Name" A1:D20`, `"Title"`. */
  readonly value: string;
}

/** What a passage is made of. */
export type PassageKind = "text" | "table" | "code" | "ocr" | "overview";

/** What is said once beside an answer. */
export interface Noticed {
  /** What the person who runs the server or the program should know: a package that was replaced on disk and opened anew. */
  readonly notices?: readonly string[];
  /** Whether this reply is the first after a package was opened anew, and other documents may be listed than before. */
  readonly replaced?: boolean;
}

/** One passage of an answer. It carries a rank and what found it, never a score: scores of two questions cannot be compared. */
export interface Hit {
  /** 1 for the first. */
  readonly rank: number;
  /** `package/document/ordinal`, the same while the document is unchanged (spec/text.md). For citing. */
  readonly id: string;
  /** The package's title, or the name of its file; with the first digits of its id where two have the same. */
  readonly package: string;
  /** `@/folder/name.md` */
  readonly document: string;
  readonly title: string;
  /** First line of the passage in its document, from 1. */
  readonly line: number;
  readonly place?: Place;
  /** Headings over the passage, outermost first. */
  readonly heading: readonly string[];
  readonly kind: PassageKind;
  /** BCP 47 primary subtag, or `und`. */
  readonly language: string;
  readonly foundBy: readonly ("word" | "meaning")[];
  readonly dated?: string;
  readonly datedFrom?: string;
  readonly direction?: Direction;
  /** Present where only some pages of the original were converted. */
  readonly sampled?: true;
  /** Caption and header row of the table whose later rows this passage holds. */
  readonly header?: string;
  /** The Markdown of the passage, as it stands in the document. */
  readonly text: string;
}

/** The answer to one question. */
export interface Reply extends Noticed {
  readonly query: string;
  /** How many passages hold a word that was asked, or one like it; by meaning alone, how many are returned. */
  readonly found: number;
  /** The best passages, best first. */
  readonly passages: readonly Hit[];
  /** Cosine of the nearest passage of all; absent where meaning was not asked. */
  readonly similarity?: number;
  /** The cosine from which questions count as answerable, the lowest of the packages. */
  readonly answerableAt?: number;
  /** The same by package id. */
  readonly answerableAtByPackage?: Readonly<Record<string, number>>;
  /** How near the packages come to the question. */
  readonly band?: Band;
  /** Nothing in the packages seems to be about the question: one sentence. The passages are returned all the same. */
  readonly warning?: string;
  /** By package id: why a package with vectors was asked by words alone. */
  readonly meaningUnavailable?: Readonly<Record<string, MeaningState>>;
  /** By package id: the model that each was asked with, where that is not one for all. One that is missing was asked by words alone. */
  readonly modelsByPackage?: Readonly<Record<string, string>>;
  /** Why the preference that was asked for changed nothing, and what would help; absent where it was applied. */
  readonly preferReason?: string;
  /** By word of the question that nothing matched: the forms that it was read as. */
  readonly readAs: Readonly<Record<string, readonly string[]>>;
  /** By word of the question that is nowhere, in no inflection: forms like it by which passages were found. */
  readonly likenedTo: Readonly<Record<string, readonly string[]>>;
  /** By package id: words of the question that the package has never seen. No entry where it knows them all. */
  readonly unknownTerms: Readonly<Record<string, readonly string[]>>;
  /** The word forms that found the passages, for marking them in the text. */
  readonly matched: readonly string[];
  /** What to try, when nothing was found. */
  readonly hint?: string;
}

/** What a list of documents tells of each. */
export interface Listing {
  /** `without` leaves the beginnings of the texts out, which are most of what a list has to read; `with` unless given. */
  readonly openings?: "with" | "without";
}

/** A line of the list of documents. */
export interface DocumentLine {
  /** 32 hex digits. */
  readonly packageId: string;
  /** The package, as hits name it. */
  readonly package: string;
  /** `@/folder/name.md` */
  readonly document: string;
  readonly title: string;
  readonly language: string;
  /** Bytes of Markdown. */
  readonly bytes: number;
  readonly passages: number;
  /** False: kept and exported, never searched. */
  readonly indexed: boolean;
  readonly dated?: string;
  readonly datedFrom?: string;
  readonly direction?: Direction;
  /** The first 240 characters of its text; empty where openings were not asked for. */
  readonly opening: string;
}

/** A document, or a run of its passages. */
export interface DocumentText extends Noticed {
  /** 32 hex digits. */
  readonly packageId: string;
  /** The package, as hits name it. */
  readonly package: string;
  readonly document: string;
  readonly title: string;
  readonly language: string;
  readonly indexed: boolean;
  /** Ordinals of the passages given, from 0; absent for a document that is not indexed. */
  readonly first?: number;
  readonly last?: number;
  /** How many passages the whole document has, overviews of it not counted. */
  readonly passages: number;
  /** The text was written about the document and is no part of it; absent for the document's own. */
  readonly kind?: "overview";
  readonly text: string;
}

/** What an opened package says of itself. */
export interface PackageInfo extends FactCounts {
  readonly name: string;
  readonly claims: JsonObject;
  readonly signature: SignatureState;
  readonly documents: number;
  /** Of the documents themselves. */
  readonly passages: number;
  /** Passages of what was written about documents elsewhere. */
  readonly overviews: number;
  readonly attachments: number;
  /** Documents by language, most first. */
  readonly languages: Readonly<Record<string, number>>;
  /** The rules that shaped the image, with their versions. */
  readonly rules: Readonly<Record<string, string>>;
  /** How its documents were cut into passages, with the figures of the rule; null where that is not recorded. */
  readonly cut: string | null;
  /** What made its vectors; null without. */
  readonly encoder: EncoderDescription | null;
  readonly calibration: Calibration | null;
}
