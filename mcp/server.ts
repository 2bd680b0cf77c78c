import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { CorpusReading } from "../src/corpus.js";
import { answered, refused, run, sentence, type ServerHooks } from "./answer.js";
import { document } from "./document.js";
import { info } from "./info.js";
import { INSTRUCTIONS } from "./instructions.js";
import { listResources, readResource, resourceError, TEMPLATES } from "./resources.js";
import { search } from "./search.js";
import type { Told, Tool } from "./tool.js";

const TOOLS: readonly Tool[] = [search, info, document];

/**
 * A call as it is let in. The schema of the protocol would answer a slip with a list of its own findings, as an internal
 * error.
 */
const ToolCall = z.looseObject({ method: z.literal("tools/call"), params: z.unknown().transform(readCall) });

/** @throws McpError with a sentence for parameters that call no tool */
function readCall(params: unknown): { readonly name: string; readonly arguments?: Record<string, unknown> } {
  const { name, arguments: args, ...more } = isObject(params) ? params : {};
  if (typeof name !== "string") throw malformed("params is an object with name, a tool, and arguments");
  if (args !== undefined && !isObject(args)) throw malformed("arguments is an object with a field for each");
  return { ...more, name, ...(args !== undefined && { arguments: args }) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function malformed(what: string): McpError {
  return new McpError(ErrorCode.InvalidParams, `This is no call of a tool: ${what}.`);
}

/**
 * The server over a corpus: three tools that read, and every document as a resource. It has no input or output of its own,
 * so that any transport can carry it, and holds nothing between calls.
 *
 * Requests are handled here and not by the SDK's `registerTool`: arguments that do not fit come back as a sentence and are
 * told to the hooks, and the list of resources has pages.
 *
 * @param version of mdcx, told to the client
 */
export function createServer(reading: CorpusReading, version: string, hooks: ServerHooks = {}): McpServer {
  const mcp = new McpServer(
    { name: "mdcx", title: "mdcx", version },
    { instructions: INSTRUCTIONS, capabilities: { tools: {}, resources: { listChanged: true } } },
  );
  const { server } = mcp;

  /** A package that was replaced has other documents. */
  const noticed = (told: Told): Told => {
    if (told.replaced === true) mcp.sendResourceListChanged();
    return told;
  };

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map(({ listed }) => listed) }));
  server.setRequestHandler(ToolCall, async ({ params }, extra) => {
    const { name, arguments: args } = params;
    const tool = TOOLS.find(({ listed }) => listed.name === name);
    if (tool === undefined)
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no tool ${JSON.stringify(name)}: the tools are ${TOOLS.map(({ listed }) => listed.name).join(", ")}.`,
      );
    try {
      const work = (): Promise<Told> => tool.call(reading, args, { signal: extra.signal });
      return answered(noticed(await run({ tool: name, arguments: args }, work, extra, hooks)));
    } catch (error) {
      return refused(error);
    }
  });

  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, extra) =>
    listResources(reading, params?.cursor, { signal: extra.signal }),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => TEMPLATES);
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, extra) => {
    const { uri } = params;
    try {
      const work = (): Promise<Told> => readResource(reading, uri, { signal: extra.signal });
      return noticed(await run({ tool: "resource", arguments: { uri } }, work, extra, hooks)).reply;
    } catch (error) {
      throw resourceError(error, uri, sentence(error));
    }
  });
  return mcp;
}
