/** SQLite's FTS5, in the clear, ranked by its BM25; with sqlite-vec beside it for meaning. Needs a Node with node:sqlite. */
import { createRequire } from "node:module";
import { CANDIDATES, fused, HITS, type Engine } from "./engine.js";
import { requirePeer } from "./peers-here.js";

/** What is used of node:sqlite, which the types of Node 20 do not know. */
interface Statement {
  run(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
  get(...values: unknown[]): unknown;
}
interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  loadExtension(path: string): void;
  close(): void;
}

function openDatabase(path: string, meaning: boolean): Database {
  const { DatabaseSync } = createRequire(import.meta.url)("node:sqlite") as {
    DatabaseSync: new (path: string, options: { allowExtension: boolean }) => Database;
  };
  const database = new DatabaseSync(path, { allowExtension: meaning });
  if (meaning) database.loadExtension((requirePeer("sqlite-vec") as { getLoadablePath(): string }).getLoadablePath());
  return database;
}

/** A question as FTS5 takes it: any of its words. */
function anyWord(question: string): string {
  return Array.from(question.matchAll(/[\p{L}\p{N}]+/gu), ([word]) => `"${word}"`).join(" OR ");
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function sqlite(meaning: boolean): Engine {
  return {
    build: async ({ lines, vectors }, target) => {
      const database = openDatabase(target, meaning);
      database.exec("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF");
      database.exec("CREATE VIRTUAL TABLE passages USING fts5(path UNINDEXED, text, tokenize='porter unicode61')");
      database.exec("BEGIN");
      const insert = database.prepare("INSERT INTO passages(rowid, path, text) VALUES (?, ?, ?)");
      let row = 0n;
      for await (const [path, text] of lines) insert.run(++row, path, text);
      if (vectors !== undefined) {
        let vec: Statement | undefined;
        let vectorRow = 0n;
        for await (const vector of vectors) {
          if (vec === undefined) {
            database.exec(
              `CREATE VIRTUAL TABLE meanings USING vec0(vector float[${vector.length}] distance_metric=cosine)`,
            );
            vec = database.prepare("INSERT INTO meanings(rowid, vector) VALUES (?, ?)");
          }
          vec.run(++vectorRow, bytesOf(vector));
        }
      }
      database.exec("COMMIT");
      database.exec("INSERT INTO passages(passages) VALUES ('optimize')");
      database.close();
    },
    open: (target) => {
      const database = openDatabase(target, meaning);
      const words = database.prepare("SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?");
      const text = database.prepare("SELECT text FROM passages WHERE rowid = ?");
      const near = meaning
        ? database.prepare("SELECT rowid FROM meanings WHERE vector MATCH ? AND k = ? ORDER BY distance")
        : undefined;
      const rows = (found: unknown[]): number[] => (found as { rowid: number }[]).map(({ rowid }) => rowid);
      return Promise.resolve({
        ask: ({ text: question, vector }) => {
          const byWords = rows(words.all(anyWord(question), near === undefined ? HITS : CANDIDATES));
          const byMeaning =
            near === undefined || vector === undefined ? [] : rows(near.all(bytesOf(vector), CANDIDATES));
          return fused(byWords, byMeaning)
            .slice(0, HITS)
            .map((row) => (text.get(row) as { text: string }).text);
        },
        close: () => {
          database.close();
        },
      });
    },
  };
}
