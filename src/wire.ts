import type { Hit } from "./reply.js";

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
    ...(hit.header !== undefined && { header: hit.header }),
    text: hit.text,
  };
}
