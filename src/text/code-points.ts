/** Order of strings by their code points, which is the order of their UTF-8 bytes and another than JavaScript's own. */
export function compareCodePoints(a: string, b: string): number {
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
