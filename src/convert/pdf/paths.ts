/** Paths as pdfjs packs them, and the boxes around them. */
import { place, type Matrix } from "./matrix.js";
import type { Box } from "./page.js";

const PATH = { moveTo: 0, lineTo: 1, curveTo: 2, quadraticCurveTo: 3, closePath: 4 } as const;
/** A path of more parts is a trick. */
const MOST_PARTS = 20_000;
/** Paths of more parts are drawings; their parts are not compared. */
const MOST_COMPARED = 200;

export interface Subpath {
  readonly points: (readonly [number, number])[];
  closed: boolean;
  curved: boolean;
}

/** The parts of a packed path. */
export function subpaths(numbers: Float32Array): Subpath[] {
  const parts: Subpath[] = [];
  let part: Subpath | undefined;
  for (let index = 0; index < numbers.length;) {
    const operator = numbers[index]!;
    const size = operator === PATH.curveTo ? 6 : operator === PATH.quadraticCurveTo ? 4 : operator <= 1 ? 2 : 0;
    const x = numbers[index + size - 1];
    const y = numbers[index + size];
    index += size + 1;
    if (operator === PATH.closePath) {
      if (part !== undefined) part.closed = true;
      continue;
    }
    if (x === undefined || y === undefined || !Number.isFinite(x) || !Number.isFinite(y)) break;
    if (operator === PATH.moveTo || part === undefined) {
      if (parts.length > MOST_PARTS) break;
      parts.push((part = { points: [], closed: false, curved: false }));
    }
    if (size > 2) part.curved = true;
    part.points.push([x, y]);
  }
  return parts;
}

/** Rectangles inside one another in one filled path are the two edges of a frame: what they surround is not filled. */
export function framesIn(parts: readonly Subpath[]): Set<Subpath> {
  const frames = new Set<Subpath>();
  if (parts.length < 2 || parts.length > MOST_COMPARED) return frames;
  const boxes = parts.map(({ points }) => bounding(points));
  for (const [index, inner] of boxes.entries()) {
    for (const [at, outer] of boxes.entries()) {
      if (at === index || inner.left < outer.left || inner.right > outer.right) continue;
      if (inner.top < outer.top || inner.bottom > outer.bottom) continue;
      frames.add(parts[index]!).add(parts[at]!);
    }
  }
  return frames;
}

export function boxOf(matrix: Matrix, x1: number, y1: number, x2: number, y2: number): Box {
  return bounding([place(matrix, x1, y1), place(matrix, x2, y1), place(matrix, x1, y2), place(matrix, x2, y2)]);
}

export function bounding(points: readonly (readonly [number, number])[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { left, top, right, bottom };
}
