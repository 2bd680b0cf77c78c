import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MountedCorpus } from "../../src/node/mounted-corpus.js";
import { packed } from "../package/in-memory.js";
import { aboutTheKey, KEY } from "../serve/packages.js";
import { serveFile, type RangeServer } from "./range-server.js";

let keys: RangeServer;
let hours: RangeServer;

/** Far longer than what the first request brings, so that something is left to be asked for. */
const NOISE = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => {
    const words = Array.from({ length: 2_000 }, (_, at) => (Math.imul(at + 1, 2_654_435_761 + i) >>> 0).toString(36));
    return [`noise/${i}.md`, `# Noise ${i}\n\n${words.join(" ")}\n`];
  }),
);

beforeAll(async () => {
  keys = await serveFile((await packed({ ...NOISE, ...aboutTheKey("behind the barometer") })).bytes);
  hours = await serveFile((await packed({ "hours.md": "# Hours\n\nOpen at nine.\n" })).bytes);
});
afterAll(async () => {
  await keys.close();
  await hours.close();
});

function mounted(): Promise<MountedCorpus> {
  const mounts = [`${keys.address}?signature=hidden`, hours.address].map((path) => ({ path, secrets: [KEY] }));
  return MountedCorpus.open(mounts, { pinning: { all: {} } });
}

describe("packages on the web that are mounted", () => {
  it("answer as one corpus", async () => {
    const corpus = await mounted();
    expect((await corpus.search("spare key")).passages[0]!.text).toContain("behind the barometer");
    expect((await corpus.document("@/hours.md")).text).toContain("Open at nine");
    expect((await corpus.documents()).total).toBe(42);
    await corpus.close();
  });

  it("are taken up anew where one was replaced on its server, which the reply says once and of that one alone", async () => {
    const corpus = await mounted();
    keys.file.bytes = (await packed({ ...NOISE, ...aboutTheKey("under the doormat") })).bytes;
    keys.file.etag = '"two"';
    const reply = await corpus.search("spare key");
    expect(reply.passages[0]!.text).toContain("under the doormat");
    expect(reply.notices).toHaveLength(1);
    expect(reply.notices![0]).toMatch(/^papers\.mdcx was replaced: the new file answers from now on/);
    expect((await corpus.search("spare key")).notices).toBeUndefined();
    await corpus.close();
  });

  it("are named without what may be a signature where one is refused", async () => {
    keys.trick = (_, response) => {
      response.statusCode = 404;
      response.end();
      return true;
    };
    const error: unknown = await mounted().catch((thrown: unknown) => thrown);
    keys.trick = undefined;
    expect(error).toMatchObject({ code: "not-found" });
    expect(String(error)).toContain(keys.address);
    expect(String(error)).not.toContain("hidden");
  });
});
