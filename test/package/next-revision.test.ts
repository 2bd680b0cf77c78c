import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readStatement } from "../../src/index.js";
import { packDocuments } from "../../src/pack-entry.js";
import { documentsOf, KEY } from "./in-memory.js";

describe("the next revision of a signed package", () => {
  // A test key: worth nothing anywhere else.
  const signingKey = new Uint8Array(32).fill(9);
  const documents = documentsOf({ "a.md": "# Tides\n\nThe tide gauge stands at the pier." });
  const slots = [{ secret: KEY }];
  let scratch: string;
  let target: string;
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), "mdcx-revision-"));
    target = join(scratch, "a.mdcx");
    await packDocuments(documents, target, { slots, issuer: "Office", signingKey });
  });
  afterAll(() => rm(scratch, { recursive: true, force: true }));

  const reuse = { secret: KEY };

  it("is refused without that key, or with another, and the old one stays", async () => {
    const before = await readFile(target);
    const again = { slots, reuse: { file: target, ...reuse } };
    await expect(packDocuments(documents, target, again)).rejects.toThrow(/signed by the same key.*--new-id/);
    const other = { issuer: "Office", signingKey: new Uint8Array(32).fill(8) };
    await expect(packDocuments(documents, target, { ...again, ...other })).rejects.toThrow(/signed by the same key/);
    expect(await readFile(target)).toEqual(before);
  });

  it("keeps the id with the key; a package of its own needs none", async () => {
    const old = (await readStatement(target)).claims;
    const next = join(scratch, "b.mdcx");
    const again = { file: target, ...reuse };
    await packDocuments(documents, next, { slots, issuer: "Office", signingKey, reuse: again });
    expect((await readStatement(next)).claims).toMatchObject({ packageId: old.packageId, revision: 2 });
    await packDocuments(documents, next, { slots, reuse: { ...again, newId: true } });
    const own = (await readStatement(next)).claims;
    expect(own.packageId).not.toBe(old.packageId);
    expect(own.revision).toBe(1);
  });
});
