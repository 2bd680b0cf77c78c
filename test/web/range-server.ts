import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo } from "node:net";

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

/** What a server has been asked, in order. */
export interface Asked {
  readonly path: string;
  readonly range: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly http: string;
}

/** What a server may do with a request before the file is sent; returns true where it has answered. */
export type Trick = (request: Request, response: Response, file: RangeFile) => boolean;

export interface RangeFile {
  bytes: Uint8Array;
  etag: string | undefined;
}

export interface RangeServer {
  /** Address of the file. */
  readonly address: string;
  readonly origin: string;
  readonly asked: Asked[];
  readonly file: RangeFile;
  trick: Trick | undefined;
  close(): Promise<void>;
}

/** A server of one file, which speaks parts (RFC 9110) and does as it is told. On loopback; over TLS it speaks HTTP/2. */
export async function serveFile(
  bytes: Uint8Array,
  tls?: { readonly key: string; readonly cert: string },
): Promise<RangeServer> {
  const asked: Asked[] = [];
  const file: RangeFile = { bytes, etag: '"one"' };
  const state: { trick: Trick | undefined } = { trick: undefined };
  const answer = (request: Request, response: Response): void => {
    const { range } = request.headers;
    asked.push({ path: request.url ?? "", range, headers: request.headers, http: request.httpVersion });
    if (state.trick?.(request, response, file) === true) return;
    sendPart(request, response, file);
  };
  const server = tls === undefined ? createHttp(answer) : createSecureServer({ ...tls, allowHTTP1: true }, answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`;
  return {
    address: `${origin}/shelf/papers.mdcx`,
    origin,
    asked,
    file,
    get trick() {
      return state.trick;
    },
    set trick(trick) {
      state.trick = trick;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}

/** The part that was asked for, as a server should send it. */
export function sendPart(request: Request, response: Response, { bytes, etag }: RangeFile): void {
  const condition = request.headers["if-match"];
  const tag = etag === undefined ? {} : { ETag: etag };
  if (condition !== undefined && condition !== etag) {
    head(response, 412, {});
    response.end();
    return;
  }
  const [from, to] = partOf(request, bytes);
  if (from >= bytes.length) {
    head(response, 416, { "Content-Range": `bytes */${bytes.length}` });
    response.end();
    return;
  }
  head(response, 206, {
    ...tag,
    "Content-Range": `bytes ${from}-${to}/${bytes.length}`,
    "Content-Length": String(to - from + 1),
  });
  write(response, bytes.subarray(from, to + 1));
}

/** First and last byte of the part that was asked for. */
export function partOf(request: Request, bytes: Uint8Array): [number, number] {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? ["", "0", String(bytes.length)];
  return [Number(from), Math.min(Number(to), bytes.length - 1)];
}

export function head(response: Response, status: number, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.statusCode = status;
}

export function write(response: Response, bytes: Uint8Array): void {
  // Both kinds take the same, which their common type does not say.
  (response as ServerResponse).end(bytes);
}
