import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readMarkdown } from "../../../src/convert/compare/reading.js";
import { pairWords } from "../../../src/convert/compare/pairing.js";
import { wholeSide } from "../../../src/convert/compare/sides.js";
import { Vocabulary, WordList } from "../../../src/convert/compare/words.js";
import { sharedData } from "../../shared-data.js";
import create from "markdown-it";
import { convertBytes } from "./convert.js";

const set = sharedData === undefined ? undefined : join(sharedData, "convert");
const files = set === undefined ? [] : readdirSync(join(set, "docx")).filter((name) => name !== "poi__stress025.docx");

/** Answers that hold words which the document does not: the kind of a chart, a merged cell once for each cell it spans. */
const ANSWERS_SAY_MORE = new Set(["docling__drawingml.docx", "docling__word_tables.docx"]);

describe.skipIf(set === undefined)("Word documents of the set (shared data; skipped where it is missing)", () => {
  it.each(files)("%s loses no word, cell, link, note, comment or formula", async (name) => {
    const { certificate } = await convertBytes(readFileSync(join(set!, "docx", name)));
    expect(certificate.lost).toEqual([]);
    expect(certificate.added).toEqual([]);
    expect(certificate.tables!.inPlace).toBe(certificate.tables!.cells);
    expect([certificate.links, certificate.footnotes, certificate.comments, certificate.formulas]).toEqual(
      Array.from({ length: 4 }, () => expect.objectContaining({ lost: 0 }) as unknown),
    );
    expect(certificate.order ?? 1).toBeGreaterThan(0.99);
  });

  it.each(
    files.filter(
      (name) => existsSync(join(set!, "expected/docx", `${name}.docling.md`)) && !ANSWERS_SAY_MORE.has(name),
    ),
  )("%s holds every word of the answer that its project commits", async (name) => {
    const { markdown } = await convertBytes(readFileSync(join(set!, "docx", name)));
    const vocabulary = new Vocabulary();
    const options = { formulasApart: true };
    const answer = readMarkdown(
      readFileSync(join(set!, "expected/docx", `${name}.docling.md`), "utf8"),
      vocabulary,
      create,
      options,
    ).words;
    const ours = readMarkdown(markdown, vocabulary, create, options).words;
    expect(missing(answer, ours)).toEqual([]);
  });

  it.each(files.filter((name) => existsSync(join(set!, "expected/docx", `${name}.pandoc.words.txt`))))(
    "%s holds every word that pandoc reads in it",
    async (name) => {
      const { markdown } = await convertBytes(readFileSync(join(set!, "docx", name)));
      const vocabulary = new Vocabulary();
      const answer = new WordList(vocabulary);
      answer.add(readFileSync(join(set!, "expected/docx", `${name}.pandoc.words.txt`), "utf8"));
      expect(missing(answer, readMarkdown(markdown, vocabulary, create, { formulasApart: true }).words)).toEqual([]);
    },
  );
});

function missing(answer: WordList, ours: WordList): string[] {
  const { left } = pairWords(wholeSide(answer), wholeSide(ours));
  return Array.from(left).flatMap((partner, at) =>
    partner === -1 && !answer.optional.has(at) ? [answer.word(at)] : [],
  );
}
