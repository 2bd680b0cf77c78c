import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { publicKeyOf } from "../../src/format/signature.js";
import { openPackage, parseSecret, verifyPackage, type Package } from "../../src/index.js";
import { packFolder } from "../../src/pack-entry.js";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const file = at("spec/vectors/whole/harbour.mdcx");
const facts = at("spec/vectors/whole/harbour.json");

/** What spec/vectors/whole/harbour.json says of the package beside it. */
interface WholeVector {
  readonly note: string;
  readonly key: string;
  readonly issuer_public_key: string;
  readonly documents: readonly { readonly path: string; readonly sha256: string }[];
  readonly questions: readonly { readonly query: string; readonly passages: readonly string[] }[];
}

const QUESTIONS = [
  "Where is the spare key of the stilling well?",
  "Ab welcher Eisdicke werden die Luftsprudler eingeschaltet?",
  "Combien de temps surveiller une batterie au lithium éteinte ?",
  "进水孔堵住了怎么办",
  'crane "radius"',
];
// A test key: it is public and protects nothing.
const SIGNING_KEY = new Uint8Array(32).fill(7);

async function answers(pkg: Package): Promise<WholeVector["questions"]> {
  const asked = QUESTIONS.map(async (query) => {
    const { passages } = await pkg.search(query, { limit: 5 });
    return { query, passages: passages.map(({ id }) => id) };
  });
  return Promise.all(asked);
}

function documentsOf(pkg: Package): WholeVector["documents"] {
  return Array.from(pkg.export(), ({ path, bytes }) => ({
    path,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  }));
}

// `npm run vectors` packs it anew, under new random keys; any other run reads the file that is there.
if (process.env.MDCX_WRITE_VECTORS !== undefined) {
  const { key } = JSON.parse(readFileSync(facts, "utf8")) as WholeVector;
  const secret = parseSecret(key);
  await packFolder(at("examples/harbour"), file, {
    slots: [{ secret, label: "test key" }],
    title: "Harbour handbook",
    issuer: "Test issuer",
    signingKey: SIGNING_KEY,
  });
  const pkg = await openPackage(file, { secret });
  const vector: WholeVector = {
    note: "The key is a test key. It is public and protects nothing.",
    key,
    issuer_public_key: Buffer.from(publicKeyOf(SIGNING_KEY)).toString("hex"),
    documents: documentsOf(pkg),
    questions: await answers(pkg),
  };
  await pkg.close();
  writeFileSync(facts, `${JSON.stringify(vector, undefined, 1)}\n`);
}

describe("the whole package in spec/vectors", () => {
  const vector = JSON.parse(readFileSync(facts, "utf8")) as WholeVector;

  it("opens, is signed by its test issuer, and gives its documents and answers", async () => {
    const secret = parseSecret(vector.key);
    const issuerKey = Buffer.from(vector.issuer_public_key, "hex");
    expect((await verifyPackage(file, { secret, issuerKey })).signature).toBe("signed-by-pinned-issuer");
    const pkg = await openPackage(file, { secret, issuerKey });
    expect(documentsOf(pkg)).toEqual(vector.documents);
    expect(await answers(pkg)).toEqual(vector.questions);
    await pkg.close();
  });
});
