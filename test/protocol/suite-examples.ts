import { completable } from "@modelcontextprotocol/sdk/server/completable.js";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type CallToolResult,
  type ContentBlock,
  type ElicitRequestFormParams,
  type ReadResourceResult,
  type ServerNotification,
  type ServerRequest,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
type Example = (args: Readonly<Record<string, unknown>>, extra: Extra) => Promise<CallToolResult> | CallToolResult;

/** A red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A wave file without a sound in it. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const text = (said: string): ContentBlock => ({ type: "text", text: said });
const image: ContentBlock = { type: "image", data: PNG, mimeType: "image/png" };
const embedded = (uri: string, mimeType: string, held: string): ContentBlock => ({
  type: "resource",
  resource: { uri, mimeType, text: held },
});
const says =
  (...content: ContentBlock[]): Example =>
  () => ({ content });
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

/**
 * Gives a server object what the conformance suite's own example server has: tools, resources and prompts under names that the
 * suite asks for. What the server has of its own stays, behind the same handlers: the suite then holds the whole protocol
 * against this server object, not only the parts that mdcx uses.
 */
export function withSuiteExamples(mcp: McpServer): McpServer {
  const { server } = mcp;
  server.registerCapabilities({ logging: {}, resources: { subscribe: true } });
  const tools = examples(mcp);

  const ownTools = handlerOf(mcp, "tools/list");
  server.setRequestHandler(ListToolsRequestSchema, async (request, extra) => {
    const own = (await ownTools(request, extra)) as { tools: Tool[] };
    return { tools: [...own.tools, ...Object.keys(tools).map(listed)] };
  });
  const ownCall = handlerOf(mcp, "tools/call");
  server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
    const example = tools[request.params.name];
    if (example === undefined) return (await ownCall(request, extra)) as CallToolResult;
    try {
      return await example(request.params.arguments ?? {}, extra);
    } catch (error) {
      return { isError: true, content: [text((error as Error).message)] };
    }
  });

  const ownRead = handlerOf(mcp, "resources/read");
  server.setRequestHandler(ReadResourceRequestSchema, async (request, extra) => {
    return exampleResource(request.params.uri) ?? ((await ownRead(request, extra)) as ReadResourceResult);
  });
  const ownResources = handlerOf(mcp, "resources/list");
  server.setRequestHandler(ListResourcesRequestSchema, async (request, extra) => {
    const own = (await ownResources(request, extra)) as { resources: { uri: string; name: string }[] };
    return { ...own, resources: [...own.resources, { uri: "test://static-text", name: "static text" }] };
  });
  server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
  server.setRequestHandler(SetLevelRequestSchema, () => ({}));
  registerPrompts(mcp);
  return mcp;
}

/** What a server object has already said it would do with a method. The SDK keeps it to itself. */
function handlerOf(mcp: McpServer, method: string): (request: unknown, extra: Extra) => Promise<unknown> {
  const handlers = Reflect.get(mcp.server, "_requestHandlers") as Map<string, ReturnType<typeof handlerOf>>;
  const handler = handlers.get(method);
  if (handler === undefined) throw new Error(`the server has no handler for ${method}`);
  return handler;
}

function listed(name: string): Tool {
  return {
    name,
    description: "An example of the conformance suite.",
    inputSchema:
      name === "json_schema_2020_12_tool"
        ? {
            $schema: "https://json-schema.org/draft/2020-12/schema",
            type: "object",
            $defs: {
              address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
            },
            properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
            additionalProperties: false,
          }
        : { type: "object" },
  };
}

