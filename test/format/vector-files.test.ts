import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { BytesSource } from "../../src/format/bytes-source.js";
import { openContainer, readHead } from "../../src/format/container.js";
import { unlockHead } from "../../src/format/open.js";
import { PAGE } from "../../src/format/pages.js";
import { primitives as portable } from "../../src/format/portable.js";
import { parseSecret } from "../../src/format/secret.js";
import { primitives } from "../../src/node/primitives.js";
import { outcomesOf } from "./refusals/outcome.js";
import { assemble } from "./refusals/segments.js";
import { sha256, vectorFiles, type RefusalEntry, type ValidVector } from "./refusals/vector-files.js";
import { buildWorld } from "./refusals/world.js";

const folder = new URL("../../spec/vectors/", import.meta.url).pathname;

// `npm run vectors` writes the files anew; any other run compares them.
if (process.env.MDCX_WRITE_VECTORS !== undefined) {
  rmSync(join(folder, "malleability"), { recursive: true, force: true });
  for (const [path, bytes] of await vectorFiles(await buildWorld())) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

const read = (path: string): Uint8Array => new Uint8Array(readFileSync(join(folder, path)));
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

describe("the valid packages in spec/vectors", () => {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".mdcx"))) {
    for (const p of [primitives, portable]) {
      it(`${name} opens with every secret and holds what its JSON says (${p.name})`, async () => {
        const vector = JSON.parse(new TextDecoder().decode(read(name.replace("mdcx", "json")))) as ValidVector;
        const source = new BytesSource(read(name));
        expect(sha256(read(name))).toBe(vector.file_sha256);
        const head = await readHead(source, p);
        expect({
          claims: new TextDecoder().decode(head.claimsBytes),
          claims_digest: hex(head.claimsDigest),
          root: hex(head.root),
          image_length: head.imageLength,
          issuer_public_key: head.claims.issuer?.publicKey ? hex(head.claims.issuer.publicKey) : null,
        }).toEqual({
          claims: vector.claims,
          claims_digest: vector.claims_digest,
          root: vector.root,
          image_length: vector.image_length,
          issuer_public_key: vector.issuer_public_key,
        });
        for (const text of [vector.key, ...(vector.passphrase === null ? [] : [vector.passphrase])]) {
          const secret = parseSecret(text);
          expect(hex((await unlockHead(source, p, { secret })).fileKey)).toBe(vector.file_key);
          const { pages } = await openContainer(source, p, { secret });
          for (const [page, digest] of vector.page_sha256.entries()) {
            expect(sha256(pages.readPages(page, 1))).toBe(digest);
          }
          expect(pages.length).toBe(vector.page_sha256.length * PAGE);
        }
      });
    }
  }
});

describe("the files in spec/vectors/malleability", () => {
  const manifest = JSON.parse(new TextDecoder().decode(read("malleability/MANIFEST.json"))) as {
    cases: RefusalEntry[];
  };

  for (const { id, segments, length, sha256: digest, expect: expected } of manifest.cases) {
    it(`${id} is answered as listed`, async () => {
      const bytes = assemble(segments, (file) => read(join("malleability", file)));
      expect(bytes.length).toBe(length);
      expect(sha256(bytes)).toBe(digest);
      expect(await outcomesOf(bytes)).toEqual(expected);
    });
  }

  it("are those that are forged here, byte for byte", async () => {
    const files = await vectorFiles(await buildWorld());
    // The whole package has random keys: test/package/whole-vector.test.ts reads it.
    const stored = (readdirSync(folder, { recursive: true }) as string[]).filter(
      (path) => /\.\w+$/.test(path) && !path.startsWith("whole"),
    );
    expect(stored.length).toBe(files.size + 1);
    for (const [path, bytes] of files) expect(Buffer.compare(read(path), bytes), path).toBe(0);
  });
});
