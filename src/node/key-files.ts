import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { open, readFile, unlink } from "node:fs/promises";
import { MdcxError } from "../errors.js";
import type { Primitives } from "../format/primitives.js";
import { publicKeyOf } from "../format/signature.js";
import { ioError } from "./io-error.js";

/** DER of RFC 8410 before the 32 bytes of an Ed25519 key: a PKCS#8 private key and an SPKI public key. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
const SPKI = Buffer.from("302a300506032b6570032100", "hex");
/** A key file is a few hundred bytes; a larger one is something else. */
const MAX_KEY_FILE = 16_384;

/**
 * Makes an issuer's Ed25519 pair: the private key as PKCS#8 PEM, readable by its owner only, the public one as SPKI PEM.
 * Never replaces a file.
 *
 * @returns the public key, 32 bytes
 * @throws MdcxError `bad-input` where one of the files exists
 */
export async function writeKeyPair(p: Primitives, privatePath: string, publicPath: string): Promise<Uint8Array> {
  const secretKey = p.randomBytes(32);
  const publicKey = publicKeyOf(secretKey);
  await writeNew(privatePath, pem("PRIVATE KEY", Buffer.concat([PKCS8, secretKey])), 0o600);
  secretKey.fill(0);
  try {
    await writeNew(publicPath, pem("PUBLIC KEY", Buffer.concat([SPKI, publicKey])), 0o644);
  } catch (error) {
    // Half a pair is of no use, and the next try would stumble over it.
    await unlink(privatePath);
    throw error;
  }
  return publicKey;
}

/** A signing key (32 bytes) from a file: PKCS#8 PEM, or 64 hex digits. */
export async function readSigningKey(path: string): Promise<Uint8Array> {
  const text = await readKeyText(path);
  const raw = fromHex(text);
  if (raw) return raw;
  if (text.includes("BEGIN PUBLIC KEY")) {
    throw new MdcxError("bad-input", `${path} is a public key: give the private key that belongs to it.`);
  }
  return rawKey(() => createPrivateKey(text), "d", path);
}

/** An issuer's public key (32 bytes), as users give it: 64 hex digits, or a file that holds them or an SPKI PEM. */
export async function readIssuerKey(fileOrHex: string): Promise<Uint8Array> {
  return fromHex(fileOrHex) ?? parsePublicKey(await readKeyText(fileOrHex), fileOrHex);
}

/**
 * An issuer's public key from its text: SPKI PEM, or 64 hex digits.
 *
 * @param what what to call it in a message
 */
export function parsePublicKey(text: string, what: string): Uint8Array {
  const raw = fromHex(text);
  if (raw) return raw;
  // OpenSSL would derive the public key, and people would carry the private one about as if it were public.
  if (text.includes("PRIVATE KEY")) {
    throw new MdcxError("bad-input", `${what} is a private key: give the public key, and keep this one to yourself.`);
  }
  return rawKey(() => createPublicKey(text), "x", what);
}

function rawKey(parse: () => KeyObject, member: "d" | "x", what: string): Uint8Array {
  let key: KeyObject;
  try {
    key = parse();
  } catch (cause) {
    const form = member === "d" ? "a private key in PEM" : "a public key in PEM";
    throw new MdcxError("bad-input", `${what} is neither ${form} nor 64 hex digits.`, { cause });
  }
  if (key.asymmetricKeyType !== "ed25519") {
    const type = key.asymmetricKeyType ?? "another kind";
    throw new MdcxError("bad-input", `${what} is a key for ${type}: mdcx signs with Ed25519, see mdcx keygen.`);
  }
  return new Uint8Array(Buffer.from(key.export({ format: "jwk" })[member]!, "base64url"));
}

function fromHex(text: string): Uint8Array | undefined {
  const trimmed = text.trim();
  return /^[0-9a-fA-F]{64}$/.test(trimmed) ? new Uint8Array(Buffer.from(trimmed, "hex")) : undefined;
}

async function readKeyText(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw ioError(error, "read", path);
  }
  if (bytes.length > MAX_KEY_FILE) throw new MdcxError("bad-input", `${path} is too large for a key.`);
  return bytes.toString("latin1");
}

async function writeNew(path: string, text: string, mode: number): Promise<void> {
  try {
    const handle = await open(path, "wx", mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      throw new MdcxError("bad-input", `${path} exists already: keys are never overwritten, choose another name.`);
    }
    throw ioError(error, "write", path);
  }
}

function pem(label: string, der: Buffer): string {
  return `-----BEGIN ${label}-----\n${der.toString("base64")}\n-----END ${label}-----\n`;
}
