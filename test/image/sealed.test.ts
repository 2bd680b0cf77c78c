import { beforeAll, describe, expect, it } from "vitest";
import { BytesSource } from "../../src/format/bytes-source.js";
import { openContainer, writeContainer } from "../../src/format/container.js";
import { PAGE, type PageProducer } from "../../src/format/pages.js";
import { NotHereYet } from "../../src/format/not-here-yet.js";
import { MemorySink } from "../../src/format/sink.js";
import type { Source } from "../../src/format/source.js";
import { Image } from "../../src/image/reader.js";
import { PIECE } from "../../src/image/schema.js";
import { nodeDeflate, nodeInflate } from "../../src/node/deflate.js";
import { primitives } from "../../src/node/primitives.js";
import { claimsObject } from "../../src/format/claims.js";
import { facts, KEY } from "../format/packages.js";
import { plain, imageOf, type SampleDocument } from "./corpora.js";
import type { MemoryPages } from "./memory-pages.js";

/** 300 documents, 4 MB of text, and a stream of postings as long as such a text has. */
function documents(): SampleDocument[] {
  let state = 1;
  const word = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8).toString(36);
  };
  return Array.from({ length: 300 }, (_, index) => {
    const text = Array.from({ length: 2_500 }, word).join(" ");
    return plain(`folder${index % 7}/document${index}.md`, text, { title: `Document ${index}` });
  });
}

let sealed: Uint8Array;
let image: MemoryPages;
beforeAll(async () => {
  const postings = Uint8Array.from({ length: 100 * PIECE }, (_, index) => (index * 2_654_435_761) >>> 24);
  image = await imageOf(documents(), { streams: { postings }, options: { deflate: nodeDeflate() } });
  const sink = new MemorySink();
  const producer: PageProducer = { length: image.length, takePage: (page) => image.readPages(page, 1) };
  await writeContainer(sink, primitives, {
    claims: claimsObject(facts()),
    image: producer,
    slots: [{ secret: KEY }],
  });
  sealed = sink.bytes();
});

async function open(bytes: Uint8Array) {
  return openContainer(new BytesSource(bytes, "test.mdcx"), primitives, { secret: KEY });
}

describe("an image in a sealed package", () => {
  it("is opened by decrypting a handful of chunks, and read by decrypting those that are needed", async () => {
    const container = await open(sealed);
    const { pages } = container;
    const opened = await Image.open(pages, { inflate: nodeInflate });
    expect(pages.chunksDecrypted).toBeLessThan(25);
    let before = pages.chunksDecrypted;
    const document = opened.documentByPath("folder3/document31.md")!;
    // The index of paths, the row, and the pieces of at most two blocks.
    expect(new TextDecoder().decode(opened.documentBytes(document))).toMatch(/^[0-9a-z]+ /);
    expect(pages.chunksDecrypted - before).toBeLessThan(10);
    before = pages.chunksDecrypted;
    opened.stream("postings").read(50 * PIECE + 7, 50 * PIECE + 20);
    expect(pages.chunksDecrypted - before).toBeLessThanOrEqual(2);
    expect(pages.chunksDecrypted).toBeLessThan((0.1 * image.length) / PAGE);
    opened.close();
    await container.close();
  });

  it("is never read past a damaged chunk, whose error comes out by its own name, and is read on elsewhere", async () => {
    const damaged = sealed.slice();
    damaged[damaged.length - 16 - 20 * (PAGE + 16)]! ^= 1;
    const container = await open(damaged);
    const opened = await Image.open(container.pages, { inflate: nodeInflate }).catch((error: unknown) => error);
    const codes = new Set<string>();
    if (opened instanceof Image) {
      const reads = [
        () => opened.stream("postings").read(0, opened.stream("postings").length),
        ...opened.documents().map((document) => () => opened.documentBytes(document)),
      ];
      for (const read of reads) {
        try {
          read();
        } catch (error) {
          codes.add((error as { code: string }).code);
        }
      }
      expect(opened.documentBytes(opened.document(0)).length).toBe(opened.document(0).bytes);
      opened.close();
    }
    expect([...codes]).toEqual(["leaf-damaged"]);
    await container.close();
  });

  it("is read over a source that gives bytes only by promise, by asking again for what was not here", async () => {
    const local = new BytesSource(sealed, "test.mdcx");
    const remote: Source = {
      name: local.name,
      length: local.length,
      read: (offset, length) => local.read(offset, length),
      close: () => local.close(),
    };
    const container = await openContainer(remote, primitives, { secret: KEY });
    const { pages } = container;
    let fetched = 0;
    const asked = async <Result>(ask: () => Result | Promise<Result>): Promise<Result> => {
      for (;;) {
        try {
          return await ask();
        } catch (error) {
          if (!(error instanceof NotHereYet)) throw error;
          fetched++;
          await error.bring();
        }
      }
    };
    const opened = await asked(() => Image.open(pages, { inflate: nodeInflate }));
    const document = await asked(() => opened.documentByPath("folder3/document31.md")!);
    const bytes = await asked(() => opened.documentBytes(document));
    expect(bytes.length).toBe(document.bytes);
    const [passage] = await asked(() => opened.passagesOf(document));
    expect(await asked(() => opened.headingPath(passage!))).toEqual([]);
    expect(fetched).toBeGreaterThan(0);
    expect(fetched).toBeLessThan(20);
    opened.close();
    await container.close();
  });
});
