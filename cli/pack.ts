import { basename } from "node:path";
import { command } from "./command.js";
import { MdcxError } from "../src/errors.js";
import type { Encoder, FolderSummary, LeaveOutReport, PackProgress, PackSummary } from "../src/pack-entry.js";
import { conversionOf, withConversion } from "./conversion-options.js";
import type { Shard } from "../src/shard.js";
import { DONE } from "./failure.js";
import { conversionLine } from "./conversion-line.js";
import { encoderOf } from "./encoder.js";
import { label } from "./layout.js";
import { calibrationLine, forProgramMeaning, meaningLine, noteDoubts } from "./meaning-summary.js";
import {
  directionLine,
  factsOf,
  forProgramDates,
  noteLostFacts,
  noteRefusedDates,
  withFactOptions,
} from "./pack-facts.js";
import { requireDocuments, withOverviewOption, withOverviews } from "./pack-overviews.js";
import { noteStillHeld, reportAgain, requireReuse, withReuseOptions } from "./pack-reuse.js";
import { resourcesOf, withResourceOptions } from "./pack-resources.js";
import { allShards, reportEmpty, shardOf, withShardOption } from "./pack-shard.js";
import { bytes, counted, json, note, printableLine, say, styled } from "./print.js";
import { startProgress } from "./progress.js";
import { requireVisible, withJson } from "./reading.js";
import { noteSecrets, withSecretWarning } from "./secret-warnings.js";
import { secretsToSeal } from "./secrets.js";

/** Documents left out that are named one by one; the rest is counted. */
const NAMED = 10;
/** Names of files that hold records, a line each. */
const RECORDS = /\.(?:jsonl|ndjson)$/i;