function examples(mcp: McpServer): Readonly<Record<string, Example>> {
  const { server } = mcp;
  const elicit = async (
    message: string,
    requestedSchema: ElicitRequestFormParams["requestedSchema"],
  ): Promise<CallToolResult> => {
    const { action, content } = await server.elicitInput({ message, requestedSchema });
    return { content: [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)] };
  };
  return {
    json_schema_2020_12_tool: says(text("yes")),
    test_simple_text: says(text("This is a simple text response for testing.")),
    test_image_content: says(image),
    test_audio_content: says({ type: "audio", data: WAV, mimeType: "audio/wav" }),
    test_embedded_resource: says(
      embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
    ),
    test_multiple_content_types: says(
      text("Multiple content types test:"),
      image,
      embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ),
    test_error_handling: () => {
      throw new Error("This tool intentionally returns an error for testing");
    },
    test_tool_with_logging: async (_, { sendNotification }) => {
      for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await sendNotification({ method: "notifications/message", params: { level: "info", data } });
        await pause();
      }
      return { content: [text("logged")] };
    },
    test_tool_with_progress: async (_, { _meta, sendNotification }) => {
      const progressToken = _meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await sendNotification({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
        await pause();
      }
      return { content: [text("done")] };
    },
    test_reconnection: async (_, { closeSSEStream }) => {
      closeSSEStream?.();
      await pause();
      return { content: [text("Reconnection test completed successfully")] };
    },
    test_sampling: async ({ prompt }) => {
      const { content } = await server.createMessage({
        messages: [{ role: "user", content: { type: "text", text: String(prompt) } }],
        maxTokens: 100,
      });
      return { content: [text(`LLM response: ${content.type === "text" ? content.text : content.type}`)] };
    },
    test_elicitation: async ({ message }) =>
      elicit(String(message), {
        type: "object",
        properties: {
          username: { type: "string", description: "User's response" },
          email: { type: "string", description: "User's email address" },
        },
        required: ["username", "email"],
      }),
    test_elicitation_sep1034_defaults: () =>
      elicit("Defaults", {
        type: "object",
        properties: {
          name: { type: "string", default: "John Doe" },
          age: { type: "integer", default: 30 },
          score: { type: "number", default: 95.5 },
          status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
          verified: { type: "boolean", default: true },
        },
      }),
    test_elicitation_sep1330_enums: () =>
      elicit("Choices", {
        type: "object",
        properties: {
          untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
          titledSingle: { type: "string", oneOf: titled("value", "Option") },
          legacyEnum: {
            type: "string",
            enum: ["opt1", "opt2", "opt3"],
            enumNames: ["Option One", "Option Two", "Option Three"],
          },
          untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
          titledMulti: { type: "array", items: { anyOf: titled("value", "Choice") } },
        },
      }),
  };
}

function titled(value: string, title: string): { const: string; title: string }[] {
  return ["First", "Second", "Third"].map((which, i) => ({ const: `${value}${i + 1}`, title: `${which} ${title}` }));
}

function exampleResource(uri: string): ReadResourceResult | undefined {
  const contents = (content: { mimeType: string; text: string } | { mimeType: string; blob: string }) => ({
    contents: [{ uri, ...content }],
  });
  if (uri === "test://static-text")
    return contents({ mimeType: "text/plain", text: "This is the content of the static text resource." });
  if (uri === "test://static-binary") return contents({ mimeType: "image/png", blob: PNG });
  const [, id] = /^test:\/\/template\/(.+)\/data$/.exec(uri) ?? [];
  if (id === undefined) return undefined;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return contents({ mimeType: "application/json", text: JSON.stringify(data) });
}

function registerPrompts(mcp: McpServer): void {
  const user = (...content: ContentBlock[]) => ({
    messages: content.map((one) => ({ role: "user" as const, content: one })),
  });
  const described = { description: "An example of the conformance suite." };
  mcp.registerPrompt("test_simple_prompt", described, () => user(text("This is a simple prompt for testing.")));
  mcp.registerPrompt(
    "test_prompt_with_arguments",
    {
      ...described,
      argsSchema: {
        arg1: completable(z.string(), (value) => ["paris", "park"].filter((one) => one.startsWith(value))),
        arg2: z.string(),
      },
    },
    ({ arg1, arg2 }) => user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  mcp.registerPrompt(
    "test_prompt_with_embedded_resource",
    { ...described, argsSchema: { resourceUri: z.string() } },
    ({ resourceUri }) =>
      user(
        embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
        text("Please process the embedded resource above."),
      ),
  );
  mcp.registerPrompt("test_prompt_with_image", described, () => user(image, text("Please analyze the image above.")));
}
