/** Orama with the text search it comes with, saved by its own plugin in the form that no length of a string limits. */
import { readFileSync, writeFileSync } from "node:fs";
import { HITS, type Engine } from "./engine.js";
import { requirePeer } from "./peers-here.js";

/** What is used of it; its types come with the peers. */
interface Orama {
  readonly create: (options: { schema: Readonly<Record<string, string>> }) => unknown;
  readonly insert: (index: unknown, document: object) => unknown;
  readonly search: (
    index: unknown,
    question: { term: string; limit: number },
  ) => Promise<{ hits: { document: { text: string } }[] }>;
}
interface Persistence {
  persist(index: unknown, format: "seqproto"): Promise<ArrayBuffer>;
  restore(format: "seqproto", data: Uint8Array): Promise<unknown>;
}

const persistence = (): Persistence => requirePeer("@orama/plugin-data-persistence") as Persistence;

export const orama: Engine = {
  build: async ({ lines }, target) => {
    const { create, insert } = requirePeer("@orama/orama") as Orama;
    const index = create({ schema: { text: "string" } });
    for await (const [, text] of lines) await insert(index, { text });
    writeFileSync(target, new Uint8Array(await persistence().persist(index, "seqproto")));
  },
  open: async (target) => {
    const { search } = requirePeer("@orama/orama") as Orama;
    const index = await persistence().restore("seqproto", readFileSync(target));
    return {
      ask: async ({ text }) => (await search(index, { term: text, limit: HITS })).hits.map((hit) => hit.document.text),
      close: () => undefined,
    };
  },
};
