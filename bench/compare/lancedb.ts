/** LanceDB: its full-text index with stems; with vectors, its own fusion by reciprocal ranks over an exact scan. */
import { HITS, type Engine } from "./engine.js";
import { requirePeer } from "./peers-here.js";

/** What is used of it; its types come with the peers. */
interface Row {
  readonly text: string;
}
interface Query {
  fullTextSearch(text: string): Query;
  nearestTo(vector: Float32Array): Query;
  distanceType(kind: "cosine"): Query;
  rerank(reranker: unknown): Query;
  select(columns: readonly string[]): Query;
  limit(rows: number): Query;
  toArray(): Promise<Row[]>;
}
interface Table {
  add(rows: readonly object[]): Promise<unknown>;
  createIndex(column: string, options: { config: unknown }): Promise<void>;
  query(): Query;
}
interface Connection {
  createTable(name: string, rows: readonly object[]): Promise<Table>;
  openTable(name: string): Promise<Table>;
  close(): void;
}
interface Lance {
  readonly connect: (path: string) => Promise<Connection>;
  readonly Index: { fts(options: object): unknown };
  readonly rerankers: { readonly RRFReranker: { create(): Promise<unknown> } };
}

/** Rows added in one go: each is a file of its own. */
const BATCH = 20_000;

export function lanceDb(meaning: boolean): Engine {
  return {
    build: async ({ lines, vectors }, target) => {
      const { connect, Index } = requirePeer("@lancedb/lancedb") as Lance;
      const database = await connect(target);
      let table: Table | undefined;
      let rows: object[] = [];
      const flush = async (): Promise<void> => {
        if (rows.length === 0) return;
        if (table === undefined) table = await database.createTable("passages", rows);
        else await table.add(rows);
        rows = [];
      };
      const vector = vectors?.[Symbol.asyncIterator]();
      for await (const [path, text] of lines) {
        const next = await vector?.next();
        rows.push(next === undefined ? { path, text } : { path, text, vector: Array.from(next.value as Float32Array) });
        if (rows.length === BATCH) await flush();
      }
      await flush();
      await table?.createIndex("text", { config: Index.fts({ language: "English", stem: true }) });
      database.close();
    },
    open: async (target) => {
      const { connect, rerankers } = requirePeer("@lancedb/lancedb") as Lance;
      const database = await connect(target);
      const table = await database.openTable("passages");
      const reranker = meaning ? await rerankers.RRFReranker.create() : undefined;
      return {
        ask: async ({ text, vector }) => {
          const words = table.query().fullTextSearch(text);
          const asked =
            reranker === undefined || vector === undefined
              ? words.select(["text"])
              : words.nearestTo(vector).distanceType("cosine").rerank(reranker);
          return (await asked.limit(HITS).toArray()).map((row) => row.text);
        },
        close: () => {
          database.close();
        },
      };
    },
  };
}
