import { afterAll, expect, it } from "vitest";
import { openPackage } from "../../src/index.js";
import { openEncoder } from "../../src/node/encoder/open.js";
import { KEY, packed } from "../package/in-memory.js";
import { RememberingEncoder } from "../package/remembering.js";

const real = openEncoder();
const encoder = new RememberingEncoder(real);
afterAll(() => real.close());

const TEXT =
  "# Dredging\n\nThe eastern basin was dredged to nine metres by the contractor, who was paid forty thousand crowns.\n";

it("of editions that say the very same the newest comes first, though their front matter differs in the date", async () => {
  const { bytes } = await packed(
    {
      "a.md": `---\ndate: 2001\n---\n${TEXT}`,
      "b.md": `---\ndate: 2020-02\n---\n${TEXT}`,
      "c.md": TEXT,
      "d.md": "---\ndate: 2025\n---\n# Bread\n\nKnead the dough for ten minutes and let it rise overnight.\n",
    },
    { meaning: { encoder } },
  );
  const pkg = await openPackage(bytes, { secret: KEY, encoder: () => encoder });
  const question = "To what depth was the eastern basin dredged?";
  const paths = async (prefer?: "recent"): Promise<string[]> =>
    (await pkg.search(question, prefer && { prefer })).passages.map(({ document }) => document);
  const [plain, recent] = [await paths(), await paths("recent")];
  expect(plain[0]).toBe("@/a.md");
  expect(recent.slice(0, 2)).toEqual(["@/b.md", "@/a.md"]);
  expect([...recent].sort()).toEqual([...plain].sort());
  await pkg.close();
}, 60_000);
