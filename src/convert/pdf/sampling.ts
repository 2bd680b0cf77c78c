import type { EngineOptions } from "../engine.js";

/**
 * The pages that are taken of a document where only some are wanted: numbers from 1, ascending, spread evenly, the first
 * and the last among them. The engine and the reader both ask here, so that they read the same pages.
 */
export function sampledPages(total: number, count: number): number[] {
  if (total <= 0 || count <= 0) return [];
  if (count >= total) return Array.from({ length: total }, (_, index) => index + 1);
  if (count === 1) return [1];
  return Array.from({ length: count }, (_, index) => 1 + Math.round((index * (total - 1)) / (count - 1)));
}

/** The pages that `options` ask for, of `total`: numbers from 1, ascending. */
export function wantedPages(total: number, options: Pick<EngineOptions, "pages" | "sample">): number[] {
  const from = Math.max(1, options.pages?.from ?? 1);
  const count = Math.max(0, Math.min(total, options.pages?.to ?? total) - from + 1);
  return sampledPages(count, options.sample ?? count).map((number) => from + number - 1);
}
