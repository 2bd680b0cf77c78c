import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dropsFrom, readBaseline } from "../../src/evaluation/baseline.js";
import { evaluate, type Evaluation } from "../../src/evaluation/evaluate.js";
import { MOST_WRONGLY_FLAGGED, shares } from "../../src/evaluation/measures.js";
import { readGolden } from "../../src/evaluation/golden.js";
import { openPackage, type Package } from "../../src/index.js";
import { openEncoder, packFolder } from "../../src/pack-entry.js";

const GOLDEN = fileURLToPath(new URL("../../bench/golden", import.meta.url));
// Worth nothing anywhere else; a key, since deriving one from a passphrase takes longer than all questions.
const secret = { kind: "key", bytes: new Uint8Array(32).fill(7) } as const;

describe("the golden set with the model that ships", () => {
  let scratch: string;
  let pkg: Package;
  let evaluation: Evaluation;

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), "mdcx-golden-"));
    const target = join(scratch, "golden.mdcx");
    const encoder = openEncoder();
    await packFolder(join(GOLDEN, "documents"), target, { slots: [{ secret }], encoder });
    await encoder.close();
    pkg = await openPackage(target, { secret });
    evaluation = await evaluate(pkg, readGolden(await readFile(join(GOLDEN, "golden.jsonl"), "utf8")));
  }, 120_000);

  afterAll(async () => {
    await pkg.close();
    await rm(scratch, { recursive: true, force: true });
  });

  it("is answered as well as its baseline says", async () => {
    const baseline = readBaseline(await readFile(join(GOLDEN, "baseline.json"), "utf8"));
    expect(dropsFrom(baseline, evaluation)).toEqual([]);
  });

  it("warns of at most one in twenty of the questions that it answers", () => {
    expect(shares(evaluation.warnings!).wronglyFlagged).toBeLessThanOrEqual(MOST_WRONGLY_FLAGGED);
  });

  it("is answered better by both than by words or meaning alone", () => {
    const { words, meaning, auto } = evaluation.modes;
    expect(auto!.all.mrr).toBeGreaterThan(words!.all.mrr);
    expect(auto!.all.mrr).toBeGreaterThan(meaning!.all.mrr);
  });
});
