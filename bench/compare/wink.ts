/** wink-bm25-text-search over our words and stems (it brings none of its own), its learnings and the texts saved as JSON. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { loadStemmer } from "../../src/text/stems.js";
import { loadFunctionWords } from "../../src/text/stopwords.js";
import { indexWords } from "../../src/text/words.js";
import { HITS, type Engine } from "./engine.js";

/** What is used of it; it has no types. */
interface Wink {
  defineConfig(config: object): void;
  definePrepTasks(tasks: readonly ((text: string) => string[])[]): void;
  addDoc(document: object, id: number): void;
  consolidate(): void;
  search(text: string, limit: number): [string, number][];
  exportJSON(): string;
  importJSON(json: string): void;
}

const create = (): Wink => (createRequire(import.meta.url)("wink-bm25-text-search") as () => Wink)();

async function englishWords(): Promise<(text: string) => string[]> {
  const stem = await loadStemmer("en");
  const functionWords = await loadFunctionWords("en");
  return (text) =>
    indexWords(text)
      .filter((form) => !functionWords.has(form))
      .map(stem);
}

export const wink: Engine = {
  build: async ({ lines }, target) => {
    const index = create();
    index.defineConfig({ fldWeights: { text: 1 } });
    index.definePrepTasks([await englishWords()]);
    const texts: string[] = [];
    for await (const [, text] of lines) index.addDoc({ text }, texts.push(text) - 1);
    index.consolidate();
    writeFileSync(target, JSON.stringify([index.exportJSON(), texts]));
  },
  open: async (target) => {
    const [learnt, texts] = JSON.parse(readFileSync(target, "utf8")) as [string, string[]];
    const index = create();
    index.importJSON(learnt);
    index.definePrepTasks([await englishWords()]);
    return {
      ask: ({ text }) => index.search(text, HITS).map(([id]) => texts[Number(id)]!),
      close: () => undefined,
    };
  },
};
