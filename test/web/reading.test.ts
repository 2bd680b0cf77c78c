import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { HttpSource } from "../../src/format/http-source.js";
import type { HttpFileOptions } from "../../src/format/http-file.js";
import { openPackage, readStatement, verifyPackage, whenHere, type Package } from "../../src/index.js";
import { NodeTransport } from "../../src/node/http-transport.js";
import { primitives } from "../../src/node/primitives.js";
import { Package as Opened } from "../../src/package.js";
import { KEY, packed } from "../package/in-memory.js";
import { head, sendPart, serveFile, write, type RangeServer, type Trick } from "./range-server.js";

/** Text that hardly shrinks, so that the package is far longer than what the first request brings. */
function chapter(number: number): string {
  const words: string[] = [];
  for (let at = 0, state = number + 1; at < 1_500; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    words.push(state.toString(36));
  }
  return `# Chapter ${number}\n\nThe keeper of lighthouse${number} trims the lamp.\n\n${words.join(" ")}\n`;
}

const FOLDER = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`chapters/${i}.md`, chapter(i)]));
const QUESTION = "Who trims the lamp of lighthouse37?";

let server: RangeServer;
let bytes: Uint8Array;
let local: Package;

beforeAll(async () => {
  ({ bytes } = await packed(FOLDER, { title: "Lighthouses" }));
  server = await serveFile(bytes);
  local = await openPackage(bytes, { secret: KEY });
});
afterEach(() => {
  server.trick = undefined;
  server.file.bytes = bytes;
  server.file.etag = '"one"';
  server.asked.length = 0;
});
afterAll(async () => {
  await local.close();
  await server.close();
});

/** Opens the package by its address, uses it, and closes it. */
async function remote<T>(use: (pkg: Package) => Promise<T>): Promise<T> {
  const pkg = await openPackage(server.address, { secret: KEY });
  try {
    return await use(pkg);
  } finally {
    await pkg.close();
  }
}

/** Lets only requests after the first `count` be played a trick. */
function after(count: number, trick: Trick): Trick {
  return (request, response, file) => server.asked.length > count && trick(request, response, file);
}

describe("a package at an address", () => {
  it("answers by words exactly as the same package on disk, and brings only a part of itself", async () => {
    const reply = await remote((pkg) => pkg.search(QUESTION, { mode: "words" }));
    expect(reply).toEqual(await local.search(QUESTION, { mode: "words" }));
    expect(reply.passages[0]!.document).toBe("@/chapters/37.md");
    for (const { range, headers } of server.asked) {
      expect(range).toMatch(/^bytes=\d+-\d+$/);
      expect(headers["accept-encoding"]).toBe("identity");
    }
    expect(server.asked.slice(1).every(({ headers }) => headers["if-match"] === '"one"')).toBe(true);
  });

  it("shows, lists and gives out its documents, and is verified byte for byte", async () => {
    await remote(async (pkg) => {
      expect(await whenHere(() => pkg.document("@/chapters/5.md"))).toEqual(local.document("@/chapters/5.md"));
      expect(await whenHere(() => pkg.documents(10, 5))).toEqual(local.documents(10, 5));
      expect(await whenHere(() => pkg.exported(59))).toEqual([...local.export()][59]);
      expect(await whenHere(() => pkg.info())).toEqual(local.info());
    });
    expect((await readStatement(server.address)).claims.documents).toBe(60);
    expect((await verifyPackage(server.address, { secret: KEY })).opened).toBe(true);
  });

  it("takes journeys for a question, not a request for each page", async () => {
    const transport = new NodeTransport();
    const source = await HttpSource.open(server.address, transport);
    const pkg = await Opened.open(source, primitives, { secret: KEY });
    await pkg.search(QUESTION, { mode: "words", likeness: "without" });
    expect(source.traffic.journeys).toBeLessThanOrEqual(12);
    expect(source.traffic.bytes).toBeLessThan(bytes.length);
    await pkg.close();
  });
});

describe("what a server must not do", () => {
  const flipped: Trick = (request, response, file) => {
    sendPart(request, response, { ...file, bytes: file.bytes.map((byte) => byte ^ 1) });
    return true;
  };
  const whole: Trick = (_, response, file) => {
    head(response, 200, {});
    write(response, file.bytes);
    return true;
  };
  const saying =
    (headers: Readonly<Record<string, string>>): Trick =>
    (request, response, file) => {
      const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "")!.map(Number);
      const end = Math.min(to!, file.bytes.length - 1);
      head(response, 206, {
        ETag: '"one"',
        "Content-Range": `bytes ${from}-${end}/${file.bytes.length}`,
        ...headers,
      });
      write(response, file.bytes.subarray(from, end + 1));
      return true;
    };
  const redirected =
    (location: string): Trick =>
    (_, response) => {
      head(response, 302, { Location: location });
      response.end();
      return true;
    };

  it.each([
    ["sends the whole file for a part", whole, "no-ranges", /sends no parts of files/],
    ["states another length", saying({ "Content-Range": "bytes 0-262143/99999999" }), "bad-length", /it states/],
    ["packs the bytes", saying({ "Content-Encoding": "gzip" }), "file-changed", /gzip/],
    ["does not say which part it sends", saying({ "Content-Range": "all" }), "file-changed", /which part/],
    ["leads to a file", redirected("file:///etc/passwd"), "unsafe-address", /file: address/],
    ["leads in circles", redirected("/again"), "no-answer", /over 5 times/],
  ] as const)("refuses one that %s", async (_, trick, code, message) => {
    server.trick = trick;
    await expect(remote(() => Promise.resolve())).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
  });

  it("refuses a flipped byte before it is used", async () => {
    server.trick = after(1, flipped);
    await expect(remote((pkg) => pkg.search(QUESTION, { mode: "words" }))).rejects.toMatchObject({
      code: "leaf-damaged",
    });
  });

  it("notices a file that is replaced under the reader", async () => {
    const asked = remote(async (pkg) => {
      server.file.etag = '"two"';
      await pkg.search(QUESTION, { mode: "words" });
    });
    await expect(asked).rejects.toMatchObject({ code: "file-changed" });
  });

  it("refuses a public address that leads to a private one", async () => {
    server.trick = redirected("http://localhost:1/papers.mdcx");
    // The test's own server stands for a public one.
    const transport = new NodeTransport({ isPrivate: (host) => Promise.resolve(host === "localhost") });
    await expect(HttpSource.open(server.address, transport)).rejects.toMatchObject({ code: "unsafe-address" });
    await transport.close();
  });

  it.each([
    ["keeps silent", (): boolean => true],
    [
      "fails",
      (_request: unknown, response: Parameters<Trick>[1]): boolean => {
        head(response, 503, {});
        response.end();
        return true;
      },
    ],
  ])("gives up on one that %s, after it has tried again", async (_, trick) => {
    server.trick = trick;
    const options: HttpFileOptions = { silence: 50, wait: () => Promise.resolve() };
    const transport = new NodeTransport();
    await expect(HttpSource.open(server.address, transport, options)).rejects.toMatchObject({ code: "no-answer" });
    expect(server.asked.length).toBeGreaterThan(1);
    await transport.close();
  });

  it("goes on where a server fails once", async () => {
    server.trick = (_, response) => {
      if (server.asked.length > 1) return false;
      head(response, 503, { "Retry-After": "0" });
      response.end();
      return true;
    };
    expect(await remote((pkg) => Promise.resolve(pkg.documentCount))).toBe(60);
  });
});
