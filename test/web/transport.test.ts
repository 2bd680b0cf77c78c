import { execFileSync } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HttpSource } from "../../src/format/http-source.js";
import { NodeTransport } from "../../src/node/http-transport.js";
import { remoteAddress } from "../../src/node/remote-credentials.js";
import { head, serveFile, type RangeServer } from "./range-server.js";

const BYTES = Uint8Array.from({ length: 400_000 }, (_, i) => (i * 31) >>> 3);

/** Reads a part that the first request did not bring. */
async function readFrom(address: string, transport: NodeTransport, environment: NodeJS.ProcessEnv): Promise<void> {
  const remote = remoteAddress(address, environment);
  const source = await HttpSource.open(remote.address, transport, remote.credentials && remote);
  try {
    expect(await source.read(300_000, 1_000)).toEqual(BYTES.slice(300_000, 301_000));
  } finally {
    await source.close();
  }
}

function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("a server that speaks TLS", () => {
  it.skipIf(!hasOpenssl())(
    "is asked by HTTP/2 (needs openssl for a certificate), and not at all where it is not trusted",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "mdcx-tls-"));
      const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
      const asked = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
      const names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
      execFileSync("openssl", [...asked, ...names, "-keyout", keyFile, "-out", certFile], { stdio: "ignore" });
      const [key, cert] = [readFileSync(keyFile, "utf8"), readFileSync(certFile, "utf8")];
      rmSync(folder, { recursive: true });
      const server = await serveFile(BYTES, { key, cert });
      await readFrom(server.address, new NodeTransport({ ca: cert }), {});
      expect(server.asked.map(({ http }) => http)).toEqual(["2.0", "2.0"]);
      await expect(readFrom(server.address, new NodeTransport(), {})).rejects.toMatchObject({
        code: "no-answer",
        message: expect.stringContaining("certificate is not trusted") as string,
      });
      await server.close();
    },
  );
});

describe("credentials", () => {
  const bearer = { MDCX_BEARER: "a-token-of-a-test" };

  it("are a bearer token, which is not sent on to another origin", async () => {
    const other = await serveFile(BYTES);
    const server = await serveFile(BYTES);
    server.trick = (_, response) => {
      head(response, 302, { Location: other.address });
      response.end();
      return true;
    };
    await readFrom(server.address, new NodeTransport(), bearer);
    expect(server.asked[0]!.headers.authorization).toBe("Bearer a-token-of-a-test");
    expect(other.asked.length).toBeGreaterThan(0);
    expect(other.asked.every(({ headers }) => headers.authorization === undefined)).toBe(true);
    await server.close();
    await other.close();
  });

  it("do not travel readable for everybody", async () => {
    await expect(readFrom("http://files.example.org/a.mdcx", new NodeTransport(), bearer)).rejects.toMatchObject({
      code: "no-access",
    });
  });

  it("sign each request to a bucket as Signature Version 4 says", async () => {
    const server = await serveFile(BYTES);
    const secret = "a-secret-key-of-a-test";
    await readFrom("s3://shelf/papers and notes.mdcx", new NodeTransport(), {
      AWS_ACCESS_KEY_ID: "AKIDTEST",
      AWS_SECRET_ACCESS_KEY: secret,
      AWS_REGION: "eu-central-1",
      AWS_ENDPOINT_URL: server.origin,
    });
    expect(server.asked).toHaveLength(2);
    for (const request of server.asked) expect(request.headers.authorization).toBe(signed(request, secret, server));
    await server.close();
  });

  it("are asked for where a bucket is named and there are none", () => {
    expect(() => remoteAddress("s3://shelf/papers.mdcx", {})).toThrow(/needs AWS_ACCESS_KEY_ID/);
  });
});

/** What the header must be, computed from AWS's description of Signature Version 4 alone. */
function signed({ path, headers }: RangeServer["asked"][number], secret: string, { origin }: RangeServer): string {
  const date = String(headers["x-amz-date"]);
  const names = /SignedHeaders=([^,]+)/.exec(String(headers.authorization))![1]!.split(";");
  const values: Readonly<Record<string, unknown>> = { ...headers, host: new URL(origin).host };
  const request = [
    "GET",
    path,
    "",
    ...names.map((name) => `${name}:${String(values[name])}`),
    "",
    names.join(";"),
    String(headers["x-amz-content-sha256"]),
  ].join("\n");
  const scope = `${date.slice(0, 8)}/eu-central-1/s3/aws4_request`;
  const digest = createHash("sha256").update(request).digest("hex");
  const key = scope
    .split("/")
    .reduce<string | Buffer>((last, part) => createHmac("sha256", last).update(part).digest(), `AWS4${secret}`);
  const signature = createHmac("sha256", key).update(`AWS4-HMAC-SHA256\n${date}\n${scope}\n${digest}`).digest("hex");
  return `AWS4-HMAC-SHA256 Credential=AKIDTEST/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
}
