import { describe, expect, it } from "vitest";
import { MdcxError } from "../../src/errors.js";
import type { CalibrationRow, Probe } from "../../src/image/records.js";
import { Image } from "../../src/image/reader.js";
import { LIMITS, OPTIONAL_SCHEMA } from "../../src/image/schema.js";
import { ImageWriter } from "../../src/image/writer.js";
import { plain } from "./corpora.js";
import { forgedBySql, forgedBytes, rootOf, writeInteriorPage } from "./forge.js";
import { MemoryPages } from "./memory-pages.js";

const PROBES: Probe[] = Array.from({ length: 6 }, (_, i) => ({
  text: `probe ${i} 漢字`,
  halves: new Uint8Array(768).fill(i + 1),
}));
const QUESTIONS: CalibrationRow[] = [
  { question: "Wie hoch ist die Miete?", similarity: 0.8125 },
  { question: "when is rent due", similarity: 1 },
  { question: "سؤال", similarity: -0.25 },
];

async function written(probes: readonly Probe[], questions: readonly CalibrationRow[]): Promise<MemoryPages> {
  const writer = await ImageWriter.create();
  const { record, bytes, passages } = plain("a.md", "text");
  writer.addDocument(record, bytes, passages);
  writer.addStream("codes", [new Uint8Array(384).fill(3)]);
  writer.addStream("halves", [new Uint8Array(768).fill(4)]);
  writer.addProbes(probes);
  writer.addCalibration(questions);
  return MemoryPages.of(writer.finish());
}

async function tablesOf(pages: MemoryPages, options: { whole?: boolean } = {}) {
  const image = await Image.open(pages, options);
  try {
    return { probes: image.probes(), calibration: image.calibration() };
  } finally {
    image.close();
  }
}

describe("probes and questions of calibration", () => {
  it("come back as they were written, in pages and whole", async () => {
    const pages = await written(PROBES, QUESTIONS);
    for (const whole of [false, true])
      expect(await tablesOf(pages, { whole })).toEqual({ probes: PROBES, calibration: QUESTIONS });
  });

  it("may each be there without the other, and make no table where there are none", async () => {
    expect(await tablesOf(await written(PROBES, []))).toEqual({ probes: PROBES, calibration: [] });
    expect(await tablesOf(await written([], QUESTIONS))).toEqual({ probes: [], calibration: QUESTIONS });
    expect(await tablesOf(await written([], []))).toEqual({ probes: [], calibration: [] });
    for (const { name } of OPTIONAL_SCHEMA) await expect(rootOf(await written([], []), name)).rejects.toThrow();
  });

  it("fill their limits", async () => {
    const probes = Array.from({ length: LIMITS.probes }, () => ({
      text: "é".repeat(LIMITS.probe / 2),
      halves: new Uint8Array(LIMITS.halves),
    }));
    const questions = Array.from({ length: LIMITS.questions }, () => ({
      question: "q".repeat(LIMITS.question),
      similarity: 0.5,
    }));
    const read = await tablesOf(await written(probes, questions));
    expect([read.probes.length, read.calibration.length]).toEqual([LIMITS.probes, LIMITS.questions]);
  });
});

describe("what no reader would take is not written", () => {
  const halves = new Uint8Array(768);
  it.each<[string, string, Probe[], CalibrationRow[]]>([
    ["probes of two lengths", "internal", [PROBES[0]!, { text: "a", halves: new Uint8Array(10) }], []],
    ["a probe without a vector", "internal", [{ text: "a", halves: new Uint8Array(0) }], []],
    ["a vector of half a number", "internal", [{ text: "a", halves: new Uint8Array(3) }], []],
    ["a vector past the limit", "internal", [{ text: "a", halves: new Uint8Array(LIMITS.halves + 2) }], []],
    ["a probe that is too long", "internal", [{ text: "a".repeat(LIMITS.probe + 1), halves }], []],
    ["too many probes", "bad-input", Array.from({ length: LIMITS.probes + 1 }, () => PROBES[0]!), []],
    ["a question that is too long", "bad-input", [], [{ question: "é".repeat(LIMITS.question), similarity: 0 }]],
    ["too many questions", "bad-input", [], Array.from({ length: LIMITS.questions + 1 }, () => QUESTIONS[0]!)],
    ["a similarity above 1", "internal", [], [{ question: "a", similarity: 1.01 }]],
    ["a similarity that is no number", "internal", [], [{ question: "a", similarity: NaN }]],
  ])("%s", async (_what, code, probes, questions) => {
    await expect(written(probes, questions)).rejects.toMatchObject({ code });
  });

  it("either twice, or probes behind the calibration", async () => {
    const orders: ((writer: ImageWriter) => void)[] = [
      (writer) => {
        writer.addProbes(PROBES);
        writer.addProbes(PROBES);
      },
      (writer) => {
        writer.addCalibration(QUESTIONS);
        writer.addCalibration(QUESTIONS);
      },
      (writer) => {
        writer.addCalibration(QUESTIONS);
        writer.addProbes(PROBES);
      },
    ];
    for (const add of orders) {
      const writer = await ImageWriter.create();
      expect(() => {
        add(writer);
      }).toThrow(MdcxError);
    }
  });
});

