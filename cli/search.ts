import { stat } from "node:fs/promises";
import type { Argv } from "yargs";
import { MdcxError } from "../src/errors.js";
import type { Corpus, SearchOptions } from "../src/index.js";
import { command } from "./command.js";
import { withModelOption } from "./encoder.js";
import { DONE } from "./failure.js";
import { isFolder, packageQuestion, searchFolder, withFolderOptions } from "./search-folder.js";
import { json } from "./print.js";
import { isAddress } from "../src/node/open-source.js";
import { wirePassage, wireRelevance, wireRemarks } from "../src/wire.js";
import { contextsOf, requireContext, type FoundPassages } from "./passage-context.js";
import { withCacheOption, withCorpus, withJson, withPinOptions, withSecretOptions } from "./reading.js";

export const searchCommand = command({
  command: "search <packages..>",
  describe: "find the passages that bear on a question",
  builder: (args) =>
    withQuestionOptions(
      withFolderOptions(withModelOption(withJson(withPinOptions(withCacheOption(withSecretOptions(args)))))),
    )
      .usage('mdcx search <package..> "question"\n\nFind the passages that bear on a question.')
      .positional("packages", {
        type: "string",
        array: true,
        demandOption: true,
        describe: 'the packages, or a folder of Markdown, and last the question; "words in quotes" must occur',
      })
      .example('$0 search ./handbook "Who may moor at night?"', "a folder of Markdown, before it is packed")
      .example('$0 search handbook.mdcx "Who may moor at night?"', "asks for the passphrase")
      .example('$0 search handbook.mdcx letters.mdcx "mooring at night" --context 1', "as one collection")
      .example('$0 search handbook.mdcx "tide gauge" --in "measuring/**" --json', ""),
  handler: async (args) => {
    const { files, question } = apart(args.packages, args.phrases !== undefined);
    const [first] = files;
    if (files.length === 1 && (await isFolder(first!))) {
      await searchFolder(first!, { ...args, question });
      process.exitCode = DONE;
      return;
    }
    await requirePackages(files);
    const asked = packageQuestion({ ...args, question });
    await requireQuestion(asked);
    requireContext(args.context);
    await withCorpus(files, args, async (corpus) => {
      const found = await ask(corpus, asked, args);
      if (args.json) json(forProgram(found));
      else (await import("./show-reply.js")).showReply(found, corpus.names);
    });
    process.exitCode = DONE;
  },
});

function withQuestionOptions<T>(args: Argv<T>) {
  return args
    .option("limit", { type: "number", default: 5, requiresArg: true, describe: "passages to show, 1 to 50" })
    .option("mode", {
      choices: ["auto", "words", "meaning"] as const,
      default: "auto" as const,
      describe: "by words and meaning where each can tell, or by one of them",
    })
    .option("by-stem", {
      type: "boolean",
      default: false,
      describe:
        "look words up by stem alone: no misspellings or compounds, and of a package on the web far less to bring",
    })
    .option("max-per-document", {
      type: "number",
      default: 2,
      requiresArg: true,
      describe: "with --mode meaning: passages of one document while others are nearly as near; 0: any number",
    })
    .option("in", { type: "string", requiresArg: true, describe: "only documents whose path matches this glob" })
    .option("only", {
      choices: ["received", "sent"] as const,
      requiresArg: true,
      describe: "only documents that were received, or sent",
    })
    .option("prefer", {
      choices: ["recent"] as const,
      requiresArg: true,
      describe: "of what is found, newer documents first",
    })
    .option("context", {
      type: "number",
      default: 0,
      requiresArg: true,
      describe: "passages to show before and after each, 0 to 10",
    });
}

/** What was named and what was asked: the question stands last. A folder that is asked the phrases of a file has none. */
function apart(given: readonly string[], without: boolean): { files: string[]; question: string | undefined } {
  if (given.length === 1 || without) return { files: [...given], question: undefined };
  return { files: given.slice(0, -1), question: given.at(-1) };
}

/** @throws MdcxError `bad-input` for a folder among packages, or words of a question without quotation marks */
async function requirePackages(files: readonly string[]): Promise<void> {
  for (const [i, file] of files.entries()) {
    if (isAddress(file)) continue;
    const state = await stat(file).catch(() => undefined);
    if (state?.isDirectory())
      throw new MdcxError("bad-input", `${file} is a folder, which is searched alone: leave the others out.`);
    // What is wrong with the first is said by who opens it.
    if (i > 0 && state === undefined)
      throw new MdcxError(
        "not-found",
        `There is no package ${file}. The question is the last argument: put it in quotation marks.`,
      );
  }
}

/** @throws MdcxError `bad-input` where a package stands in the place of the question */
async function requireQuestion(question: string): Promise<void> {
  if (/\.mdcx$/i.test(question) && (await stat(question).catch(() => undefined)) !== undefined)
    throw new MdcxError(
      "bad-input",
      `The last argument is the question, and ${question} is a package: add a question.`,
    );
}

interface QuestionArguments extends Pick<SearchOptions, "limit" | "mode" | "maxPerDocument"> {
  readonly in?: string | undefined;
  readonly only?: "received" | "sent" | undefined;
  readonly prefer?: "recent" | undefined;
  readonly byStem: boolean;
  readonly context: number;
}

async function ask(corpus: Corpus, question: string, args: QuestionArguments): Promise<FoundPassages> {
  const { limit, mode, maxPerDocument, in: glob, only, prefer, byStem, context } = args;
  const reply = await corpus.search(question, {
    ...(limit !== undefined && { limit }),
    ...(mode !== undefined && { mode }),
    ...(maxPerDocument !== undefined && { maxPerDocument }),
    ...(glob !== undefined && { in: glob }),
    ...(only !== undefined && { only }),
    ...(prefer !== undefined && { prefer }),
    ...(byStem && { likeness: "without" as const }),
  });
  return { reply, contexts: await contextsOf(corpus, reply.passages, context) };
}

/** The reply with the field names of the MCP server, so that programs read one shape; passages around each beside it. */
function forProgram({ reply, contexts }: FoundPassages): Record<string, unknown> {
  return {
    query: reply.query,
    found: reply.found,
    passages: reply.passages.map((hit, i) => ({ ...wirePassage(hit), ...contexts[i] })),
    ...wireRelevance(reply),
    ...wireRemarks(reply),
    ...(Object.keys(reply.likenedTo).length > 0 && { likened_to: reply.likenedTo }),
    unknown_terms: reply.unknownTerms,
  };
}
