/** Child of scale.ts under a Node with node:sqlite: the same passages in an FTS5 table, ranked by its BM25, in the clear. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cutPassages } from "../src/text/passages.js";
import { syntheticDocuments } from "./synthetic.js";

/** What is used of node:sqlite, which the types of Node 20 do not know. */
interface Database {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: unknown[]): unknown; all(...values: unknown[]): unknown[] };
  close(): void;
}
const { DatabaseSync } = createRequire(import.meta.url)("node:sqlite") as {
  DatabaseSync: new (path: string) => Database;
};

const [action, file, ...rest] = process.argv.slice(2) as [string, string, ...string[]];
const database = new DatabaseSync(file);

/** A question as FTS5 takes it: any of its words. */
function anyWord(question: string): string {
  return Array.from(question.matchAll(/[\p{L}\p{N}]+/gu), ([word]) => `"${word}"`).join(" OR ");
}

const ask = (question: string): unknown[] =>
  database
    .prepare("SELECT path, text FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT 10")
    .all(anyWord(question));

switch (action) {
  case "build": {
    const [data, passages] = rest as [string, string];
    database.exec("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF");
    database.exec("CREATE VIRTUAL TABLE passages USING fts5(path UNINDEXED, text, tokenize='porter unicode61')");
    database.exec("BEGIN");
    const insert = database.prepare("INSERT INTO passages VALUES (?, ?)");
    for (const { path, markdown } of syntheticDocuments(data, Number(passages))) {
      const bytes = Buffer.from(markdown);
      for (const { start, end } of cutPassages(markdown)) insert.run(path, bytes.toString("utf8", start, end));
    }
    database.exec("COMMIT");
    database.exec("INSERT INTO passages(passages) VALUES ('optimize')");
    break;
  }
  case "ask":
    console.log(JSON.stringify(ask(rest[0]!)));
    break;
  case "warm": {
    const times: number[] = [];
    const questions = JSON.parse(readFileSync(rest[0]!, "utf8")) as string[];
    for (const question of questions.slice(0, 5)) ask(question);
    for (const question of questions) {
      const started = performance.now();
      ask(question);
      times.push(performance.now() - started);
    }
    times.sort((a, b) => a - b);
    const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(share * times.length))]!;
    console.log(JSON.stringify({ p50: at(0.5), p95: at(0.95), p99: at(0.99) }));
  }
}
database.close();
