import { readFileSync } from "node:fs";
import { join } from "node:path";
import crypto from "officecrypto-tool";
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { detect } from "../../../src/convert/detect.js";
import { openProtected } from "../../../src/convert/encrypted-office/open.js";
import { sharedData } from "../../shared-data.js";

describe("an Office document protected by a password", () => {
  const inside = Buffer.from(zipSync({ "word/document.xml": strToU8("<w:document/>") }));

  it.each(["agile", "standard"])("opens with its password and only with it (%s encryption)", async (kind) => {
    const bytes = crypto.encrypt(inside, { password: "Pass,word:1", ...(kind === "standard" && { type: "standard" }) });
    expect(detect(bytes, "a.docx")).toEqual({ protected: "office" });
    const opened = await openProtected({ path: "a.docx", bytes, password: "Pass,word:1" });
    expect(Buffer.from(opened).equals(inside)).toBe(true);
    await expect(openProtected({ path: "a.docx", bytes, password: "other" })).rejects.toThrow(
      /password given for a.docx is wrong/,
    );
    await expect(openProtected({ path: "a.docx", bytes })).rejects.toThrow(/a.docx is protected.*--passwords FILE/);
  });

  it("is refused where opening it would take minutes", async () => {
    const bytes = Buffer.from(
      crypto
        .encrypt(inside, { password: "x" })
        .toString("latin1")
        .replace('spinCount="100000"', 'spinCount="999999999"'),
      "latin1",
    );
    await expect(openProtected({ path: "a.docx", bytes, password: "x" })).rejects.toThrow(/rounds of hashing/);
  });
});

// A password costs a hundred thousand rounds of hashing each time.
describe.skipIf(sharedData === undefined || process.env.MDCX_LONG === undefined)(
  "protected files of others (not in the repository)",
  () => {
    it.each([
      ["poi__bug53475-password-is-pass.docx", "pass", "docx"],
      ["poi__protected_agile.docx", "VelvetSweatshop", "docx"],
      ["poi__protected_passtika.xlsx", "tika", "xlsx"],
    ])("open: %s", async (name, password, format) => {
      const bytes = readFileSync(join(sharedData!, "hostile/office-encrypted", name));
      expect(detect(await openProtected({ path: name, bytes, password }), name)).toEqual({ format });
      await expect(openProtected({ path: name, bytes, password: "no" })).rejects.toThrow(/is wrong/);
      await expect(openProtected({ path: name, bytes })).rejects.toThrow(/--passwords FILE/);
    });
  },
);
