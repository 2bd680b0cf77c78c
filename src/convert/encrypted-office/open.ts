/** Office documents that are encrypted as a whole: an OLE2 file around the zip archive ([MS-OFFCRYPTO]). */
import type { Original } from "../engine.js";
import { optional } from "../../node/optional-package.js";
import { refuse } from "../refusal.js";
import { latin1, startsWith } from "../signatures.js";

/**
 * Rounds of hashing that a password may cost. Office writes 100,000; the format allows ten million, which would keep a
 * worker busy for minutes before the first byte is read.
 */
const MOST_ROUNDS = 1_000_000;

/**
 * The document inside, for the engine of its own format.
 *
 * @throws MdcxError `refused` without a password, with a wrong one, and where the encryption is none that is known
 */
export async function openProtected(original: Original): Promise<Uint8Array> {
  const { bytes, path, password } = original;
  const text = latin1(bytes, 0, bytes.length);
  if (text.includes(Buffer.from("DRMEncryptedTransform", "utf16le").toString("latin1")))
    refuse(`${path} is protected by rights management, not by a password: save a copy without protection.`);
  if (password === undefined || password === "")
    refuse(`${path} is protected by a password: give it in a file with --passwords FILE.`);
  const rounds = Number(/spinCount="(\d{1,15})"/.exec(text)?.[1] ?? 0);
  if (rounds > MOST_ROUNDS)
    refuse(`${path} asks for ${rounds.toLocaleString("en")} rounds of hashing to open it: save it again with Office.`);
  const { default: crypto } = await optional(`Opening ${path}`, () => import("officecrypto-tool"));
  let inside: Uint8Array;
  try {
    inside = await crypto.decrypt(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { password });
  } catch (cause) {
    const said = (cause as Error).message;
    if (/password/i.test(said)) refuse(`The password given for ${path} is wrong.`, { cause });
    refuse(`${path} is encrypted in a way that is not known here: save it again without a password.`, { cause });
  }
  if (!startsWith(inside, "PK")) refuse(`The password given for ${path} is wrong, or the file is damaged.`);
  return inside;
}
