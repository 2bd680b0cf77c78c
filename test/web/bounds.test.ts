import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { HttpFileOptions } from "../../src/format/http-file.js";
import { HttpSource } from "../../src/format/http-source.js";
import { MdcxError, openPackage, type Package } from "../../src/index.js";
import { NodeTransport } from "../../src/node/http-transport.js";
import { primitives } from "../../src/node/primitives.js";
import { Package as Opened } from "../../src/package.js";
import { KEY, packed } from "../package/in-memory.js";
import { head, partOf, sendPart, serveFile, write, type RangeServer, type Trick } from "./range-server.js";

/** Text that hardly shrinks, so that the package is far longer than what the first request brings. */
const FOLDER = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => {
    const words = Array.from({ length: 1_500 }, (_, at) => (Math.imul(at + 1, 2_246_822_519 + i) >>> 0).toString(36));
    return [`pilots/${i}.md`, `# Pilot ${i}\n\nPilot number${i} boards off the bar.\n\n${words.join(" ")}\n`];
  }),
);
const QUESTION = "Which pilot boards off the bar: number41?";

/** So little patience that a test can wait for its end. */
const HASTY: HttpFileOptions = { silence: 150, wait: () => Promise.resolve() };

let server: RangeServer;
let bytes: Uint8Array;
let local: Package;

beforeAll(async () => {
  ({ bytes } = await packed(FOLDER, { title: "Pilots" }));
  server = await serveFile(bytes);
  local = await openPackage(bytes, { secret: KEY });
});
afterEach(() => {
  server.trick = undefined;
  server.file.etag = '"one"';
  server.file.bytes = bytes;
  server.asked.length = 0;
});
afterAll(async () => {
  await local.close();
  await server.close();
});

/** Asks the package on the server, by a reader of little patience. */
async function ask(beforeAsking: () => void = () => undefined): Promise<unknown> {
  const transport = new NodeTransport();
  const source = await HttpSource.open(server.address, transport, HASTY).catch(async (error: unknown) => {
    await transport.close();
    throw error;
  });
  const pkg = await Opened.open(source, primitives, { secret: KEY });
  try {
    beforeAsking();
    return await pkg.search(QUESTION, { mode: "words" });
  } finally {
    await pkg.close();
  }
}

/** What is refused, how long it took, in milliseconds. */
async function refused(asking: Promise<unknown>): Promise<{ error: MdcxError; took: number }> {
  const started = performance.now();
  const error: unknown = await asking.then(
    () => expect.unreachable("it was answered"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof MdcxError)) throw error;
  return { error, took: performance.now() - started };
}

/** A part as it should be sent, with other bytes at its end, or without an end. */
function partly(send: (response: Parameters<Trick>[1], part: Uint8Array) => void, stated?: number): Trick {
  return (request, response, file) => {
    const [from, to] = partOf(request, file.bytes);
    head(response, 206, {
      ETag: file.etag!,
      "Content-Range": `bytes ${from}-${to}/${file.bytes.length}`,
      "Content-Length": String(stated ?? to - from + 1),
    });
    send(response, file.bytes.subarray(from, to + 1));
    return true;
  };
}

const dripping = partly((response, part) => {
  let at = 0;
  const drop = setInterval(() => {
    if (response.destroyed) clearInterval(drop);
    else (response as { write(piece: Uint8Array): boolean }).write(part.subarray(at, ++at));
  }, 20);
});
const brokenOff = partly((response, part) => {
  (response as { write(piece: Uint8Array): boolean }).write(part.subarray(0, part.length >> 1));
  setTimeout(() => response.destroy(), 20);
});
const short: Trick = (request, response, file) => {
  const [from, to] = partOf(request, file.bytes);
  const middle = (from + to) >> 1;
  head(response, 206, { ETag: file.etag!, "Content-Range": `bytes ${from}-${middle}/${file.bytes.length}` });
  write(response, file.bytes.subarray(from, middle + 1));
  return true;
};

describe("a server that does not keep to what it says", () => {
  it.each([
    ["drips a byte at a time", dripping, "no-answer", /too slow: \d+ bytes of/],
    ["breaks off at half", brokenOff, "no-answer", /broke off|closed the connection/],
    ["sends half of the part and says so", short, "file-changed", /another part/],
  ] as const)("is given up in a sentence, soon, where it %s", async (_, trick, code, message) => {
    server.trick = trick;
    const { error, took } = await refused(ask());
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string });
    expect(took).toBeLessThan(5_000);
    server.trick = undefined;
    // In the middle of a question no otherwise than at its start.
    const later = await refused(
      ask(() => {
        server.trick = trick;
      }),
    );
    expect(later.error.code).toBe(code);
    expect(later.took).toBeLessThan(5_000);
  });

  it("is not waited for as long as it likes", async () => {
    server.trick = (_, response) => {
      head(response, 503, { "Retry-After": "86400" });
      write(response, new Uint8Array(0));
      return true;
    };
    const waits: number[] = [];
    const transport = new NodeTransport();
    const wait = (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      return Promise.resolve();
    };
    const { error } = await refused(HttpSource.open(server.address, transport, { wait }));
    expect(error.code).toBe("no-answer");
    expect(waits.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(10_000);
    await transport.close();
  });

  it("is refused where it gives other bytes for the same part the second time", async () => {
    let asked = 0;
    const { error } = await refused(
      ask(() => {
        server.trick = (request, response, file) => {
          if (++asked % 2 === 1) return false;
          sendPart(request, response, { ...file, bytes: file.bytes.map((byte) => byte ^ 0x55) });
          return true;
        };
      }),
    );
    expect(error.code).toBe("leaf-damaged");
  });
});

describe("a file that changes on its server", () => {
  it("is noticed by a weak tag as well, between head and leaf", async () => {
    server.file.etag = 'W/"one"';
    expect(await ask()).toEqual(await local.search(QUESTION, { mode: "words" }));
    const { error } = await refused(
      ask(() => {
        server.file.etag = 'W/"two"';
      }),
    );
    expect(error.code).toBe("file-changed");
  });

  it("is noticed without any tag, by its length or by its leaves", async () => {
    const other = (await packed({ ...FOLDER, "more.md": "# More\n\nOne more.\n" })).bytes;
    for (const replacement of [other, bytes.map((byte, at) => (at < 300_000 ? byte : byte ^ 1))]) {
      server.file.etag = undefined;
      server.file.bytes = bytes;
      const { error } = await refused(
        ask(() => {
          server.file.bytes = replacement;
        }),
      );
      expect(["file-changed", "leaf-damaged"]).toContain(error.code);
    }
  });
});

describe("a name that leads elsewhere when it is connected to", () => {
  it("is refused: what was public when it was asked may be this machine a moment later", async () => {
    const { port } = new URL(server.origin);
    const transport = new NodeTransport({
      isPrivate: () => Promise.resolve(false),
      lookup: (_, __, done) => {
        done(null, [{ address: "127.0.0.1", family: 4 }]);
      },
    });
    const { error } = await refused(HttpSource.open(`http://rebound.test:${port}/papers.mdcx`, transport, HASTY));
    expect(error).toMatchObject({ code: "unsafe-address" });
    expect(server.asked).toHaveLength(0);
    await transport.close();
  });
});
