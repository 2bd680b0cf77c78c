import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import { MdcxError } from "../src/errors.js";

/** An agent may read and never write: packing, keys and signatures are commands of the person. */
export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/**
 * Runs one call of a tool. The reply goes out whole in both forms, because a client shows the model one of them: some
 * drop the text when structured content is there. What goes wrong becomes an error that the model can read, and the
 * server stays up.
 */
export async function answer(
  work: () => Promise<Record<string, unknown>> | Record<string, unknown>,
): Promise<CallToolResult> {
  try {
    const reply = await work();
    return { content: [{ type: "text", text: JSON.stringify(reply) }], structuredContent: reply };
  } catch (error) {
    return { isError: true, content: [{ type: "text", text: sentence(error) }] };
  }
}

function sentence(error: unknown): string {
  if (error instanceof MdcxError) return error.message;
  return `Something went wrong inside mdcx (${error instanceof Error ? error.message : String(error)}); other calls still work.`;
}
