import { command } from "./command.js";
import { MdcxError } from "../src/errors.js";
import { whenHere } from "../src/format/not-here-yet.js";
import type { Package } from "../src/index.js";
import { compareCodePoints } from "../src/text/code-points.js";
import { termsOf, VOCABULARY_RULE, type Vocabulary } from "../src/words/vocabulary.js";
import { DONE } from "./failure.js";
import { label } from "./layout.js";
import { counted, json, printableLine, say, styled } from "./print.js";
import { withCacheOption, withJson, withPackage, withPinOptions, withSecretOptions } from "./reading.js";

export const vocabularyCommand = command({
  command: "vocabulary <package>",
  describe: "show the words of a package, or what of a question it does not know",
  builder: (args) =>
    withJson(withPinOptions(withCacheOption(withSecretOptions(args))))
      .positional("package", { type: "string", demandOption: true, describe: "the package: FILE.mdcx" })
      .option("term", {
        type: "string",
        array: true,
        requiresArg: true,
        describe: "in how many passages this word is; may be given again",
      })
      .option("question", {
        type: "string",
        requiresArg: true,
        describe: "what of this question the package has never seen",
      })
      .option("limit", { type: "number", default: 40, requiresArg: true, describe: "words to show; 0: all" })
      .conflicts("term", "question")
      .example("$0 vocabulary handbook.mdcx --limit 100", "the most frequent words")
      .example("$0 vocabulary handbook.mdcx --term E4710 --term strainer", "")
      .example('$0 vocabulary handbook.mdcx --question "What does E4711 mean?"', ""),
  handler: async (args) => {
    if (!Number.isInteger(args.limit) || args.limit < 0)
      throw new MdcxError("bad-input", "--limit needs a whole number from 0.");
    await withPackage(args.package, args, async (pkg) => {
      if (args.question !== undefined) await showQuestion(pkg, args.question, args.json);
      else showTerms(await whenHere(() => pkg.vocabulary()), args.term, args.limit, args.json);
    });
    process.exitCode = DONE;
  },
});

/** A term and in how many passages it is. */
type Counted = readonly [term: string, passages: number];

/** The terms that were asked for, in that order, or the most frequent ones. */
function showTerms(
  { rule, passages, documentFrequency }: Vocabulary,
  asked: readonly string[] | undefined,
  limit: number,
  asJson: boolean,
): void {
  const terms: Counted[] =
    asked?.flatMap(termsAskedBy).map((term): Counted => [term, documentFrequency.get(term) ?? 0]) ??
    [...documentFrequency].sort((a, b) => b[1] - a[1] || compareCodePoints(a[0], b[0]));
  const shown = asked === undefined && limit > 0 ? terms.slice(0, limit) : terms;
  if (asJson) {
    json({
      rule,
      passages,
      terms: documentFrequency.size,
      document_frequency: shown.map(([term, count]) => ({ term, passages: count })),
    });
    return;
  }
  const width = String(passages).length;
  for (const [term, count] of shown) say(`${String(count).padStart(width)}  ${printableLine(term)}`);
  const of = counted(documentFrequency.size, "term");
  say(
    styled(
      "dim",
      `\n${shown.length < documentFrequency.size ? `${shown.length.toLocaleString("en")} of ${of}` : of} of ${counted(passages, "passage")}, with the passages that hold each. A term: ${rule}.`,
    ),
  );
}

/** `--term "Bilge pump"` asks for two. */
function termsAskedBy(text: string): string[] {
  const terms = termsOf(text);
  if (terms.length === 0)
    throw new MdcxError("bad-input", `--term ${JSON.stringify(text)} holds no term. A term: ${VOCABULARY_RULE}.`);
  return terms;
}

/** What the package does not know of a question, and what its words were taken for. */
async function showQuestion(pkg: Package, question: string, asJson: boolean): Promise<void> {
  const { terms, share, language, crossLanguage } = await pkg.unfamiliar(question);
  const { readAs } = await pkg.search(question, { mode: "words", limit: 1 });
  if (asJson) {
    json({
      rule: VOCABULARY_RULE,
      question,
      unknown_terms: terms,
      share,
      language,
      cross_language: crossLanguage,
      read_as: readAs,
    });
    return;
  }
  const read = Object.entries(readAs).map(([word, forms]) => `${word}: ${forms.join(", ")}`);
  say(
    label([
      ["unknown", terms.length === 0 ? "nothing" : terms.map(printableLine).join(", ")],
      ["share", `${Math.round(100 * share)} % of the question's terms`],
      ["language", crossLanguage ? `${language}, in which the package has no document` : language],
      ["read as", read.map(printableLine).join("; ")],
    ]),
  );
  say(styled("dim", `\nA term: ${VOCABULARY_RULE}.`));
}
