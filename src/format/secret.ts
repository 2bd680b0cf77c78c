import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { MdcxError } from "../errors.js";
import { H } from "./derive.js";
import type { Primitives } from "./primitives.js";

/** What a person gives to open a package: a passphrase (its NFC in UTF-8) or a random key of 32 bytes. */
export type Secret =
  { readonly kind: "passphrase"; readonly bytes: Uint8Array } | { readonly kind: "key"; readonly bytes: Uint8Array };

/** What every key in text begins with, so that neither a person nor a program takes it for a passphrase. */
export const KEY_PREFIX = "mdcx-key-";

const PASSPHRASE_LIMIT = 1024;
const KEY = 32;
const CHECKSUM = 3;
/** Characters after the prefix: (32 + 3) · 8 / 5. */
const KEY_CHARACTERS = 56;
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * Reads a passphrase or a key. A passphrase is not trimmed. What begins with `mdcx-key-` in any case is a key or a
 * mistyped key, never a passphrase.
 *
 * @param text as typed, or the bytes of a file or of standard input
 * @param options `fromFile`: remove one line end (LF or CRLF), which an editor put there
 * @throws MdcxError `bad-secret`
 */
export function parseSecret(text: string | Uint8Array, options: { readonly fromFile?: boolean } = {}): Secret {
  let given = typeof text === "string" ? text : decode(text);
  if (options.fromFile === true) given = given.replace(/\r?\n$/, "");
  // A lone surrogate has no UTF-8; the encoder would put U+FFFD in its place, and two passphrases would be one.
  if (/[\ud800-\udfff]/u.test(given)) throw new MdcxError("bad-secret", "The passphrase is not valid Unicode text.");
  const composed = given.normalize("NFC");
  if (composed.toLowerCase().startsWith(KEY_PREFIX)) return { kind: "key", bytes: parseKey(composed) };
  const bytes = new TextEncoder().encode(composed);
  if (bytes.length === 0)
    throw new MdcxError("bad-secret", "The passphrase is empty: give one of at least one character.");
  if (bytes.length > PASSPHRASE_LIMIT) {
    throw new MdcxError(
      "bad-secret",
      `The passphrase has ${bytes.length} bytes in UTF-8; at most ${PASSPHRASE_LIMIT} are allowed.`,
    );
  }
  return { kind: "passphrase", bytes };
}

/** A key as text: `mdcx-key-` and 56 characters of base32 (RFC 4648, lower case) of the key and a checksum of 3 bytes. */
export function formatKey(p: Pick<Primitives, "sha256">, key: Uint8Array): string {
  if (key.length !== KEY) throw new MdcxError("internal", `A key has ${KEY} bytes, not ${key.length}.`);
  return KEY_PREFIX + encodeBase32(concatBytes(key, checksum(p, key)));
}

function parseKey(text: string): Uint8Array {
  const bytes = decodeBase32(text.slice(KEY_PREFIX.length));
  // 24 bits against mistyping, not against an attacker: no constant time is needed.
  if (text.startsWith(KEY_PREFIX) && bytes !== undefined) {
    const key = bytes.slice(0, KEY);
    if (checksum(NOBLE, key).every((byte, i) => byte === bytes[KEY + i])) return key;
  }
  throw new MdcxError(
    "bad-secret",
    `This begins like a key but is not one: a key is ${KEY_PREFIX} and ${KEY_CHARACTERS} characters of a–z and 2–7, ` +
      "so look for a missing or mistyped one.",
  );
}

/** The checksum is the same by every implementation, so that a secret can be read before one is chosen. */
const NOBLE: Pick<Primitives, "sha256"> = { sha256: (...parts) => sha256(concatBytes(...parts)) };

function checksum(p: Pick<Primitives, "sha256">, key: Uint8Array): Uint8Array {
  return H(p, "mdcx/2 key text", key).subarray(0, CHECKSUM);
}

function encodeBase32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    bits = ((bits & 0x1f) << 8) | byte;
    for (held += 8; held >= 5; held -= 5) text += BASE32[(bits >> (held - 5)) & 31]!;
  }
  return text;
}

/** The 35 bytes of 56 characters, without any slack: every text of that length decodes to bytes of its own. */
function decodeBase32(text: string): Uint8Array | undefined {
  if (text.length !== KEY_CHARACTERS) return undefined;
  const bytes = new Uint8Array(KEY + CHECKSUM);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const character of text) {
    const value = BASE32.indexOf(character);
    if (value < 0) return undefined;
    bits = ((bits & 0xff) << 5) | value;
    held += 5;
    if (held >= 8) {
      held -= 8;
      bytes[at++] = bits >> held;
    }
  }
  return bytes;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new MdcxError("bad-secret", "The passphrase is not UTF-8 text: save the file as UTF-8.", { cause });
  }
}
