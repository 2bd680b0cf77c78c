import { readFrontMatter } from "../text/front-matter.js";
import type { Certificate } from "./certificate.js";
import type { Conversion } from "./engine.js";

/** What the front matter of a converted document states beside its certificate. */
export interface ConvertedFacts extends Pick<Conversion, "title" | "language" | "date" | "pagesTotal"> {
  /** Path of the original inside the input. */
  readonly source: string;
  /** SHA-256 of the original, hexadecimal. */
  readonly sourceSha256: string;
  /** Only a part of its pages was converted. */
  readonly sampled: boolean;
}

/**
 * The Markdown with front matter that says where it comes from and what the certificate found (spec/convert.md). What is there already,
 * as in a Markdown original, stays as it is and comes first; a name that it has is not written a second time.
 */
export function withFrontMatter(body: string, facts: ConvertedFacts, certificate: Certificate): string {
  const { fields, end } = readFrontMatter(body);
  const lines = Object.entries(stated(facts, certificate))
    .filter(([name, value]) => value !== undefined && !(name in fields))
    .map(([name, value]) => `${name}: ${scalar(value!)}`);
  if (end === 0) return `---\n${lines.join("\n")}\n---\n\n${body.replace(/^\uFEFF/, "")}`;
  const closing = /(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r)$/.exec(body.slice(0, end))!;
  const lineEnd = body.includes("\r\n") ? "\r\n" : "\n";
  return `${body.slice(0, closing.index)}${lines.join(lineEnd)}${lineEnd}${body.slice(closing.index)}`;
}

function stated(
  facts: ConvertedFacts,
  { status, engine, reader, words }: Certificate,
): Record<string, string | number | boolean | undefined> {
  return {
    title: facts.title,
    date: facts.date,
    language: facts.language,
    source: facts.source,
    source_sha256: facts.sourceSha256,
    status,
    // Rounded down: what is not complete never reads as 1.
    coverage: words.coverage === null ? undefined : Math.floor(words.coverage * 1e5) / 1e5,
    words: words.reference,
    words_lost: words.lost,
    words_added: words.added,
    words_recovered: words.recovered === 0 ? undefined : words.recovered,
    engine,
    reader,
    pages_total: facts.pagesTotal,
    sampled: facts.sampled ? true : undefined,
  };
}

/** A value as YAML that reads back as itself: what could be taken for something else is quoted as JSON, which YAML contains. */
function scalar(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  const line = value.replace(/\s+/g, " ").trim();
  const plain =
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,_()/@+-]*$/u.test(line) &&
    !/^(?:true|false|null|yes|no|on|off|~|[\d.,_+-]+|0x.*)$/i.test(line);
  return plain ? line : JSON.stringify(line);
}
