/** Pages and texts that stand on their side, turned so that they stand upright: then one layout does for all of them. */
import type { Box, TextItem } from "./page.js";

/** How text runs that is to be turned upright; `columns` is vertical writing, whose columns become lines. */
export type Turn = 0 | 90 | 180 | 270 | "columns";

/** A box of a page of this size, on the turned page. */
export function turnBox<T extends Box>(box: T, turn: Turn, width: number, height: number): T {
  const { left, top, right, bottom } = box;
  switch (turn) {
    case 0:
      return box;
    case 90:
    case "columns":
      return { ...box, left: top, right: bottom, top: width - right, bottom: width - left };
    case 180:
      return { ...box, left: width - right, right: width - left, top: height - bottom, bottom: height - top };
    case 270:
      return { ...box, left: height - bottom, right: height - top, top: left, bottom: right };
  }
}

/** An item, on the turned page. */
export function turnItem<T extends TextItem>(item: T, turn: Turn, width: number, height: number): T {
  if (turn === 0) return item;
  const box = turnBox(
    { left: item.x, top: item.y, right: item.x + item.width, bottom: item.y + item.height },
    turn,
    width,
    height,
  );
  const rotation =
    turn === "columns" || item.vertical ? 0 : (((item.rotation - turn + 360) % 360) as TextItem["rotation"]);
  const tall = box.bottom - box.top;
  return {
    ...item,
    x: box.left,
    y: box.top,
    width: box.right - box.left,
    height: tall,
    // A fifth of an upright line lies below its baseline, as words.ts makes its boxes.
    baseline: rotation === 0 ? box.bottom - 0.22 * tall : box.bottom,
    rotation,
  };
}

/** Width and height of the turned page. */
export function turnSize(turn: Turn, width: number, height: number): readonly [number, number] {
  return turn === 0 || turn === 180 ? [width, height] : [height, width];
}
