import { randomUUID } from "node:crypto";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";

/** A server behind HTTP, on this machine alone. */
export interface Loopback {
  readonly url: string;
  close(): Promise<void>;
}

type Handle = (request: IncomingMessage & { readonly body?: unknown }, response: ServerResponse) => Promise<void>;

/**
 * Puts server objects behind the SDK's HTTP transport, one a session, for tools that speak only that. mdcx itself serves on
 * standard input and output.
 */
export async function behindHttp(create: () => McpServer): Promise<Loopback> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  // Refuses hosts other than this one, and reads the body.
  const app = createMcpExpressApp() as unknown as RequestListener & { all(path: string, handle: Handle): void };
  app.all("/mcp", async (request, response) => {
    const id = request.headers["mcp-session-id"];
    let transport = typeof id === "string" ? sessions.get(id) : undefined;
    if (transport === undefined && isInitializeRequest(request.body)) {
      const opened = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => void sessions.set(session, opened),
        onsessionclosed: (session) => void sessions.delete(session),
      });
      await create().connect(opened);
      transport = opened;
    }
    if (transport === undefined) response.writeHead(400).end();
    else await transport.handleRequest(request, response, request.body);
  });
  const http = createHttpServer(app);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => {
          resolve();
        });
      }),
  };
}
