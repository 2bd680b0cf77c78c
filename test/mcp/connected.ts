import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { expect } from "vitest";
import type { ServerHooks } from "../../mcp/answer.js";
import { createServer } from "../../mcp/server.js";
import type { CorpusReading } from "../../src/corpus.js";
import type { Folder } from "../package/in-memory.js";
import { HANDBOOK } from "./harbour.js";

/** The official SDK's client at a server of its own, both in this process. */
export class Connected {
  private constructor(readonly client: Client) {}

  static async to(reading: CorpusReading, hooks: ServerHooks = {}): Promise<Connected> {
    const [here, there] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "mdcx-test", version: "1" });
    await createServer(reading, "0.0.0", hooks).connect(there);
    await client.connect(here);
    // The client checks replies against the schemas that it has seen.
    await client.listTools();
    return new Connected(client);
  }

  async call(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
    return (await this.client.callTool({ name, arguments: args })) as CallToolResult;
  }

  /** The reply, after checking that text and structured content carry the same. */
  async reply<T>(name: string, args: Record<string, unknown>): Promise<T> {
    const result = await this.call(name, args);
    expect(result.isError ?? false, messageOf(result)).toBe(false);
    expect(JSON.parse(messageOf(result))).toEqual(result.structuredContent);
    return result.structuredContent as T;
  }

  /** The message of a call that must fail; the server must answer afterwards. */
  async refusal(name: string, args: Record<string, unknown>): Promise<string> {
    const result = await this.call(name, args);
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    await this.client.ping();
    return messageOf(result);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

export function messageOf(result: CallToolResult): string {
  const [first] = result.content;
  return first?.type === "text" ? first.text : "";
}

/** The harbour's handbook, as it lies in the folder of examples. */
export function handbook(): Folder {
  return Object.fromEntries(
    readdirSync(HANDBOOK, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(HANDBOOK.length + 1), readFileSync(path)];
      }),
  );
}

export interface Passage {
  readonly rank: number;
  readonly id: string;
  readonly package: string;
  readonly path: string;
  readonly line: number;
  readonly kind: string;
  readonly heading: readonly string[];
  readonly found_by: readonly string[];
  readonly dated?: string;
  readonly dated_from?: string;
  readonly direction?: string;
  readonly header?: string;
  readonly text: string;
}

export interface SearchReply {
  readonly query: string;
  readonly found: number;
  readonly passages: readonly Passage[];
  readonly left_out: number;
  readonly similarity?: number;
  readonly answerable_at?: number;
  readonly answerable_at_by_package?: Readonly<Record<string, number>>;
  readonly band?: string;
  readonly warning?: string;
  readonly unknown_terms?: Readonly<Record<string, readonly string[]>>;
  readonly prefer_applied?: boolean;
  readonly prefer_reason?: string;
  readonly notices?: readonly string[];
  readonly hint?: string;
}

export interface TextReply {
  readonly document: string;
  readonly path: string;
  readonly package: string;
  readonly indexed: boolean;
  readonly passages: number;
  readonly first?: number;
  readonly last?: number;
  readonly text: string;
  readonly page: number;
  readonly pages: number;
  readonly next_page?: number;
}

export interface ListedDocument {
  readonly title: string;
  readonly path: string;
  readonly package: string;
  readonly size: number;
  readonly date?: string;
  readonly passages: number;
  readonly opening: string;
}

export interface InfoReply {
  readonly packages: readonly Readonly<Record<string, unknown>>[];
  readonly documents?: readonly ListedDocument[];
  readonly page: number;
  readonly pages: number;
  readonly next_page?: number;
}
