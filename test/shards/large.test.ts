import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { parseSecret } from "../../src/index.js";
import { shardFile } from "../../src/shard.js";
import { syntheticDocuments } from "../../bench/synthetic.js";
import { KEY, scratchFolder, withKey } from "../cli/mdcx.js";
import { sharedData } from "../shared-data.js";
import { firstDifference, mounted, questionsAbout } from "./collection.js";

const PASSAGES = 100_000;
const QUESTIONS = 200;
/** Documents that the questions are made of: all would be 80 MB of words. */
const ASKED_FOLDER = "part-003";
const possible = process.env.MDCX_LONG !== undefined && sharedData !== undefined;
// Nothing is cleared up behind a file of which no test runs.
const scratch = possible ? await scratchFolder("large") : "";

it.skipIf(!possible)(
  "100,000 passages packed by the command line into 1, 3 and 16 shards answer 200 questions as one package does",
  async () => {
    const folder = join(scratch, "documents");
    for (const { path, markdown } of syntheticDocuments(sharedData!, PASSAGES)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), markdown);
    }
    const file = join(scratch, "all.mdcx");
    await withKey(["pack", folder, "--target", file]);
    const whole = await mounted([file], parseSecret(KEY));
    expect(whole.packages[0]!.image.passageCount).toBeGreaterThan(0.95 * PASSAGES);
    const questions = questionsAbout(join(folder, ASKED_FOLDER), QUESTIONS);
    for (const count of [1, 3, 16]) {
      const files: string[] = [];
      for (let index = 1; index <= count; index++) {
        await withKey(["pack", folder, "--target", file, "--shard", `${index}/${count}`]);
        files.push(shardFile(file, { index, count }));
      }
      const parts = await mounted(files, parseSecret(KEY));
      expect(parts.packages).toHaveLength(count);
      expect(await firstDifference(whole, parts, questions, { limit: 20 }), `${count} shards`).toBeUndefined();
      await parts.close();
    }
    await whole.close();
  },
  1_800_000,
);
