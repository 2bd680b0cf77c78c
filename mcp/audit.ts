import { createHash } from "node:crypto";
import { open, stat } from "node:fs/promises";
import { MdcxError } from "../src/errors.js";
import { ioError } from "../src/node/io-error.js";
import type { EndedCall } from "./answer.js";

/** Lines that wait for the disk at most; more are dropped and counted. */
const MOST_WAITING = 10_000;
/** Characters of a question that are kept where the text is: the schema of `search` takes no more. */
const MOST_KEPT = 2_000;
/** How each of its lines begins. */
const BEGINNING = '{"time":"';
/** Arguments that are what somebody asked, by the name that they have in the audit. */
const ASKED: Readonly<Record<string, string>> = { query: "query", name: "document", id: "passage", uri: "document" };

/** A line of an audit file, without its time. */
export type AuditLine = { readonly event: string } & Readonly<Record<string, unknown>>;

/**
 * The record of what was asked and returned: JSON lines appended to a file that its owner alone may read. A line that cannot
 * be written is counted, and the next one that can is preceded by how many were lost.
 */
export class Audit {
  #waiting: string[] = [];
  #writing: Promise<void> | undefined;
  #dropped = 0;
  /** Whether the file may end within a line. */
  #torn = false;

  private constructor(
    private readonly path: string,
    private readonly withQueries: boolean,
    private readonly onDropped: (count: number, error?: unknown) => void,
  ) {}

  /**
   * @param withQueries whether questions are kept as texts too, and not only as digest and length
   * @param onDropped told when lines are lost
   * @throws MdcxError where the file cannot be written
   */
  static async open(
    path: string,
    withQueries: boolean,
    onDropped: (count: number, error?: unknown) => void,
  ): Promise<Audit> {
    await requireAudit(path);
    await append(path, "").catch((error: unknown) => {
      const { code, message } = ioError(error, "write", path);
      throw new MdcxError(code, `${message.replace(/\.$/, "")}: MDCX_AUDIT names it.`, { cause: error });
    });
    return new Audit(path, withQueries, onDropped);
  }

  add(line: AuditLine): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(this.#text(line));
    this.#writing ??= this.#write();
  }

  call({ id, tool, arguments: asked, milliseconds, outcome, code, packages, passages }: EndedCall): void {
    this.add({
      event: "call",
      call: id,
      tool,
      packages,
      passages,
      milliseconds: Math.round(milliseconds),
      outcome,
      ...(code !== undefined && { code }),
      ...this.#asked(asked),
    });
  }

  /** A start that was refused. @param files names of the packages' files, without their folders */
  refused(files: readonly string[], error: unknown): void {
    this.add({ event: "open", outcome: "refused", files, code: error instanceof MdcxError ? error.code : "internal" });
  }

  /** Waits until everything is written, or lost and counted. */
  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  #asked(asked: unknown): Record<string, string | number> {
    const fields: Record<string, string | number> = {};
    for (const [argument, name] of Object.entries(ASKED)) {
      const value =
        typeof asked === "object" && asked !== null ? (asked as Record<string, unknown>)[argument] : undefined;
      if (typeof value !== "string") continue;
      fields[`${name}_sha256`] = createHash("sha256").update(value, "utf8").digest("hex");
      fields[`${name}_length`] = value.length;
      if (this.withQueries) fields[name] = value.slice(0, MOST_KEPT);
    }
    return fields;
  }

  #text(line: AuditLine): string {
    return `${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting.splice(0);
      const dropped = this.#dropped;
      const lost = dropped === 0 ? "" : this.#text({ event: "dropped", lines: dropped });
      try {
        await append(this.path, `${this.#torn ? "\n" : ""}${lost}${lines.join("")}`);
        this.#torn = false;
        this.#dropped -= dropped;
      } catch (error) {
        this.#torn = true;
        this.#dropped += lines.length;
        this.onDropped(this.#dropped, error);
      }
    }
    this.#writing = undefined;
  }
}

/** Opens the file anew each time, so that one which was moved away, as log rotation does, is not written to any more. */
async function append(path: string, text: string): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    await file.appendFile(text);
  } finally {
    await file.close();
  }
}

/** A slip in the name must not cost a package, a key or a document: lines are added to an audit or to a new file alone. */
async function requireAudit(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  const file = found?.isFile() ? await open(path, "r").catch(() => undefined) : undefined;
  // What is not there yet, or cannot be read, is the business of the writer, which says so.
  if (file === undefined) return;
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(BEGINNING.length), 0, BEGINNING.length, 0);
    if (bytesRead > 0 && buffer.toString("utf8", 0, bytesRead) !== BEGINNING)
      throw new MdcxError(
        "bad-input",
        `MDCX_AUDIT names ${path}, which is there already and no audit: name another file.`,
      );
  } finally {
    await file.close();
  }
}
