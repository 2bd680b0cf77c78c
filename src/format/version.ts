import { MdcxError } from "../errors.js";

/** First eight bytes of every package of format version 2: "MDCX" and the version as three zeros and a 2. */
export const MAGIC = Uint8Array.of(0x4d, 0x44, 0x43, 0x58, 0, 0, 0, 2);

/** Version 1 kept the length of its header, little-endian, where later versions have zeros and their number. */
const MAX_VERSION_1_HEADER = 1 << 20;

/**
 * Accepts the first bytes of a package of version 2 and refuses all else by name. This is the only place that tells
 * format versions apart, and it does so before any JSON is parsed.
 *
 * @param start the first 8 bytes of the file, or all of them where the file is shorter
 * @param name what to call the file in the message
 */
export function requireVersion2(start: Uint8Array, name: string): void {
  if (start.length === 0) throw new MdcxError("not-a-package", `${name} is empty: it is not an mdcx package.`);
  if (start.length < MAGIC.length || !MAGIC.subarray(0, 4).every((byte, index) => start[index] === byte)) {
    throw new MdcxError("not-a-package", `${name} is not an mdcx package.`);
  }
  const [version, middle] = [start[7]!, start.subarray(4, 7)];
  if (version === 0) {
    const headerLength = middle[0]! | (middle[1]! << 8) | (middle[2]! << 16);
    if (headerLength === 0 || headerLength > MAX_VERSION_1_HEADER) {
      throw new MdcxError("not-a-package", `${name} is not an mdcx package.`);
    }
    throw new MdcxError(
      "version-1",
      `${name} was written by the Python mdcx, version 1, which this reader cannot open yet.`,
    );
  }
  if (version > 2) {
    throw new MdcxError(
      "newer-version",
      `${name} has format version ${version}, which is newer than this reader: install a newer mdcx.`,
    );
  }
  if (version === 1 || middle.some((byte) => byte !== 0)) {
    throw new MdcxError("not-a-package", `${name} is not an mdcx package.`);
  }
}
