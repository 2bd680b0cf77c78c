import { describe, expect, it } from "vitest";
import type { EndedCall } from "../../mcp/answer.js";
import { Log } from "../../mcp/log.js";
import type { LogFormat } from "../../src/node/server-environment.js";
import { MdcxError } from "../../src/index.js";

const QUERY = "the director's salary";

function call(more: Partial<EndedCall> = {}): EndedCall {
  return {
    id: "c-1",
    tool: "search",
    arguments: { query: QUERY },
    milliseconds: 3.7,
    outcome: "answered",
    packages: ["11111111"],
    passages: ["11111111/2222222222222222/3", "11111111/2222222222222222/4"],
    ...more,
  };
}

function logged(format: LogFormat, work: (log: Log) => void, debug = false): string {
  let text = "";
  work(
    new Log(format, debug, (line) => {
      text += line;
    }),
  );
  return text;
}

describe("the log of a server", () => {
  it("is a line an entry, for people", () => {
    expect(
      logged("text", (log) => {
        log.call(call());
      }),
    ).toBe("mdcx: search 4 ms, 2 passages [c-1]\n");
    expect(
      logged("text", (log) => {
        log.call(call({ outcome: "cancelled", passages: [] }));
      }),
    ).toBe("mdcx: search 4 ms, cancelled [c-1]\n");
  });

  it("is one JSON object a line, with the id of its call", () => {
    const text = logged("json", (log) => {
      log.call(call());
      log.call(call({ id: "c-2", outcome: "refused", code: "bad-input", passages: [] }));
    });
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({
      level: "info",
      event: "call",
      call: "c-1",
      tool: "search",
      milliseconds: 4,
      passages: 2,
    });
    expect(lines[1]).toMatchObject({ call: "c-2", outcome: "refused", code: "bad-input" });
  });

  it("is nothing where it is off", () => {
    expect(
      logged("off", (log) => {
        log.call(call());
      }),
    ).toBe("");
  });

  it("says why something failed, and never what was asked, also where the error repeats it", () => {
    const error = new TypeError(`cannot read ${QUERY} of undefined`);
    const failed = call({ outcome: "failed", code: "internal", error });
    for (const format of ["text", "json"] as const)
      for (const debug of [false, true]) {
        const text = logged(
          format,
          (log) => {
            log.call(failed);
          },
          debug,
        );
        expect(text).toContain("cannot read … of undefined");
        expect(text).not.toContain(QUERY);
        expect(text.includes("log.test.ts")).toBe(debug);
        expect(text.trimEnd()).not.toContain("\n");
      }
  });

  it("does not say what a refusal said, which names what was asked", () => {
    const error = new MdcxError("not-found", "There is no document.");
    const text = logged("text", (log) => {
      log.call(call({ tool: "document", arguments: { name: "@/a.md" }, outcome: "refused", code: "not-found", error }));
    });
    expect(text).toBe("mdcx: document 4 ms, refused (not-found) [c-1]\n");
  });

  it("cannot be made to act on a terminal, nor to begin another line, by the name of a file", () => {
    const text = logged("text", (log) => {
      log.add({ level: "info", event: "replaced", text: "a\u001b[2J\nmdcx: forged\u202e.mdcx" });
    });
    expect(text).toBe("mdcx: a\\u{1b}[2J ↵ mdcx: forged\\u{202e}.mdcx\n");
  });
});
