import { readFile, stat } from "node:fs/promises";
import type { Argv } from "yargs";
import { MdcxError } from "../src/errors.js";
import type { FolderPassage, FolderReply, FolderSearch, FoundDocument } from "../src/folder-search.js";
import { json, note, printableLine, say, styled } from "./print.js";
import { searchedLines, showFolderReply } from "./show-folder-reply.js";

/** What can be asked of a folder. */
export interface FolderArguments {
  readonly question?: string | undefined;
  readonly phrases?: string | undefined;
  readonly literal: boolean;
  readonly limit: number;
  readonly mode: "auto" | "words" | "meaning";
  readonly in?: string | undefined;
  readonly only?: string | undefined;
  readonly prefer?: string | undefined;
  readonly byStem: boolean;
  readonly json: boolean;
}

/** The options of a search that only a folder has. */
export function withFolderOptions<T>(args: Argv<T>) {
  return args
    .option("literal", {
      type: "boolean",
      default: false,
      describe: "in a folder: only documents that hold the question as it stands",
    })
    .option("phrases", {
      type: "string",
      requiresArg: true,
      describe: "in a folder: a file with a question or phrase a line",
    });
}

/** The question of a package. @throws MdcxError `bad-input` without one, or where options of a folder are given */
export function packageQuestion({ question, literal, phrases }: FolderArguments): string {
  if (literal || phrases !== undefined)
    throw new MdcxError(
      "bad-input",
      "--literal and --phrases search a folder of Markdown; in a package, words in quotation marks must occur.",
    );
  if (question === undefined) throw new MdcxError("bad-input", "Give a question, in quotation marks.");
  return question;
}

export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

/** Searches a folder of Markdown for a question, or for each line of a file. */
export async function searchFolder(folder: string, args: FolderArguments): Promise<void> {
  requireOfFolder(args);
  const questions = await questionsOf(args);
  const { openMarkdownFolder } = await import("../src/node/markdown-folder.js");
  const opened = await openMarkdownFolder(folder);
  const replies = await Promise.all(questions.map((one) => ask(opened.search, one, args)));
  const several = args.phrases !== undefined;
  if (args.json) {
    const searched = { searched: opened.search.size, not_searched: opened.unsearched };
    json(several ? { questions: replies.map(forProgram), ...searched } : { ...forProgram(replies[0]!), ...searched });
    return;
  }
  replies.forEach((reply, i) => {
    if (several) say(`${i === 0 ? "" : "\n"}${styled("bold", printableLine(reply.query))}\n`);
    showFolderReply(reply);
  });
  note(styled("dim", `\n${searchedLines(opened).join("\n")}`));
}

/** An option that only a package can honour would be passed over without a word. */
function requireOfFolder({ mode, only, prefer, byStem }: FolderArguments): void {
  if (byStem)
    throw new MdcxError(
      "bad-input",
      "--by-stem is for packages: leave it out, or ask for words as they stand with --literal.",
    );
  if (mode === "meaning")
    throw new MdcxError(
      "bad-input",
      "A folder is searched by its words: pack it with `mdcx pack --meaning` to ask it by meaning.",
    );
  const option = only !== undefined ? "--only" : prefer !== undefined ? "--prefer" : undefined;
  if (option !== undefined)
    throw new MdcxError(
      "bad-input",
      `${option} is for packages: pack the folder first, or narrow it with --in "received/**".`,
    );
}

/** A question, and where it stands where it is from a file. */
interface Question {
  readonly text: string;
  readonly from?: string;
}

async function questionsOf({ question, phrases }: FolderArguments): Promise<Question[]> {
  if (phrases === undefined) {
    if (question === undefined) throw new MdcxError("bad-input", "Give a question, or --phrases FILE with one a line.");
    return [{ text: question }];
  }
  if (question !== undefined)
    throw new MdcxError(
      "bad-input",
      "Give either a question or --phrases FILE, not both: put the question into the file.",
    );
  const lines = (await readFile(phrases, "utf8")).replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  const found = lines.flatMap((text, i) => (text.trim() === "" ? [] : [{ text, from: `line ${i + 1} of ${phrases}` }]));
  if (found.length === 0) throw new MdcxError("bad-input", `${phrases} is empty: write one question or phrase a line.`);
  return found;
}

async function ask(search: FolderSearch, { text, from }: Question, args: FolderArguments): Promise<FolderReply> {
  const { limit, literal, in: glob } = args;
  try {
    return await search.ask(text, { limit, literal, ...(glob !== undefined && { in: glob }) });
  } catch (error) {
    if (from === undefined || !(error instanceof MdcxError)) throw error;
    throw new MdcxError(error.code, `In ${from}: ${error.message}`, { cause: error });
  }
}

/** A reply under the names that programs read of packages too. */
function forProgram({ query, found, documents, readAs, hint }: FolderReply): Record<string, unknown> {
  return {
    query,
    found,
    documents: documents.map(documentForProgram),
    ...(Object.keys(readAs).length > 0 && { read_as: readAs }),
    ...(hint !== undefined && { hint }),
  };
}

function documentForProgram({ rank, document, title, language, found, passages }: FoundDocument) {
  return { rank, document: title, path: document, language, found, passages: passages.map(passageForProgram) };
}

function passageForProgram({ place, ...passage }: FolderPassage) {
  return { ...passage, ...(place && { place: `${place.kind} ${place.value}` }) };
}
