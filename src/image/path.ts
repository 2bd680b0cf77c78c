/**
 * Whether a document's path may be written into an image, and stays inside the folder to which it is exported: relative,
 * `/` between its parts, no part empty, `.` or `..`, no NUL, no backslash (a separator on Windows), no drive letter.
 */
export function isSafePath(path: string): boolean {
  if (path === "" || /[\0\\]/.test(path) || /^[A-Za-z]:/.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** Order of paths by their UTF-8 bytes, which is the order of their code points. */
export function comparePaths(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x === y) continue;
    // UTF-16 sorts surrogates (above U+FFFF) below U+E000 to U+FFFF; UTF-8 sorts them above.
    return rank(x) - rank(y);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
