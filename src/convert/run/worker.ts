/**
 * The process in which documents are converted (pool.ts starts it). It reads originals by their path, writes nothing, and
 * answers by messages. Whatever goes wrong in a library ends here and not in the run.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { MdcxError } from "../../errors.js";
import { ioError } from "../../node/io-error.js";
import type { PartResult } from "../convert.js";
import type { Original, PageRange } from "../engine.js";
import { refuse } from "../refusal.js";
import type { Converter, Facts } from "./converter.js";
import type { Answer, AssembleJob, FromWorker, Job, JobSource, ToWorker } from "./messages.js";
import type { Watch } from "./watchdog.js";

let converter: Converter;
let largest: number;

// Ctrl-C reaches every process of the terminal: the run ends its workers itself, and takes none of them for crashed.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
// Libraries leave promises behind that fail unheard, of a document that was converted all the same.
process.on("unhandledRejection", (reason) => {
  process.stderr.write(`${String(reason)}\n`);
});

process.on("message", (message: ToWorker) => {
  if ("start" in message) void start(message.start);
  else if ("leave" in message) process.exit();
  else
    void perform(message.job).then(
      (answer) => {
        tell({ answer });
      },
      (error: unknown) => {
        tell({ answer: fault(error) });
      },
    );
});

function tell(message: FromWorker): void {
  process.send!(message);
}

async function start(how: Extract<ToWorker, { start: unknown }>["start"]): Promise<void> {
  converter = (await import(how.converter)) as Converter;
  largest = how.largest;
  const watch: Watch = { limit: process.memoryUsage.rss() + how.memory, parent: process.ppid };
  const watchdog = new Worker(new URL("./watchdog.js", import.meta.url), { workerData: watch });
  watchdog.unref();
  watchdog.once("online", () => {
    tell({ ready: true });
  });
}

async function perform(job: Job): Promise<Answer> {
  if (job.kind === "assemble") return assemble(job);
  const original = await read(job.source);
  const sha256 = createHash("sha256").update(original.bytes).digest("hex");
  if (job.kind === "part") {
    if (sha256 !== job.sha256) refuse(`${job.source.path} was changed while it was converted: run the command again.`);
    return { kind: "part", result: await converter.convertPart(original, job.options) };
  }
  const { options, splitThreshold } = job;
  // A sample is one document, converted once.
  const parts = options.sample === undefined ? await converter.partsOf(original, splitThreshold) : [undefined];
  const chapters = parts.filter((range): range is PageRange => range !== undefined);
  const bytes = original.bytes.length;
  if (job.asUnits && chapters.length > 1) return { kind: "parts", sha256, bytes, parts: chapters };
  const results: PartResult[] = [];
  for (const pages of parts.length > 0 ? parts : [undefined])
    results.push(await converter.convertPart(original, pages === undefined ? options : { ...options, pages }));
  return finished(job.source, sha256, bytes, results, options);
}

async function assemble({ source, sha256, parts, options }: AssembleJob): Promise<Answer> {
  const results: PartResult[] = [];
  for (const part of parts)
    results.push(typeof part === "string" ? (JSON.parse(await readFile(part, "utf8")) as PartResult) : part);
  return finished(source, sha256, 0, results, options);
}

function finished(
  source: JobSource,
  sha256: string,
  bytes: number,
  parts: readonly PartResult[],
  options: Job["options"],
): Answer {
  const result = converter.assemble({ path: source.path, sha256 }, parts, options);
  return { kind: "document", sha256, bytes, facts: factsOf(parts), result };
}

function factsOf(parts: readonly PartResult[]): Facts {
  const first = parts.find(({ format }) => format !== undefined);
  return { ...(first?.format !== undefined && { format: first.format }), ...first?.facts };
}

async function read({ file, path, password }: JobSource): Promise<Original> {
  let handle;
  try {
    // The plan left links out: one that has taken a file's place since is not followed either.
    handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW || 0));
  } catch (error) {
    throw ioError(error, "read", path);
  }
  try {
    const found = await handle.stat();
    if (!found.isFile()) refuse(`${path} is not a regular file any more: run the command again.`);
    if (found.size > largest)
      refuse(
        `${path} is ${Math.ceil(found.size / 2 ** 20)} MB large, and at most ${Math.floor(largest / 2 ** 20)} MB are converted: split it.`,
      );
    const bytes = new Uint8Array(await handle.readFile());
    return { path, bytes, ...(password !== undefined && { password }) };
  } catch (error) {
    throw ioError(error, "read", path);
  } finally {
    await handle.close();
  }
}

function fault(error: unknown): Answer {
  if (error instanceof MdcxError) return { kind: "fault", code: error.code, message: error.message };
  const what = error instanceof Error ? error.message : String(error);
  if (process.env.MDCX_DEBUG === "1" && error instanceof Error) process.stderr.write(`${error.stack ?? ""}\n`);
  return { kind: "fault", code: "internal", message: `Something went wrong inside mdcx (${what}): please report it.` };
}
