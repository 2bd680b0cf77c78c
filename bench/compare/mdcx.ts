/** mdcx as a library, for what is measured inside a process; it is packed and first asked by its own command line. */
import { openPackage } from "../../src/index.js";
import { openEncoder } from "../../src/node/encoder/open.js";
import { VectorCache } from "../vector-cache.js";
import { HITS, type Engine } from "./engine.js";

/** @param meaning asks by both, with the vectors of questions kept from an earlier run (MDCX_BENCH_CACHE) */
export function mdcx(meaning: boolean): Pick<Engine, "open"> {
  return {
    open: async (target) => {
      const encoder = meaning ? (await VectorCache.open(openEncoder())).asEncoder() : undefined;
      const pkg = await openPackage(target, {
        secret: process.env.MDCX_KEY!,
        ...(encoder !== undefined && { encoder: () => encoder }),
      });
      const mode = meaning ? "auto" : "words";
      return {
        ask: async ({ text }) => {
          const { passages, meaningUnavailable } = await pkg.search(text, { mode, limit: HITS });
          const missing = Object.values(meaningUnavailable ?? {})[0];
          if (missing !== undefined) throw new Error(`Meaning was not asked: ${JSON.stringify(missing)}`);
          return passages.map((hit) => hit.text);
        },
        close: () => pkg.close(),
      };
    },
  };
}
