import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Encoder, Role } from "../../src/meaning/encoder.js";

/** A server on this machine alone, for as long as a test needs it. */
export interface Loopback {
  /** `127.0.0.1:40123`. */
  readonly host: string;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

export async function loopback(listener: RequestListener): Promise<Loopback> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** What a client posts to `/v1/embeddings`. */
export interface EmbeddingsRequest {
  readonly model: string;
  readonly input: readonly string[];
  readonly encoding_format: string;
}

export async function readRequest(request: IncomingMessage): Promise<EmbeddingsRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as EmbeddingsRequest;
}

/** The answer of an OpenAI-compatible server: entries in any order, each with its index. */
export function embeddingsAnswer(vectors: readonly (readonly number[] | string)[], tokens = 0): string {
  const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding })).reverse();
  return JSON.stringify({ object: "list", data, model: "m", usage: { prompt_tokens: tokens, total_tokens: tokens } });
}

/**
 * A server in OpenAI's shape with a real model behind it. Like every such server it takes a text as it comes, prefix
 * included; the encoder behind it writes the prefix itself, so it is taken off here, and a text without one is refused.
 */
export function embeddingsServer(encoder: Encoder, model: string): Promise<Loopback> {
  return loopback((request, response) => {
    void (async () => {
      const asked = await readRequest(request);
      const { prefixes, dimensions } = await encoder.describe();
      const refuse = (status: number, message: string) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error: { message } }));
      if (request.url !== "/v1/embeddings") return refuse(404, "no such path");
      if (asked.model !== model) return refuse(404, `model "${asked.model}" not found`);
      const vectors: number[][] = [];
      let tokens = 0;
      for (const text of asked.input) {
        const role = (["query", "passage"] as Role[]).find((one) => text.startsWith(prefixes[one]));
        if (role === undefined) return refuse(400, "a text without prefix");
        const encoded = await encoder.encode([text.slice(prefixes[role].length)], role);
        tokens += encoded.tokens;
        vectors.push(Array.from(encoded.vectors));
      }
      if (vectors.some(({ length }) => length !== dimensions)) return refuse(500, "a vector of another length");
      return response.writeHead(200, { "content-type": "application/json" }).end(embeddingsAnswer(vectors, tokens));
    })();
  });
}
