import type { TextItem } from "./page.js";

/** A large first letter that stands over several lines, put to the word that it begins. */
export function raiseCaps(items: readonly TextItem[]): readonly TextItem[] {
  const caps = items.filter((item) => item.rotation === 0 && /^["“«]?\p{Lu}$/u.test(item.text) && item.fontSize > 18);
  if (caps.length === 0) return items;
  const result = [...items];
  for (const cap of caps.slice(0, 50)) {
    const beside = items.filter(
      (item) =>
        item !== cap &&
        item.fontSize < 0.6 * cap.fontSize &&
        item.x >= cap.x + cap.width - 2 &&
        item.x < cap.x + cap.width + 1.2 * item.fontSize &&
        item.baseline < cap.baseline + 2 &&
        item.baseline > cap.y - item.fontSize,
    );
    // At least two lines stand beside it, else it is a large letter in a line.
    const first = beside.reduce<TextItem | undefined>(
      (top, item) => (top === undefined || item.baseline < top.baseline ? item : top),
      undefined,
    );
    if (first === undefined || !beside.some((item) => item.baseline > first.baseline + first.fontSize)) continue;
    result[items.indexOf(first)] = {
      ...first,
      text: cap.text + first.text,
      x: cap.x,
      width: first.x + first.width - cap.x,
    };
    result[items.indexOf(cap)] = { ...first, text: "" };
  }
  return result.filter(({ text }) => text !== "");
}
