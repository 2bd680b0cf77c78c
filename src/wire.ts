import type { Hit, Reply } from "./reply.js";

/** A passage with the field names that programs read, in `--json` and over MCP alike (spec/reading.md §2). */
export interface WirePassage {
  rank: number;
  id: string;
  package: string;
  /** Title of the document. */
  document: string;
  /** `@/folder/name.md` */
  path: string;
  line: number;
  place?: string;
  heading: string[];
  kind: Hit["kind"];
  language: string;
  found_by: ("word" | "meaning")[];
  dated?: string;
  dated_from?: string;
  direction?: "received" | "sent";
  sampled?: true;
  header?: string;
  text: string;
}

/** A found passage under those names. */
export function wirePassage(hit: Hit): WirePassage {
  return {
    rank: hit.rank,
    id: hit.id,
    package: hit.package,
    document: hit.title,
    path: hit.document,
    line: hit.line,
    ...(hit.place && { place: `${hit.place.kind} ${hit.place.value}` }),
    heading: [...hit.heading],
    kind: hit.kind,
    language: hit.language,
    found_by: [...hit.foundBy],
    ...(hit.dated !== undefined && { dated: hit.dated }),
    ...(hit.datedFrom !== undefined && { dated_from: hit.datedFrom }),
    ...(hit.direction !== undefined && { direction: hit.direction }),
    ...(hit.sampled && { sampled: true }),
    ...(hit.header !== undefined && { header: hit.header }),
    text: hit.text,
  };
}

/** What a reply says of how near the packages come to the question; every field only where there is something to say. */
export interface WireRelevance {
  similarity?: number;
  answerable_at?: number;
  answerable_at_by_package?: Record<string, number>;
  band?: NonNullable<Reply["band"]>;
  warning?: string;
  read_as?: Record<string, string[]>;
  meaning_unavailable?: Record<string, { state: string; reason: string; remedy: string }>;
  models_by_package?: Record<string, string>;
}

/** These facts under the names that programs read. */
export function wireRelevance(reply: Reply): WireRelevance {
  const { similarity, answerableAt, answerableAtByPackage, band, warning } = reply;
  const { readAs, meaningUnavailable, modelsByPackage } = reply;
  const misread = Object.entries(readAs).map(([word, forms]): [string, string[]] => [word, [...forms]]);
  const unavailable = Object.entries(meaningUnavailable ?? {}).flatMap(([id, one]) =>
    one.state === "available" ? [] : [[id, { state: one.state, reason: one.reason, remedy: one.remedy }] as const],
  );
  return {
    ...(similarity !== undefined && { similarity: rounded(similarity) }),
    ...(answerableAt !== undefined && { answerable_at: rounded(answerableAt) }),
    ...(answerableAtByPackage && {
      answerable_at_by_package: Object.fromEntries(
        Object.entries(answerableAtByPackage).map(([id, value]) => [id, rounded(value)]),
      ),
    }),
    ...(band !== undefined && { band }),
    ...(warning !== undefined && { warning }),
    ...(misread.length > 0 && { read_as: Object.fromEntries(misread) }),
    ...(unavailable.length > 0 && { meaning_unavailable: Object.fromEntries(unavailable) }),
    ...(modelsByPackage && { models_by_package: { ...modelsByPackage } }),
  };
}

/** What is said beside an answer; every field only where there is something to say. */
export interface WireRemarks {
  unknown_terms?: Record<string, string[]>;
  prefer_applied?: false;
  prefer_reason?: string;
  notices?: string[];
  hint?: string;
}

/** These facts under the names that programs read. */
export function wireRemarks({ unknownTerms, preferReason, notices, hint }: Reply): WireRemarks {
  const unknown = Object.entries(unknownTerms).map(([id, terms]): [string, string[]] => [id, [...terms]]);
  return {
    ...(unknown.length > 0 && { unknown_terms: Object.fromEntries(unknown) }),
    ...(preferReason !== undefined && { prefer_applied: false, prefer_reason: preferReason }),
    ...(notices !== undefined && notices.length > 0 && { notices: [...notices] }),
    ...(hint !== undefined && { hint }),
  };
}

/** A cosine to four digits: engines differ behind them. */
function rounded(cosine: number): number {
  return Math.round(cosine * 1e4) / 1e4;
}
