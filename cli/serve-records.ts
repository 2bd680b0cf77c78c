import { basename } from "node:path";
import type { EndedCall } from "../mcp/answer.js";
import { Audit } from "../mcp/audit.js";
import { Log } from "../mcp/log.js";
import type { CorpusEvent, Opened } from "../src/node/corpus-messages.js";
import type { ServerEnvironment } from "../src/node/server-environment.js";
import { counted } from "./print.js";

/** Opens what a server writes down: its log, and the audit where one is wanted. @throws MdcxError for an audit that cannot be written */
export async function openRecords(environment: ServerEnvironment): Promise<ServeRecords> {
  // A log that nobody reads is no reason to end, nor to fail.
  process.stderr.on("error", () => undefined);
  const log = new Log(environment.log, environment.debug);
  for (const text of environment.unknown) log.add({ level: "warning", event: "unknown-variable", text });
  if (environment.audit === undefined) return new ServeRecords(log, undefined);
  const audit = await Audit.open(environment.audit, environment.auditQueries, (lines) => {
    log.add({
      level: "error",
      event: "audit-dropped",
      text: `the audit file cannot be written: ${counted(lines, "line")} lost so far`,
      fields: { lines },
    });
  });
  return new ServeRecords(log, audit);
}

/** What happens to a server, as log and audit say it (spec/serve.md). */
export class ServeRecords {
  constructor(
    private readonly log: Log,
    private readonly audit: Audit | undefined,
  ) {}

  started(packages: readonly Opened[], since: number): void {
    const sum = (of: (one: Opened) => number): number => packages.reduce((total, one) => total + of(one), 0);
    const [documents, passages] = [sum((one) => one.documents), sum((one) => one.passages)];
    const milliseconds = Math.round(since);
    this.log.add({
      level: "info",
      event: "started",
      text: `serving ${counted(packages.length, "package")}, ${counted(documents, "document")}, ${counted(passages, "passage")}, opened in ${milliseconds} ms`,
      fields: {
        packages: packages.map(({ packageId, ...rest }) => ({ package_id: packageId, ...rest })),
        milliseconds,
      },
    });
    this.audit?.add({ event: "start", packages: packages.map(({ packageId }) => packageId) });
  }

  /** A start that was refused; the log has no line of it, for the command says it. */
  refused(files: readonly string[], error: unknown): void {
    const names = files.map((path) => basename(path));
    this.audit?.refused(names, error);
  }

  call(call: EndedCall): void {
    this.log.call(call);
    this.audit?.call(call);
  }

  event(event: CorpusEvent): void {
    switch (event.kind) {
      case "destination":
        this.log.add({ level: "info", event: "destination", text: event.what });
        break;
      case "rested":
        this.log.add({ level: "info", event: "rested", text: "nobody asks: models and vectors are let go of" });
        break;
      case "replaced": {
        const { file, packageId, revision } = event;
        this.log.add({
          level: "info",
          event: "replaced",
          text: `${file} was replaced: revision ${revision} answers now`,
          fields: { file, package_id: packageId, revision },
        });
        this.audit?.add({ event: "open", outcome: "answered", packages: [packageId], revision });
        break;
      }
      case "kept": {
        const { file, packageId, code } = event;
        this.log.add({
          level: "warning",
          event: "kept",
          text: `${file} was replaced or removed and cannot be opened (${code}): the one before goes on answering`,
          fields: { file, package_id: packageId, code },
        });
        this.audit?.add({ event: "open", outcome: "refused", packages: [packageId], code });
      }
    }
  }

  ended(reason: string): void {
    this.log.add({ level: "info", event: "ended", text: `ended: ${reason}`, fields: { reason } });
    this.audit?.add({ event: "end", reason });
  }

  async close(): Promise<void> {
    await this.audit?.close();
  }
}