export const packCommand = command({
  command: "pack [documents]",
  describe: "pack a folder of documents, or records of a .jsonl file, into one encrypted, searchable file",
  builder: (args) =>
    withResourceOptions(
      withShardOption(
        withSecretWarning(withOverviewOption(withReuseOptions(withFactOptions(withConversion(withJson(args)))))),
      ),
    )
      .positional("documents", {
        type: "string",
        describe: "the folder with the documents, or a FILE.jsonl with one a line",
      })
      .option("target", {
        type: "string",
        demandOption: true,
        requiresArg: true,
        describe: "the package to write: FILE.mdcx",
      })
      .option("title", {
        type: "string",
        requiresArg: true,
        describe: "title of the package; public, shown without the key",
      })
      .option("issuer", {
        type: "string",
        requiresArg: true,
        describe: "who issues it; public, proven only by a signature",
      })
      .option("signing-key", {
        type: "string",
        requiresArg: true,
        describe: "private key file from `mdcx keygen --issuer`",
      })
      .option("key-file", {
        type: "string",
        array: true,
        requiresArg: true,
        describe: "file with a passphrase or mdcx-key-… that will open it; once for each",
      })
      .option("key", {
        type: "string",
        requiresArg: true,
        describe: "the secret itself, or - to read it from standard input",
      })
      .option("meaning", {
        type: "boolean",
        default: false,
        describe: "also found by meaning, across languages: encodes every passage",
      })
      .option("model", {
        type: "string",
        requiresArg: true,
        describe:
          "with another model than the one that ships: a hub id, a folder, or the http address of an embeddings server",
      })
      .option("focus", {
        type: "string",
        array: true,
        requiresArg: true,
        describe: "a question that the package answers: sets from where it warns; once for each",
      })
      .option("passages", {
        choices: ["structure", "semantic"] as const,
        default: "structure" as const,
        describe: "how documents are cut: by their structure, or, with --meaning, where the meaning changes",
      })
      .option("fast", {
        type: "boolean",
        default: false,
        describe: "quicker, and a larger file with the same contents",
      })
      .example("$0 pack ./handbook --target handbook.mdcx", "asks for a passphrase, twice")
      .example("$0 pack ./handbook --target handbook.mdcx --key-file secret.txt --title Handbook", "")
      .example("$0 pack ./handbook --target handbook.mdcx --meaning", "found by meaning as well as by words")
      .example(
        "$0 pack --reuse old.mdcx --without drafts/memo.md --target new.mdcx",
        "without one document, and without the folder",
      )
      .example("$0 pack ./post --target post.mdcx --dates dates.csv --direction in/2024=received", "")
      .example("$0 pack ./archive --target archive.mdcx --shard 2/16", "the second of sixteen: archive-2-of-16.mdcx")
      .example("$0 pack records.jsonl --target records.mdcx", 'a document a line: {"name": "…", "text": "…"}'),
  handler: async (args) => {
    const { packFolder, packRecords, packWithout } = await import("../src/pack-entry.js");
    const { readSigningKey } = await import("../src/node/key-files.js");
    requireVisible(args.title, "--title");
    requireVisible(args.issuer, "--issuer");
    requireReuse(args);
    requireDocuments(args);
    const { target, shard } = shardOf(args);
    const facts = factsOf(args, kindOf(args.documents));
    const resources = resourcesOf(args);
    const signingKey = args.signingKey === undefined ? undefined : await readSigningKey(args.signingKey);
    const secrets = await secretsToSeal(args, basename(target));
    const encoder = await encoderToPack(args);
    if (args.title !== undefined) note("mdcx: the title is public: whoever has the file can read it without the key.");
    const progress = startProgress("Reading the documents");
    const { documents, without = [] } = args;
    const started = performance.now();
    const options = {
      slots: secrets.map((secret) => ({ secret })),
      ...(args.title !== undefined && { title: args.title }),
      ...(args.issuer !== undefined && { issuer: args.issuer }),
      ...(signingKey && { signingKey }),
      fast: args.fast,
      without,
      ...(encoder && { encoder }),
      ...(args.focus !== undefined && { focus: args.focus }),
      onProgress: (at: PackProgress) => {
        progress.say(stage(at) + left(at));
      },
    };
    const reuse = args.reuse === undefined ? undefined : { file: args.reuse, secret: secrets, newId: args.newId };
    let summary: FolderSummary | LeaveOutReport;
    try {
      if (documents === undefined) summary = await packWithout(target, { ...options, reuse: reuse! });
      else {
        const { passages, warnSecrets } = args;
        const all = {
          ...options,
          ...resources,
          ...facts,
          passages,
          warnSecrets,
          ...(reuse && { reuse }),
          ...(shard && { shard }),
        };
        const originals = { secretFiles: ownFilesOf(args), convert: conversionOf(withConverter(args)) };
        summary = await withOverviews(args.overviews, async (overviews) =>
          kindOf(documents) === "records"
            ? { ...(await packRecords(documents, target, { ...all, ...overviews })), findings: [] }
            : packFolder(documents, target, { ...all, ...originals, ...overviews }),
        );
      }
    } catch (error) {
      if (!(error instanceof MdcxError) || error.code !== "empty-shard") throw error;
      progress.stop();
      reportEmpty(error, args.json);
      process.exitCode = DONE;
      return;
    } finally {
      progress.stop();
      await encoder?.close();
    }
    if (!("findings" in summary)) reportAgain(summary, target, reuse!.file, args.json);
    else if (args.json) json(forProgram(summary, target));
    else show(summary, target, shard, (performance.now() - started) / 1000);
    if ("lostFacts" in summary) noteLostFacts(summary.lostFacts, reuse!.file);
    if (reuse) await noteStillHeld(summary.without, reuse.file, target);
    process.exitCode = DONE;
  },
});

function kindOf(documents: string | undefined): "folder" | "records" | "package" {
  if (documents === undefined) return "package";
  return RECORDS.test(documents) ? "records" : "folder";
}

/** How long it will still take, no more exact than it is known. */
function left({ secondsLeft }: PackProgress): string {
  if (secondsLeft === undefined) return "";
  if (secondsLeft < 10) return ", some seconds left";
  if (secondsLeft < 90) return `, about ${10 * Math.round(secondsLeft / 10)} s left`;
  const minutes = Math.round(secondsLeft / 60);
  return minutes < 90 ? `, about ${minutes} min left` : `, about ${Math.round(minutes / 60)} h left`;
}

