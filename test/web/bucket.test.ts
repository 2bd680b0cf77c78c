import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { AwsClient } from "aws4fetch";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { openCorpus, openPackage, verifyPackage } from "../../src/index.js";
import { KEY as PRINTED_KEY, mdcx } from "../cli/mdcx.js";
import { KEY, packed } from "../package/in-memory.js";

/** The one account that the server knows, worth nothing anywhere else. */
const ACCOUNT = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER", AWS_REGION: "us-east-1" };

const FOLDER = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => {
    const words = Array.from({ length: 1_500 }, (_, at) => (Math.imul(at + 1, 2_246_822_519 + i) >>> 0).toString(36));
    return [`buoys/${i}.md`, `# Buoy ${i}\n\nThe bell of buoy number${i} rings in fog.\n\n${words.join(" ")}\n`];
  }),
);
const QUESTION = "Which bell rings in fog: number23?";

let folder: string;
let server: S3rver;
let bytes: Uint8Array;
let environment: Record<string, string>;

function setEnvironment(more: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries({ ...environment, ...more })) vi.stubEnv(name, value);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mdcx-bucket-"));
  server = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory: folder,
    configureBuckets: [{ name: "shelf", configs: [] }],
  });
  const { port } = await server.run();
  environment = { ...ACCOUNT, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` };
  ({ bytes } = await packed(FOLDER, { title: "Buoys" }));
  const client = new AwsClient({
    accessKeyId: ACCOUNT.AWS_ACCESS_KEY_ID,
    secretAccessKey: ACCOUNT.AWS_SECRET_ACCESS_KEY,
    service: "s3",
    region: ACCOUNT.AWS_REGION,
  });
  for (const name of ["buoys.mdcx", "sea%20marks/buoys%20%26%20bells.mdcx"]) {
    const put = await client.fetch(`${environment.AWS_ENDPOINT_URL}/shelf/${name}`, { method: "PUT", body: bytes });
    expect(put.status).toBe(200);
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(async () => {
  server.httpServer.closeAllConnections();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a package in a bucket", () => {
  it("answers, lists and is verified as on disk", async () => {
    setEnvironment();
    const [far, near] = [
      await openCorpus(["s3://shelf/buoys.mdcx"], { secret: KEY }),
      await openCorpus([bytes], { secret: KEY }),
    ];
    expect(await far.search(QUESTION)).toEqual(await near.search(QUESTION));
    expect(await far.documents()).toEqual(await near.documents());
    expect((await verifyPackage("s3://shelf/buoys.mdcx", { secret: KEY })).opened).toBe(true);
    await far.close();
    await near.close();
  });

  it("is found under a name that an address must escape", async () => {
    setEnvironment();
    const pkg = await openPackage("s3://shelf/sea marks/buoys & bells.mdcx", { secret: KEY });
    expect((await pkg.search(QUESTION)).passages[0]!.document).toBe("@/buoys/23.md");
    await pkg.close();
  });

  it("is not given out to another secret, which is said in a sentence", async () => {
    setEnvironment({ AWS_SECRET_ACCESS_KEY: "another" });
    await expect(openPackage("s3://shelf/buoys.mdcx", { secret: KEY })).rejects.toMatchObject({
      code: "no-access",
      message: expect.stringMatching(/^buoys\.mdcx: the server does not give it out .*AWS variables/) as string,
    });
    setEnvironment();
    await expect(openPackage("s3://shelf/none.mdcx", { secret: KEY })).rejects.toMatchObject({ code: "not-found" });
  });

  it("is asked by the command line", async () => {
    const asked = ["search", "s3://shelf/buoys.mdcx", QUESTION, "--json", "--limit", "1"];
    const { code, stdout, stderr } = await mdcx(asked, { env: { ...environment, MDCX_KEY: PRINTED_KEY } });
    expect(stderr).not.toContain("S3RVER");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ passages: [{ document: "Buoy 23" }] });
  });
});
