import type { Finding } from "./engine.js";

/** What the conversion of a document came to. */
export type Status = "ok" | "warn" | "fail" | "unverifiable" | "timed-out" | "refused";

/** Things counted on both sides. Each is compared as a multiset: what is there twice must come twice. */
export interface Tally {
  readonly reference: number;
  readonly lost: number;
  readonly added: number;
}

/** Text of one side that the other does not hold, with what stands around it. */
export interface Difference {
  /** `page 12`, where the format has places. */
  readonly place?: string;
  /** The words that are missing on the other side, in order. */
  readonly words: readonly string[];
  /** The line or sentence that they stand in, at most 300 characters. */
  readonly text: string;
}

/** How much of an original survived, measured before anything was repaired (spec/convert.md). */
export interface Certificate {
  readonly status: Status;
  /** Why it is not `ok`, in one sentence; absent where it is. */
  readonly reason?: string;
  readonly engine?: string;
  readonly reader?: string;
  readonly words: Tally & {
    /** (reference − lost) / reference, before recovery; null where the reference holds no word. */
    readonly coverage: number | null;
    /** Lost words that were appended word for word. */
    readonly recovered: number;
    /** Words kept out on purpose, by kind. */
    readonly withheld: Readonly<Record<string, number>>;
    /** Words that the engine wrote itself, by its own statement. */
    readonly labels: number;
    /** Words recognised in pictures: nothing says whether they are right. */
    readonly unverifiable: number;
  };
  /** Longest common subsequence over the words that both sides hold, as a share of them; null where there are none. */
  readonly order: number | null;
  /** Words that hold a digit, again on their own: one wrong digit is a lost number and an added one. */
  readonly numbers: Tally;
  /** Absent where the reader did not look for them. */
  readonly tables?: { readonly cells: number; readonly inPlace: number; readonly lost: number; readonly added: number };
  readonly links?: Tally;
  readonly footnotes?: Tally;
  readonly comments?: Tally;
  readonly formulas?: Tally;
  readonly images?: { readonly reference: number; readonly placed: number; readonly withoutText: number };
  readonly lost: readonly Difference[];
  readonly added: readonly Difference[];
  readonly findings: readonly Finding[];
}
