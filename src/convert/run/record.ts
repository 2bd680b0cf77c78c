/**
 * What was converted, line by line: appended and flushed after every document, so that a run that is killed at any moment
 * is taken up where it stood. The manifest is made of it.
 */
import { randomBytes } from "node:crypto";
import { type FileHandle, open, readdir, readFile, rename, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { ioError } from "../../node/io-error.js";
import type { Certificate, Status } from "../certificate.js";
import type { Facts } from "./converter.js";
import type { LeftOut } from "./plan.js";
import { isRecord, RECORD, recordOfShard } from "../../node/run-files.js";

/** A document as the record holds it. */
export interface DocumentEntry {
  readonly type: "document";
  /** Path of the original inside the input. */
  readonly source: string;
  /** Absent where it could not be read. */
  readonly source_sha256?: string;
  readonly source_bytes: number;
  /** Path of the Markdown inside the output; absent where there is none. */
  readonly target?: string;
  readonly target_sha256?: string;
  /** Digest of everything that shapes the Markdown beside the source: version and options. */
  readonly rule: string;
  /** Time of a worker. */
  readonly seconds: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly facts: Facts;
  readonly certificate: Certificate;
}

type Line =
  | { readonly type: "run"; readonly id: string; readonly input: string; readonly asked: string }
  | { readonly type: "targets"; readonly targets: readonly string[] }
  | { readonly type: "left-out"; readonly entries: readonly LeftOut[] }
  | DocumentEntry
  | { readonly type: "gone"; readonly source: string; readonly at: number }
  | { readonly type: "end"; readonly id: string };

/** What is kept in memory of a document; the whole stands in the file. */
export interface Brief extends Omit<DocumentEntry, "type" | "certificate"> {
  readonly status: Status;
  readonly reason?: string;
  readonly words: Pick<
    Certificate["words"],
    "reference" | "lost" | "added" | "recovered" | "coverage" | "unverifiable"
  >;
  /** Of the run that recorded it. */
  readonly run: string;
  readonly place: { readonly file: string; readonly offset: number; readonly length: number };
}

/** The record of an output folder. Several runs may share one, each with its part of the documents and its own file. */
export class RunRecord {
  private readonly documents = new Map<string, Brief>();
  private readonly targets = new Set<string>();
  private skipped: readonly LeftOut[] = [];
  private lines = 0;
  /** Bytes of each file as it was read. */
  private readonly sizes = new Map<string, number>();
  private size = 0;
  private handle: FileHandle | undefined;
  private last: { readonly id: string; readonly asked: string; ended: boolean } | undefined;
  private readonly inputs = new Set<string>();
  private run = "";
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly folder: string,
    private readonly name: string,
  ) {}

  /**
   * Reads what runs before have recorded in a folder.
   *
   * @param shard `2-of-3` where this run shares the folder with others
   */
  static async open(folder: string, shard?: string): Promise<RunRecord> {
    const name = shard === undefined ? RECORD : recordOfShard(shard);
    const record = new RunRecord(folder, name);
    for (const each of await record.files()) await record.read(each);
    return record;
  }

  /** Reads what other shards have recorded meanwhile. @returns whether there was anything */
  async refresh(): Promise<boolean> {
    let grown = false;
    for (const name of await this.files()) {
      if (name === this.name) continue;
      const { size } = await stat(join(this.folder, name));
      if (this.sizes.get(name) === size) continue;
      grown = true;
      await this.read(name);
    }
    return grown;
  }

  /** Whether the folder holds a record at all. */
  get isNew(): boolean {
    return this.lines === 0;
  }

  get(source: string): Brief | undefined {
    return this.documents.get(source);
  }

  /** Every document, by path. */
  all(): Brief[] {
    return [...this.documents.values()].sort((a, b) => (a.source < b.source ? -1 : 1));
  }

  get leftOut(): readonly LeftOut[] {
    return this.skipped;
  }

  /** Whether a run, this one included, has written a file of this path or was about to. */
  hasWritten(target: string): boolean {
    return this.targets.has(target);
  }

  /** Whether an earlier run had another input. */
  isOfOtherInput(input: string): boolean {
    return this.inputs.size > 0 && !this.inputs.has(input);
  }

  /** The whole entry of a document. */
  async entryOf({ place }: Brief): Promise<DocumentEntry> {
    const file = await open(join(this.folder, place.file), "r");
    try {
      const bytes = Buffer.alloc(place.length);
      await file.read(bytes, 0, place.length, place.offset);
      return JSON.parse(bytes.toString("utf8")) as DocumentEntry;
    } finally {
      await file.close();
    }
  }

  /**
   * Begins a run, or takes up the last one where it was interrupted and the same was asked.
   *
   * @returns whether it was taken up: then what it finished is finished, whatever came of it
   */
  async begin(asked: string, input: string, anew: boolean): Promise<boolean> {
    const path = join(this.folder, this.name);
    try {
      // A line that was cut short by a kill would swallow the next one.
      if (this.size > 0) await truncate(path, this.size);
      this.handle = await open(path, "a");
    } catch (error) {
      throw ioError(error, "write", path);
    }
    const resumed = !anew && this.last !== undefined && !this.last.ended && this.last.asked === asked;
    this.run = resumed ? this.last!.id : randomBytes(8).toString("hex");
    if (!resumed) await this.append({ type: "run", id: this.run, input, asked });
    return resumed;
  }

  /** Whether the run that goes on has recorded this document. */
  isOfThisRun(brief: Brief): boolean {
    return brief.run === this.run;
  }

  /** Files that the run is about to write: found by the next one, they are known for ours. */
  async announce(targets: readonly string[]): Promise<void> {
    const unknown = targets.filter((target) => !this.targets.has(target));
    if (unknown.length > 0) await this.append({ type: "targets", targets: unknown });
  }

  async leave(entries: readonly LeftOut[]): Promise<void> {
    if (JSON.stringify(entries) !== JSON.stringify(this.skipped)) await this.append({ type: "left-out", entries });
  }

  async add(entry: Omit<DocumentEntry, "type" | "at">): Promise<void> {
    await this.append({ type: "document", ...entry, at: Date.now() });
  }

  async forget(source: string): Promise<void> {
    await this.append({ type: "gone", source, at: Date.now() });
  }

  /** Ends the run. Not called where it was interrupted. */
  async end(): Promise<void> {
    await this.append({ type: "end", id: this.run });
    const own = this.all().filter(({ place }) => place.file === this.name);
    // Documents that were converted again leave lines behind. What other shards may be reading stays as it is.
    if (this.name === RECORD && this.lines > 2 * own.length + 16) await this.compact(own);
  }

  async close(): Promise<void> {
    await this.writing;
    await this.handle?.close();
    this.handle = undefined;
  }

  private append(line: Line): Promise<void> {
    const text = Buffer.from(`${JSON.stringify(line)}\n`);
    const done = this.writing.then(async () => {
      try {
        await this.handle!.appendFile(text);
        await this.handle!.datasync();
      } catch (error) {
        throw ioError(error, "write", join(this.folder, this.name));
      }
      this.take(line, { file: this.name, offset: this.size, length: text.length - 1 });
      this.size += text.length;
    });
    // The next line is tried whatever became of this one; whoever waits for this one hears of it.
    this.writing = done.catch(() => undefined);
    return done;
  }

  private async files(): Promise<string[]> {
    return (await readdir(this.folder)).filter(isRecord).sort();
  }

  private async read(name: string): Promise<void> {
    let bytes: Buffer;
    try {
      bytes = await readFile(join(this.folder, name));
    } catch (error) {
      throw ioError(error, "read", join(this.folder, name));
    }
    this.sizes.set(name, bytes.length);
    let run = "";
    let end = 0;
    for (let from = 0; ; from = end) {
      const feed = bytes.indexOf(0x0a, from);
      if (feed < 0) break;
      end = feed + 1;
      const line = parse(bytes.toString("utf8", from, feed));
      if (line === undefined) continue;
      if (line.type === "run") run = line.id;
      this.take(line, { file: name, offset: from, length: feed - from }, run);
    }
    if (name === this.name) this.size = end;
  }

  private take(line: Line, place: Brief["place"], run = this.run): void {
    const own = place.file === this.name;
    this.lines++;
    switch (line.type) {
      case "run":
        this.inputs.add(line.input);
        if (own) this.last = { id: line.id, asked: line.asked, ended: false };
        break;
      case "end":
        if (own && this.last?.id === line.id) this.last.ended = true;
        break;
      case "targets":
        for (const target of line.targets) this.targets.add(target);
        break;
      case "left-out":
        this.skipped = line.entries;
        break;
      case "gone":
        if ((this.documents.get(line.source)?.at ?? Infinity) <= line.at) this.documents.delete(line.source);
        break;
      case "document": {
        if (line.target !== undefined) this.targets.add(line.target);
        // Another shard may have had this document before, in a file that is read later.
        if ((this.documents.get(line.source)?.at ?? 0) <= line.at)
          this.documents.set(line.source, briefOf(line, run, place));
      }
    }
  }

  /** Writes one line a document; the old file stays until the new one is whole. */
  private async compact(own: readonly Brief[]): Promise<void> {
    const temporary = join(this.folder, `.${this.name}.tmp`);
    const [input = ""] = [...this.inputs].slice(-1);
    const file = await open(temporary, "w");
    try {
      const write = async (line: Line): Promise<void> => {
        await file.appendFile(`${JSON.stringify(line)}\n`);
      };
      await write({ type: "run", id: this.run, input, asked: this.last?.asked ?? "" });
      await write({ type: "targets", targets: [...this.targets] });
      await write({ type: "left-out", entries: this.skipped });
      for (const brief of own) await write(await this.entryOf(brief));
      await write({ type: "end", id: this.run });
      await file.datasync();
    } finally {
      await file.close();
    }
    await this.handle?.close();
    this.handle = undefined;
    await rename(temporary, join(this.folder, this.name));
    for (const { source } of own) this.documents.delete(source);
    await this.read(this.name);
  }
}

function parse(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Line | null;
    return typeof line?.type === "string" ? line : undefined;
  } catch {
    // Torn by a power cut: its document is converted again.
    return undefined;
  }
}

function briefOf(entry: DocumentEntry, run: string, place: Brief["place"]): Brief {
  const { certificate, source, source_sha256, source_bytes, target, target_sha256, rule, seconds, at, facts } = entry;
  const { reference, lost, added, recovered, coverage, unverifiable } = certificate.words;
  return {
    source,
    ...(source_sha256 !== undefined && { source_sha256 }),
    source_bytes,
    ...(target !== undefined && { target }),
    ...(target_sha256 !== undefined && { target_sha256 }),
    rule,
    seconds,
    at,
    facts,
    status: certificate.status,
    ...(certificate.reason !== undefined && { reason: certificate.reason }),
    words: { reference, lost, added, recovered, coverage, unverifiable },
    run,
    place,
  };
}
