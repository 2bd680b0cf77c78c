import { createPrivateKey, createPublicKey, generateKeyPairSync, sign as nodeSign } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { publicKeyOf, verifySignature } from "../../src/format/signature.js";
import { readIssuerKey, readSigningKey, writeKeyPair } from "../../src/node/key-files.js";
import { primitives } from "../../src/node/primitives.js";
import { configFolder, TrustStore } from "../../src/node/trust.js";

let folder: string;
const at = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mdcx-test-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("an issuer's key pair", () => {
  it("is written as PEM that OpenSSL reads, the private key for its owner only, and reads back", async () => {
    const publicKey = await writeKeyPair(primitives, at("a.key"), at("a.pub"));
    const secretKey = await readSigningKey(at("a.key"));
    expect(publicKeyOf(secretKey)).toEqual(publicKey);
    expect(await readIssuerKey(at("a.pub"))).toEqual(publicKey);
    expect((await stat(at("a.key"))).mode & 0o777).toBe(0o600);
    const message = Buffer.from("message");
    const signature = nodeSign(null, message, createPrivateKey(await readFile(at("a.key"), "utf8")));
    expect(verifySignature(publicKey, message, signature)).toBe(true);
    expect(createPublicKey(await readFile(at("a.pub"), "utf8")).asymmetricKeyType).toBe("ed25519");
  });

  it("never replaces a file, and leaves no half pair", async () => {
    await writeFile(at("a.pub"), "mine");
    await expect(writeKeyPair(primitives, at("a.key"), at("a.pub"))).rejects.toThrow(/exists already/);
    expect(await readdir(folder)).toEqual(["a.pub"]);
    expect(await readFile(at("a.pub"), "utf8")).toBe("mine");
    await writeFile(at("b.key"), "mine");
    await expect(writeKeyPair(primitives, at("b.key"), at("b.pub"))).rejects.toThrow(/exists already/);
    expect(await readFile(at("b.key"), "utf8")).toBe("mine");
  });

  it("reads as 64 hex digits too, in a file or as they are", async () => {
    const hex = "ab".repeat(32);
    await writeFile(at("hex"), `${hex}\n`);
    const bytes = new Uint8Array(32).fill(0xab);
    expect(await readSigningKey(at("hex"))).toEqual(bytes);
    expect(await readIssuerKey(at("hex"))).toEqual(bytes);
    expect(await readIssuerKey(hex)).toEqual(bytes);
  });

  it("is not taken the wrong way round, of another kind, or from something else", async () => {
    await writeKeyPair(primitives, at("a.key"), at("a.pub"));
    await expect(readSigningKey(at("a.pub"))).rejects.toThrow(/is a public key/);
    await expect(readIssuerKey(at("a.key"))).rejects.toThrow(/is a private key/);
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    await writeFile(at("ec.key"), privateKey.export({ format: "pem", type: "pkcs8" }));
    await writeFile(at("ec.pub"), publicKey.export({ format: "pem", type: "spki" }));
    await expect(readSigningKey(at("ec.key"))).rejects.toThrow(/Ed25519/);
    await expect(readIssuerKey(at("ec.pub"))).rejects.toThrow(/Ed25519/);
    await writeFile(at("text"), "not a key");
    await expect(readSigningKey(at("text"))).rejects.toThrow(/neither/);
    await expect(readIssuerKey(at("text"))).rejects.toThrow(/neither/);
    await expect(readIssuerKey(at("none"))).rejects.toMatchObject({ code: "not-found" });
    await writeFile(at("large"), "x".repeat(20_000));
    await expect(readIssuerKey(at("large"))).rejects.toThrow(/too large/);
  });
});

describe("the list of trusted issuers", () => {
  const one = new Uint8Array(32).fill(1);
  const two = new Uint8Array(32).fill(2);

  it("keeps names and keys, each once, over processes", async () => {
    expect(await new TrustStore(at("config")).list()).toEqual([]);
    await new TrustStore(at("config")).add("Ada", one);
    await new TrustStore(at("config")).add("Grace", two);
    const store = new TrustStore(at("config"));
    expect(await store.list()).toEqual([
      { name: "Ada", publicKey: one },
      { name: "Grace", publicKey: two },
    ]);
    expect(await store.nameOf(two)).toBe("Grace");
    await expect(store.add("Eve", one)).rejects.toThrow(/trusted already, as "Ada"/);
    await expect(store.add("Ada", new Uint8Array(32))).rejects.toThrow(/remove it first/);
    await expect(store.add("\u202eevil", new Uint8Array(32))).rejects.toMatchObject({ code: "bad-input" });
    await store.remove("Ada");
    expect(await store.nameOf(one)).toBeUndefined();
    await expect(store.remove("Ada")).rejects.toMatchObject({ code: "not-found" });
  });

  it("says when its file is damaged instead of trusting nobody in silence", async () => {
    for (const text of ["", "[]", '{"issuers":[{"name":"x"}]}', '{"issuers":[{"name":"x","public_key":"00"}]}']) {
      await writeFile(at("issuers.json"), text);
      await expect(new TrustStore(folder).list()).rejects.toThrow(/is damaged/);
    }
  });

  it("lies in the folder that the environment names", () => {
    expect(configFolder({ MDCX_CONFIG: "/x" })).toBe("/x");
    if (process.platform !== "win32") expect(configFolder({ XDG_CONFIG_HOME: "/y" })).toBe("/y/mdcx");
  });
});
