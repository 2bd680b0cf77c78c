import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatKey } from "../../src/format/secret.js";
import { openPackage, type Package } from "../../src/index.js";
import type { EncoderDescription } from "../../src/meaning/encoder.js";
import { languageLevels } from "../../src/meaning/language-means.js";
import { scalarRows } from "../../src/meaning/scan/scan.js";
import { openEncoder } from "../../src/node/encoder/open.js";
import { primitives } from "../../src/node/primitives.js";
import type { Reply } from "../../src/reply.js";
import { dot, rows } from "../meaning/encoder-suite.js";
import { KEY, packed } from "../package/in-memory.js";
import { chromiumPath, withoutChromium } from "./chromium.js";
import { PAPERS, QUESTIONS } from "./folder.js";
import type { PageUnderTest } from "./page.js";
import { openSite, type Site } from "./site.js";

/**
 * How far cosines of one question to two passages may lie apart and yet change places. Both runtimes multiply bytes alike
 * and add floats in another order, which tips the rounding of a few activations: vectors agree to cosines of .9977 and
 * better, and a question's similarities to .0015, measured on these texts.
 */
const EQUALLY_NEAR = 0.005;

const TEXTS = [
  "The lease of the warehouse ends on 31 March.",
  "Der Mietvertrag für das Lager endet am 31. März.",
  "Договор аренды склада заканчивается 31 марта.",
  "倉庫の賃貸借契約は三月三十一日に終了する。",
  "ينتهي عقد إيجار المستودع في 31 مارس.",
  "गोदाम का पट्टा 31 मार्च को समाप्त होता है।",
  "Depo kira sözleşmesi 31 Mart'ta sona eriyor.",
  "ὁ δὲ ἀνεξέταστος βίος οὐ βιωτὸς ἀνθρώπῳ",
  "E-4711: valve stuck; see §3.2 (rev. B)",
  "🦆 ﬁne Straße İstanbul",
  "",
  "The quay wall was inspected. ".repeat(90),
];

describe.skipIf(chromiumPath === undefined)(`in a browser${withoutChromium}`, () => {
  let site: Site;
  let here: Package;
  const encoder = openEncoder(undefined, { threads: 1 });
  beforeAll(async () => {
    const { bytes } = await packed(PAPERS, { meaning: { encoder } });
    here = await openPackage(bytes, { secret: KEY, encoder: () => encoder });
    site = await openSite({ "/package.mdcx": bytes });
    await inPage("open", formatKey(primitives, KEY.bytes));
  });
  afterAll(async () => {
    await site.close();
    await here.close();
    await encoder.close();
  });
  /** By document, each of which is one passage or has its best one counted: how near it is to a question within its language, here. */
  async function nearness(question: string): Promise<Map<string, number>> {
    const vector = (await encoder.encode([question], "query")).vectors;
    const levels = languageLevels(vector, [here.meaning.languageMeans]);
    const best = new Map<string, number>();
    for (let i = 0; i < here.image.passageCount; i++) {
      const { path, language } = here.image.document(here.image.passages([i])[0]!.document);
      const near = dot(here.meaning.vectors!.vector(i), vector) - (levels.get(language) ?? 0);
      best.set(`@/${path}`, Math.max(best.get(`@/${path}`) ?? -1, near));
    }
    return best;
  }
  const inPage = <T>(call: string, ...values: unknown[]): Promise<T> =>
    site.page.evaluate(`mdcxPage.${call}(...${JSON.stringify(values)})`);

  it("every document comes out byte for byte", async () => {
    expect(await inPage("export")).toEqual(PAPERS);
  });

  it("the model is the one that Node has, and is trusted by the package's probes", async () => {
    expect(await inPage<EncoderDescription>("describe")).toEqual(await encoder.describe());
    expect(await inPage("state")).toEqual(await here.meaning.state());
    expect(await here.meaning.state()).toMatchObject({ state: "available" });
  });

  it("the model makes the vectors that it makes in Node", async () => {
    const { dimensions } = await encoder.describe();
    const texts = { query: TEXTS.slice(0, 4), passage: TEXTS };
    for (const role of ["query", "passage"] as const) {
      const near = rows((await encoder.encode(texts[role], role)).vectors, dimensions);
      const far = rows(Float32Array.from(await inPage<number[]>("encode", texts[role], role)), dimensions);
      expect(far).toHaveLength(texts[role].length);
      for (const [i, text] of texts[role].entries()) expect(dot(near[i]!, far[i]!), text).toBeGreaterThan(0.99);
    }
  });

  it("words give the very reply that they give in Node", async () => {
    for (const [question] of QUESTIONS)
      expect(await inPage("ask", question, { mode: "words" })).toEqual(await here.search(question, { mode: "words" }));
  });

  it.each(["meaning", "auto"] as const)(
    "of the same vector, %s makes the very reply that it makes in Node",
    async (mode) => {
      for (const [question] of QUESTIONS) {
        const vector = Array.from((await encoder.encode([question], "query")).vectors);
        expect(await inPage("askTold", question, { mode }, vector)).toEqual(await here.search(question, { mode }));
      }
    },
  );

  it("a question finds the same passages in the same order, but for those that are equally near", async () => {
    let right = 0;
    for (const [question, document] of QUESTIONS) {
      const near = await here.search(question, { mode: "meaning" });
      const far = await inPage<Reply>("ask", question, { mode: "meaning" });
      const known = await nearness(question);
      const found = far.passages.map((passage) => known.get(passage.document)!);
      expect(found).toHaveLength(near.passages.length);
      for (const [i, one] of found.slice(1).entries()) expect(one, question).toBeLessThan(found[i]! + EQUALLY_NEAR);
      expect(Math.min(...found) + EQUALLY_NEAR).toBeGreaterThan(known.get(near.passages.at(-1)!.document)!);
      expect(far.passages[0], question).toEqual(near.passages[0]);
      const fused = await here.search(question);
      expect((await inPage<Reply>("ask", question, {})).passages[0], question).toEqual(fused.passages[0]);
      if (fused.passages[0]?.document === `@/${document}`) right++;
      expect(far.similarity).toBeCloseTo(near.similarity!, 2);
    }
    // Answers that are all the same would prove little if they were wrong.
    expect(right).toBeGreaterThanOrEqual(9);
  });

  it("WebAssembly scans the vectors, and gives what JavaScript gives, there and here", async () => {
    const codes = Array.from({ length: 7 * 384 }, (_, i) => ((i * 7919) % 255) - 127);
    const query = Array.from({ length: 384 }, (_, i) => ((i * 104_729) % 2_001) - 1_000);
    const { wasm, scalar } = await inPage<ReturnType<PageUnderTest["scan"]>>("scan", codes, query);
    expect(wasm).toEqual(scalar);
    const rows = scalarRows(7, 384);
    rows.codes.set(codes);
    rows.scales.fill(0.01);
    rows.reaches.fill(0.02);
    expect(wasm).toEqual(Array.from(rows.scan({ query: Int16Array.from(query), base: 0.5, factor: 0.001 })));
  });

  it("asks nothing of any other host, nothing large twice, and no error is left", () => {
    const { origin } = new URL(site.page.url());
    expect(site.requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith("blob:"))).toEqual([]);
    expect(site.requests.filter((url) => url.endsWith(".onnx"))).toHaveLength(1);
    expect(site.errors).toEqual([]);
  });
});
