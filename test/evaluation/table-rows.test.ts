import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPackage, type Package } from "../../src/index.js";
import { openEncoder } from "../../src/pack-entry.js";
import { KEY, packed } from "../package/in-memory.js";

const ELEMENTS =
  `hydrogen helium lithium beryllium boron carbon nitrogen oxygen fluorine neon sodium magnesium aluminium silicon
  phosphorus sulphur chlorine argon potassium calcium scandium titanium vanadium chromium manganese iron cobalt nickel copper zinc
  gallium germanium arsenic selenium bromine krypton rubidium strontium yttrium zirconium niobium molybdenum technetium ruthenium
  rhodium palladium silver cadmium indium tin antimony tellurium iodine xenon caesium barium lanthanum cerium praseodymium neodymium
  promethium samarium europium gadolinium terbium dysprosium holmium erbium thulium ytterbium lutetium hafnium tantalum tungsten
  rhenium osmium iridium platinum gold mercury thallium lead bismuth polonium astatine radon francium radium actinium thorium`.split(
    /\s+/,
  );

/** Two tables of ninety rows that begin with the same words: what a row says, only the header tells. */
const STORE = [
  "# The teaching collection",
  "",
  "| Element | Shelf of its bottle |",
  "| --- | --- |",
  ...ELEMENTS.map((element, i) => `| ${element} | ${1 + (i % 12)}, ${i % 2 === 0 ? "left" : "right"} |`),
  "",
  "The prices are those of the supplier's list of last spring, and hold for the smallest amount that is sold.",
  "",
  "| Element | Price of one gram |",
  "| --- | --- |",
  ...ELEMENTS.map((element, i) => `| ${element} | ${((i * 37) % 90) + 1}.${(i * 7) % 10}0 |`),
  "",
].join("\n");

describe("a table of ninety rows", () => {
  let pkg: Package;
  const encoder = openEncoder();

  beforeAll(async () => {
    const { bytes } = await packed({ "store.md": STORE }, { meaning: { encoder } });
    pkg = await openPackage(bytes, { secret: KEY, encoder: () => encoder });
  });
  afterAll(() => pkg.close());

  it.each([
    ["What is the price of one gram of mercury?", "mercury", "Price of one gram"],
    ["On which shelf is the bottle of mercury?", "mercury", "Shelf of its bottle"],
    ["How much does a gram of lead cost?", "lead", "Price of one gram"],
    ["Where does the bottle with lead stand?", "lead", "Shelf of its bottle"],
  ])("is found by meaning at the row past the eightieth that answers: %s", async (question, row, header) => {
    expect(ELEMENTS.indexOf(row)).toBeGreaterThanOrEqual(79);
    for (const mode of ["meaning", "auto"] as const) {
      const [first] = (await pkg.search(question, { mode })).passages;
      expect(first?.kind).toBe("table");
      expect(first?.text).toContain(`| ${row} |`);
      // The row's passage does not hold the header: it was embedded with it.
      expect(first?.text).not.toContain(header);
      expect(first?.header).toContain(header);
    }
  });
});
