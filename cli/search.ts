import { command } from "./command.js";
import type { Hit, Reply } from "../src/index.js";
import { DONE } from "./failure.js";
import { marked } from "./marked.js";
import { reflowed } from "./reflow.js";
import { counted, json, note, printable, printableLine, say, styled, wrapped } from "./print.js";
import { wirePassage } from "../src/wire.js";
import { withJson, withPackage, withPinOptions, withSecretOptions } from "./reading.js";

export const searchCommand = command({
  command: "search <package> <question>",
  describe: "find the passages that bear on a question",
  builder: (args) =>
    withJson(withPinOptions(withSecretOptions(args)))
      .positional("package", { type: "string", demandOption: true, describe: "the package: FILE.mdcx" })
      .positional("question", {
        type: "string",
        demandOption: true,
        describe: 'the question; "words in quotes" must occur',
      })
      .option("limit", { type: "number", default: 5, requiresArg: true, describe: "passages to show, 1 to 50" })
      .option("in", { type: "string", requiresArg: true, describe: "only documents whose path matches this glob" })
      .example('$0 search handbook.mdcx "Who may moor at night?"', "asks for the passphrase")
      .example('$0 search handbook.mdcx "tide gauge" --in "measuring/**" --json', ""),
  handler: async (args) => {
    await withPackage(args.package, args, async (pkg) => {
      const reply = await pkg.search(args.question, {
        limit: args.limit,
        ...(args.in !== undefined && { in: args.in }),
      });
      if (args.json) json(forProgram(reply));
      else show(reply);
    });
    process.exitCode = DONE;
  },
});

/** The reply with the field names of the MCP server, so that programs read one shape. */
function forProgram(reply: Reply): Record<string, unknown> {
  const { query, found, passages, unknownTerms, hint } = reply;
  return {
    query,
    found,
    passages: passages.map(wirePassage),
    unknown_terms: unknownTerms,
    ...(hint !== undefined && { hint }),
  };
}

function show(reply: Reply): void {
  if (reply.passages.length === 0) {
    say(reply.hint ?? "Nothing was found.");
    return;
  }
  const matched = new Set(reply.matched);
  say(reply.passages.map((hit) => passage(hit, matched)).join("\n\n"));
  const shown = reply.passages.length;
  if (reply.found > shown)
    note(
      styled(
        "dim",
        `\n${shown} of ${counted(reply.found, "passage")} that share a word with the question; --limit shows more.`,
      ),
    );
  for (const words of Object.values(reply.unknownTerms))
    note(styled("dim", `Not in the package: ${words.map(printableLine).join(", ")}`));
}

function passage(hit: Hit, matched: ReadonlySet<string>): string {
  const place = hit.place ? ` · ${hit.place.kind} ${printableLine(hit.place.value)}` : ` · line ${hit.line}`;
  const dated = hit.dated === undefined ? "" : ` · ${hit.dated}`;
  const indent = "    ";
  const lines = [
    `${styled("bold", String(hit.rank).padStart(2))}  ${styled("cyan", printableLine(hit.document))}${styled("dim", place + dated)}`,
  ];
  if (hit.heading.length > 0) lines.push(styled("dim", wrapped(hit.heading.map(printableLine).join(" › "), indent)));
  if (hit.header !== undefined) lines.push(styled("dim", wrapped(printable(hit.header).trimEnd(), indent)));
  lines.push(
    wrapped(
      marked(shownText(hit), matched, (text) => styled(["bold", "yellow"], text)),
      indent,
    ),
  );
  return lines.join("\n");
}

function shownText(hit: Hit): string {
  const text = printable(tidy(hit.text));
  return hit.kind === "text" ? reflowed(text) : text;
}

/** A passage without the blank lines around it and with no more than one within. */
function tidy(text: string): string {
  return text
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\s+$/g, "");
}
