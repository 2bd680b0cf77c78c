import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { AwsV4Signer } from "aws4fetch";

/** A server under which files are put and got, as a bucket or WebDAV has it, for whoever may. */
export interface ObjectStore {
  readonly address: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** `PUT /manuals/x.mdcx 204`, in their order. */
  readonly requests: readonly string[];
  /** Whether the secret could be seen in the process list while a request came in. */
  readonly secretSeen: () => boolean;
  readonly close: () => Promise<void>;
}

export async function objectStore(
  secret: string,
  may: (request: IncomingMessage) => Promise<boolean> | boolean = bearerOf(secret),
): Promise<ObjectStore> {
  const files = new Map<string, Uint8Array>();
  const requests: string[] = [];
  let seen = false;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      void (async () => {
        seen ||= inProcessList(secret);
        const { method, url } = request as { method: string; url: string };
        const found = files.get(url);
        const status = !(await may(request)) ? 401 : method === "PUT" ? 204 : found ? 200 : 404;
        if (status === 204) files.set(url, Buffer.concat(parts));
        requests.push(`${method} ${url} ${status}`);
        response.writeHead(status).end(status === 200 ? found : undefined);
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/manuals/`,
    files,
    requests,
    secretSeen: () => seen,
    close: async () => {
      server.close();
      await once(server, "close");
    },
  };
}

function bearerOf(token: string): (request: IncomingMessage) => boolean {
  return ({ headers }) => headers.authorization === `Bearer ${token}`;
}

/** Lets in what is signed as S3 wants it, by another implementation than the one that signs. */
export function signedBy(accessKeyId: string, secretAccessKey: string): (request: IncomingMessage) => Promise<boolean> {
  return async ({ method, url, headers }) => {
    const names = /SignedHeaders=([^,]*),/.exec(headers.authorization ?? "")?.[1]?.split(";") ?? [];
    const signed = names.filter((name) => name !== "host").map((name) => [name, String(headers[name])]);
    const signer = new AwsV4Signer({
      method: method!,
      url: `http://${headers.host!}${url!}`,
      headers: Object.fromEntries(signed) as Record<string, string>,
      accessKeyId,
      secretAccessKey,
      service: "s3",
      region: "eu-central-1",
      datetime: String(headers["x-amz-date"]),
      allHeaders: true,
    });
    return (await signer.authHeader()) === headers.authorization;
  };
}

function inProcessList(text: string): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
      } catch {
        // It has ended meanwhile.
        return false;
      }
    });
}
