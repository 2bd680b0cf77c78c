/** MiniSearch as it comes, saved as its documentation says: one JSON. */
import { readFileSync, writeFileSync } from "node:fs";
import MiniSearch from "minisearch";
import { HITS, type Engine } from "./engine.js";

const OPTIONS = { fields: ["text"], storeFields: ["text"] };

export const miniSearch: Engine = {
  build: async ({ lines }, target) => {
    const index = new MiniSearch<{ id: number; text: string }>(OPTIONS);
    let id = 0;
    for await (const [, text] of lines) index.add({ id: id++, text });
    writeFileSync(target, JSON.stringify(index));
  },
  open: (target) => {
    const index = MiniSearch.loadJSON<{ id: number; text: string }>(readFileSync(target, "utf8"), OPTIONS);
    return Promise.resolve({
      ask: ({ text }) =>
        index
          .search(text)
          .slice(0, HITS)
          .map((hit) => String(hit.text)),
      close: () => undefined,
    });
  },
};