describe("a forged row is refused when it is read", () => {
  it.each([
    ["a probe missing", "DELETE FROM probes WHERE number=2", /probe 2 is missing/],
    ["a first probe of another number", "DELETE FROM probes WHERE number=0", /probe 0 is missing/],
    ["a probe of a negative number", "UPDATE probes SET number=-1 WHERE number=0", /probe 0 is missing/],
    ["a probe that is a blob", "UPDATE probes SET text=x'00' WHERE number=1", /probe 1 is not text/],
    ["a probe of megabytes", "UPDATE probes SET text=hex(zeroblob(2000000)) WHERE number=1", /probe 1 is not text/],
    ["a vector that is text", "UPDATE probes SET vector='v' WHERE number=1", /vector of probe 1/],
    ["a vector of megabytes", "UPDATE probes SET vector=zeroblob(3000000) WHERE number=1", /vector of probe 1/],
    ["a vector of nothing", "UPDATE probes SET vector=x''", /vector of probe 0/],
    ["a vector of half a number", "UPDATE probes SET vector=zeroblob(767)", /vector of probe 0/],
    ["a shorter vector", "UPDATE probes SET vector=zeroblob(766) WHERE number=1", /another length/],
    [
      "a thousand probes",
      "WITH RECURSIVE n(i) AS (SELECT 6 UNION ALL SELECT i+1 FROM n WHERE i<999) INSERT INTO probes SELECT i,'p',zeroblob(768) FROM n",
      /more than 64/,
    ],
    ["a question missing", "DELETE FROM calibration WHERE number=1", /question 1 is missing/],
    ["a question that is a blob", "UPDATE calibration SET question=x'00' WHERE number=1", /question 1 is not text/],
    ["a question of megabytes", "UPDATE calibration SET question=hex(zeroblob(2000000))", /question 0 is not text/],
    [
      "a similarity that is text",
      "UPDATE calibration SET similarity='much' WHERE number=2",
      /similarity of question 2/,
    ],
    ["a similarity of 2", "UPDATE calibration SET similarity=2 WHERE number=2", /similarity of question 2/],
    ["an endless similarity", "UPDATE calibration SET similarity=-9e999 WHERE number=2", /similarity of question 2/],
    [
      "ten thousand questions",
      "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i+1 FROM n WHERE i<9999) INSERT INTO calibration SELECT i,'q',0.5 FROM n",
      /more than 1024/,
    ],
  ])("%s", async (_what, sql, why) => {
    const forged = await forgedBySql(await written(PROBES, QUESTIONS), sql);
    for (const whole of [false, true])
      await expect(tablesOf(forged, { whole })).rejects.toMatchObject({
        code: "bad-image",
        message: expect.stringMatching(why) as string,
      });
  });

  it.each(["probes", "calibration"])("%s whose pages lead in circles", async (name) => {
    const pages = await written(PROBES, QUESTIONS);
    const root = await rootOf(pages, name);
    const forged = forgedBytes(pages, (bytes) => {
      writeInteriorPage(bytes, root, root, [0, 1, 2]);
    });
    await expect(tablesOf(forged)).rejects.toMatchObject({ code: "bad-image" });
  });

  it("tables in the other order", async () => {
    const other = [...OPTIONAL_SCHEMA].reverse().map(({ sql }) => sql);
    const forged = await forgedBySql(await written([], []), other.join(";"));
    await expect(tablesOf(forged)).rejects.toMatchObject({ code: "bad-image" });
  });
});
