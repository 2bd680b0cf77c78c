import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Asking, CorpusReading } from "../src/corpus.js";
import { MdcxError } from "../src/errors.js";
import { describeTool } from "./describe.js";

/** What a tool says, and what of the packages went into it. */
export interface Told {
  /** The fields of the tool's output schema. */
  readonly reply: Record<string, unknown>;
  /** Notices of the reading, which the reply holds too. */
  readonly notices?: readonly string[] | undefined;
  /** Whether other documents can be listed than before: a package was replaced. */
  readonly replaced?: boolean | undefined;
  /** First 8 digits of the ids of the packages that text came from. */
  readonly packages?: readonly string[];
  /** Ids of the passages returned. */
  readonly passages?: readonly string[];
}

/** A tool as the server lists and calls it. */
export interface Tool {
  readonly listed: ListedTool;
  /** @throws MdcxError `bad-input` for arguments outside the schema, and what the reading throws */
  readonly call: (reading: CorpusReading, args: unknown, asking: Asking) => Promise<Told>;
}

/** What makes a tool. Its description is made from the schemas. */
export interface ToolDefinition<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** What it is for, in a sentence or two. */
  readonly summary: string;
  readonly input: Input;
  readonly output: z.ZodObject;
  readonly ask: (reading: CorpusReading, args: z.output<Input>, asking: Asking) => Promise<Told>;
}

/** An agent may read and never write: packing, keys and calibration are commands of the person. */
const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { name, title, summary, input, output, ask } = definition;
  return {
    listed: {
      name,
      title,
      description: describeTool(summary, input, output),
      inputSchema: jsonSchema(input, "input"),
      outputSchema: jsonSchema(output, "output"),
      annotations: { title, ...READ_ONLY },
    },
    call: async (reading, args, asking) => {
      const parsed = input.safeParse(args ?? {}, { reportInput: true });
      if (!parsed.success) throw refusal(name, input, parsed.error);
      return ask(reading, parsed.data, asking);
    },
  };
}

/** Draft 7 of JSON Schema, which every client's validator knows. */
function jsonSchema(schema: z.ZodObject, io: "input" | "output"): ListedTool["inputSchema"] {
  return z.toJSONSchema(schema, { target: "draft-7", io }) as ListedTool["inputSchema"];
}

/** What is wrong with the arguments, each named, and which there are where one is not. */
function refusal(name: string, input: z.ZodObject, { issues }: z.ZodError): MdcxError {
  const wrong = issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `there is no argument ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}, the arguments of ${name} are ${Object.keys(input.shape).join(", ")}`
      : `${issue.path.join(".") || "what was given"} ${wanted(issue)}`,
  );
  return new MdcxError("bad-input", `${name} was not called as it can be: ${wrong.join("; ")}.`);
}

/** What a value must be, by what is wrong with it. */
function wanted(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? `is missing: ${kindOf(issue.expected)}` : `must be ${kindOf(issue.expected)}`;
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "too_small":
      if (issue.origin === "string") return issue.minimum === 1 ? "is empty" : `needs ${issue.minimum} characters`;
      return `must be at least ${issue.minimum}`;
    case "too_big":
      return issue.origin === "string"
        ? `has more than ${issue.maximum.toLocaleString("en")} characters`
        : `must be at most ${issue.maximum}`;
    default:
      return `is not as it can be: ${issue.message}`;
  }
}

function kindOf(expected: string): string {
  return (
    { string: "a text", int: "a whole number", number: "a number", boolean: "true or false" }[expected] ?? expected
  );
}
