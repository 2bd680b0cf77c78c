/**
 * One step of one engine in a process of its own:
 * `child.js ENGINE build COLLECTION TARGET`, `… first COLLECTION TARGET`, `… warm COLLECTION TARGET SECONDS`.
 */
import { Collection } from "./collection.js";
import type { Engine, Opened } from "./engine.js";

/** Loaded by name: a process holds the library that it is measured for and no other. */
const ENGINES: Readonly<Record<string, () => Promise<Partial<Engine> & Pick<Engine, "open">>>> = {
  mdcx: async () => (await import("./mdcx.js")).mdcx(false),
  "mdcx-meaning": async () => (await import("./mdcx.js")).mdcx(true),
  sqlite: async () => (await import("./sqlite.js")).sqlite(false),
  "sqlite-meaning": async () => (await import("./sqlite.js")).sqlite(true),
  lancedb: async () => (await import("./lancedb.js")).lanceDb(false),
  "lancedb-meaning": async () => (await import("./lancedb.js")).lanceDb(true),
  minisearch: async () => (await import("./minisearch.js")).miniSearch,
  orama: async () => (await import("./orama.js")).orama,
  wink: async () => (await import("./wink.js")).wink,
};

/** Questions asked before the clock runs: what an engine makes at its first ones is not part of a warm answer. */
const WARM_UP = 5;

const [name, action, folder, target, seconds] = process.argv.slice(2) as [string, string, string, string, string?];
const meaning = name.endsWith("-meaning");
const engine = await ENGINES[name]!();
const collection = new Collection(folder);

async function first(): Promise<object> {
  const question = collection.shortQuestion(meaning);
  const started = performance.now();
  const opened = await engine.open(target);
  const middle = performance.now();
  const found = (await opened.ask(question)).length;
  const answer = performance.now() - middle;
  await opened.close();
  return { open: middle - started, answer, found };
}

async function warm(opened: Opened, limit: number): Promise<object> {
  const questions = collection.questions(meaning);
  for (const question of questions.slice(0, WARM_UP)) await opened.ask(question);
  const times: number[] = [];
  let found = 0;
  const ends = performance.now() + limit * 1000;
  for (const question of questions) {
    const started = performance.now();
    const texts = await opened.ask(question);
    times.push(performance.now() - started);
    found += texts.length;
    if (performance.now() > ends) break;
  }
  await opened.close();
  return { times, found };
}

switch (action) {
  case "build":
    await engine.build!(collection.passages(meaning), target);
    break;
  case "first":
    console.log(JSON.stringify(await first()));
    break;
  case "warm":
    console.log(JSON.stringify(await warm(await engine.open(target), Number(seconds))));
}
// What an engine keeps running in the background is not waited for.
process.exit(0);
