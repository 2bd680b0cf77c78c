import type { LogFormat } from "../src/node/server-environment.js";
import type { EndedCall } from "./answer.js";

/** One thing that happened. It never holds a key, a question or a text of a package. */
export interface LogEntry {
  readonly level: "info" | "warning" | "error";
  /** What happened, in a word or two: `started`, `call`. */
  readonly event: string;
  /** One sentence, for people. */
  readonly text: string;
  /** For programs. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

// What could act on a terminal: names of files stand in sentences.
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** The log of a server, on standard error: a line an entry, for people or as JSON. */
export class Log {
  /**
   * @param debug whether what failed is written with its stack trace
   * @param write takes one line with its end
   */
  constructor(
    private readonly format: LogFormat,
    private readonly debug: boolean,
    private readonly write: (line: string) => void = (line) => process.stderr.write(line),
  ) {}

  add({ level, event, text, fields }: LogEntry): void {
    if (this.format === "off") return;
    if (this.format === "text") this.write(`mdcx: ${level === "info" ? "" : `${level}: `}${oneLine(text)}\n`);
    else this.write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields, text })}\n`);
  }

  /** A call that ended. What was asked stays out, also where the error repeats it. */
  call(ended: EndedCall): void {
    const { id, tool, outcome, code, packages, passages } = ended;
    const milliseconds = Math.round(ended.milliseconds);
    const why = outcome === "failed" ? this.#why(ended) : undefined;
    const count = passages.length === 1 ? "1 passage" : `${passages.length} passages`;
    const how =
      outcome === "answered" ? (passages.length === 0 ? "" : `, ${count}`) : `, ${outcome}${code ? ` (${code})` : ""}`;
    this.add({
      level: outcome === "failed" ? "error" : "info",
      event: "call",
      text: `${tool} ${milliseconds} ms${how} [${id}]${why === undefined ? "" : `: ${why}`}`,
      fields: {
        call: id,
        tool,
        milliseconds,
        outcome,
        ...(code !== undefined && { code }),
        packages,
        passages: passages.length,
        ...(why !== undefined && { error: why }),
      },
    });
  }

  #why({ error, arguments: asked }: EndedCall): string | undefined {
    if (!(error instanceof Error)) return undefined;
    let text = (this.debug ? error.stack : undefined) ?? error.message;
    for (const value of textsOf(asked)) text = text.replaceAll(value, "…");
    return text;
  }
}

/** The texts among the arguments of a call. */
function textsOf(asked: unknown): string[] {
  if (typeof asked !== "object" || asked === null) return [];
  return Object.values(asked).filter((value): value is string => typeof value === "string" && value !== "");
}

function oneLine(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === "\n" ? " ↵ " : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