function stage({ stage, done, total }: PackProgress): string {
  switch (stage) {
    case "documents":
      return `Reading document ${(done + 1).toLocaleString("en")} of ${total.toLocaleString("en")}`;
    case "index":
      return "Writing the word index";
    case "meaning":
      return `Encoding passage ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
    case "sealing":
      return `Sealing: ${Math.floor((100 * done) / total)} %`;
  }
}

function forProgram(summary: FolderSummary, target: string): Record<string, unknown> {
  return {
    target,
    package_id: summary.packageId,
    documents: summary.documents,
    attachments: summary.attachments,
    passages: summary.passages,
    overviews: summary.overviews,
    ...(summary.secrets && { secrets: summary.secrets }),
    languages: summary.languages,
    dated: summary.dated,
    refused_dates: forProgramDates(summary.refusedDates),
    directions: summary.directions,
    ...(summary.lostFacts && { lost_facts: summary.lostFacts }),
    markdown_bytes: summary.markdownBytes,
    file_bytes: summary.fileBytes,
    left_out: summary.leftOut,
    ...(summary.unknownKeys && { unknown_keys: summary.unknownKeys }),
    without: summary.without,
    conversion: summary.conversion,
    findings: summary.findings,
    largest: summary.largest ?? null,
    dominant: summary.dominant ?? null,
    revision: summary.revision,
    meaning: summary.meaning && forProgramMeaning(summary.meaning, summary.focusInherited),
    seconds_read: summary.secondsReading,
    seconds_index: summary.secondsIndexing,
    seconds_compress: summary.secondsCompress,
    seconds_encrypt: summary.secondsEncrypt,
  };
}

function show(summary: FolderSummary, target: string, shard: Shard | undefined, seconds: number): void {
  const { markdownBytes, fileBytes, languages, leftOut, dominant, findings } = summary;
  // A small package is mostly the nine pages that every one has: a ratio would say nothing.
  const ratio = markdownBytes < 1e6 ? "" : `, ${(fileBytes / markdownBytes).toFixed(2)} × the text`;
  say(styled("bold", `${target} is written.`));
  say(
    label([
      ["Documents", counted(summary.documents, "document") + attachmentsOf(summary)],
      ["Passages", summary.passages.toLocaleString("en") + overviewsOf(summary)],
      ["Longest", longestOf(summary)],
      ["Meaning", summary.meaning ? meaningLine(summary.meaning) : "none: found by words alone (--meaning adds it)"],
      ["Answerable", summary.meaning ? calibrationLine(summary.meaning, summary.focusInherited) : undefined],
      ["Converted", conversionLine(summary.conversion)],
      ["Languages", languages.map(({ code, documents }) => `${code} ${documents}`).join(", ")],
      ["Dated", `${summary.dated.count} of ${summary.documents + summary.attachments}`],
      ["Direction", directionLine(summary.directions)],
      ["Size", `${bytes(fileBytes)} from ${bytes(markdownBytes)} of text${ratio}`],
      [
        "Time",
        `${seconds.toFixed(1)} s (reading ${summary.secondsReading.toFixed(1)}, ` +
          (summary.meaning ? `encoding ${summary.meaning.seconds.toFixed(1)}, ` : "") +
          `words ${summary.secondsIndexing.toFixed(1)}, ` +
          `compressing ${summary.secondsCompress.toFixed(1)}, sealing ${summary.secondsEncrypt.toFixed(1)})`,
      ],
    ]),
  );
  name(leftOut, "left out");
  noteUnknownKeys(summary.unknownKeys);
  noteRefusedDates(summary.refusedDates);
  noteSecrets(summary.secrets);
  name(
    findings.map(({ document, status, reason }) => ({ document, reason: `${status}: ${reason}` })),
    "to look at: mdcx convert shows what was lost",
  );
  if (summary.meaning?.answerableAt?.origin === "focus")
    noteDoubts({ misses: summary.meaning.misses, questions: summary.meaning.questions });
  if (summary.notKept !== undefined)
    note(`mdcx: warning: vectors could not be kept while they were made: ${printableLine(summary.notKept)}`);
  if (dominant)
    note(
      `mdcx: warning: ${printableLine(dominant.document)} holds ${Math.round(100 * dominant.share)} % of all passages and may hide the other documents.`,
    );
  say(
    `Ask it: ${styled("cyan", `mdcx search ${shard === undefined ? target : allShards(target, shard)} "your question"`)}`,
  );
}

function name(entries: readonly { readonly document: string; readonly reason: string }[], what: string): void {
  if (entries.length === 0) return;
  note(`${counted(entries.length, "entry", "entries")} ${what}:`);
  for (const { document, reason } of entries.slice(0, NAMED))
    note(`  ${printableLine(document)}: ${printableLine(reason)}`);
  if (entries.length > NAMED) note(`  and ${counted(entries.length - NAMED, "more", "more")}; --json names them all`);
}

/** Says which fields of records and overviews were passed over: a slip in one loses what was meant by it. */
function noteUnknownKeys(keys: FolderSummary["unknownKeys"] = []): void {
  for (const { key, of, records, firstLine, nearest } of keys.slice(0, NAMED))
    note(
      `mdcx: warning: ${printableLine(JSON.stringify(key))} is no field of ${of} (${counted(records, "line")}, first on line ${firstLine}) and was passed over${nearest === undefined ? "" : `: ${nearest} is one`}.`,
    );
  if (keys.length > NAMED)
    note(`  and ${counted(keys.length - NAMED, "more field", "more fields")}; --json names them all`);
}

/** Without threads of its own the packer still converts by one worker: what breaks must not take the packer along. */
function withConverter<Args extends { readonly workers?: number | undefined }>(args: Args): Args {
  return args.workers === 0 ? { ...args, workers: 1 } : args;
}

/** The encoder that was asked for; undefined where the package is to be found by words alone. */
async function encoderToPack(args: {
  readonly meaning: boolean;
  readonly model?: string | undefined;
  readonly focus?: readonly string[] | undefined;
  readonly reuse?: string | undefined;
}): Promise<Encoder | undefined> {
  const asked = args.meaning || args.model !== undefined || (await hasMeaning(args.reuse));
  if (args.focus !== undefined && !asked)
    throw new MdcxError("bad-input", "--focus says when the package answers by meaning: give --meaning with it.");
  return asked ? encoderOf(args.model) : undefined;
}

/** Whether an older package has vectors to be taken over: of one that is found by words alone nobody asked to encode. */
async function hasMeaning(file: string | undefined): Promise<boolean> {
  if (file === undefined) return false;
  const { readStatement } = await import("../src/index.js");
  return (await readStatement(file)).claims.model !== null;
}

/** Where secrets were read from: such a file must not be packed with the folder that it lies in. */
function ownFilesOf(args: {
  readonly keyFile?: string | string[] | undefined;
  readonly signingKey?: string | undefined;
  readonly passwords?: string | undefined;
}): string[] {
  const { MDCX_KEY_FILE } = process.env;
  return [args.keyFile, args.signingKey, args.passwords, MDCX_KEY_FILE]
    .flat()
    .filter((path): path is string => path !== undefined);
}

/** Which document has most of the passages; of one alone nothing is to be said. */
function longestOf({ largest, documents }: PackSummary): string | undefined {
  if (largest === undefined || documents < 2) return undefined;
  const { document, passages, share } = largest;
  return `${printableLine(document)}, ${counted(passages, "passage")} (${Math.round(100 * share)} %)`;
}

function attachmentsOf({ attachments }: PackSummary): string {
  return attachments === 0 ? "" : ` and ${counted(attachments, "attachment")} that no search finds`;
}

function overviewsOf({ overviews }: PackSummary): string {
  return overviews === 0 ? "" : ` and ${counted(overviews, "overview")} written elsewhere`;
}
