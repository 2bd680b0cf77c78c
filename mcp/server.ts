import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Package } from "../src/package.js";
import { registerDocument } from "./document.js";
import { registerInfo } from "./info.js";
import { INSTRUCTIONS } from "./instructions.js";
import { registerSearch } from "./search.js";

/**
 * The server over one opened package: three tools that read, and no input or output of its own, so that any transport
 * can carry it.
 *
 * @param version of mdcx, told to the client
 */
export function createServer(pkg: Package, version: string): McpServer {
  const server = new McpServer({ name: "mdcx", title: "mdcx", version }, { instructions: INSTRUCTIONS });
  registerSearch(server, pkg);
  registerInfo(server, pkg);
  registerDocument(server, pkg);
  return server;
}
