import initSqlJs from "sql.js";
import { PAGE } from "../../src/format/pages.js";
import { PIECE } from "../../src/image/schema.js";
import type { PassageInput } from "../../src/image/records.js";
import { imageOf, plain, record } from "./corpora.js";
import { MemoryPages } from "./memory-pages.js";

/** An image with something in every table, for forging: three documents, a text of three blocks, streams of several pieces. */
export async function victim(): Promise<MemoryPages> {
  const text = Array.from({ length: 18_000 }, (_, index) => `w${index * 7919}`).join(" ");
  const bytes = new TextEncoder().encode(text);
  const passages = Array.from({ length: 10 }, (_, index): PassageInput => {
    const cut = (part: number) => Math.floor((part / 10) * bytes.length);
    return {
      start: cut(index),
      end: cut(index + 1),
      kind: index === 3 ? "table" : "text",
      heading: ["Part", `Chapter ${index >> 1}`, "Section"].slice(0, (index % 3) + 1),
      place: { kind: "page", value: String(index) },
      header: index === 3 ? { start: 0, end: 20 } : undefined,
    };
  });
  const known = { title: "Title", coverage: 0.5, source: "a.pdf", sourceSha256: new Uint8Array(32), pagesTotal: 10 };
  return imageOf(
    [plain("a.md", "first"), { record: record("b/long.md", bytes, known), bytes, passages }, plain("c.md", "third")],
    {
      streams: { dictionary: new Uint8Array(2 * PIECE + 5).fill(1), postings: new Uint8Array(40 * PIECE).fill(2) },
      meta: { package_id: "0123456789abcdef0123456789abcdef" },
    },
  );
}

/**
 * What a holder of the key can do to an image with SQL, `writable_schema` included.
 *
 * @param vacuum leave no free page behind, which alone would be refused
 */
export async function forgedBySql(pages: MemoryPages, sql: string, vacuum = true): Promise<MemoryPages> {
  const { Database } = await initSqlJs();
  const database = new Database(pages.bytes.slice());
  database.run(sql);
  if (vacuum) database.run("VACUUM");
  const bytes = database.export();
  database.close();
  return new MemoryPages(bytes);
}

/** What a holder of the key can do to the bytes of an image. */
export function forgedBytes(pages: MemoryPages, change: (bytes: Uint8Array, view: DataView) => void): MemoryPages {
  const bytes = pages.bytes.slice();
  change(bytes, new DataView(bytes.buffer));
  return new MemoryPages(bytes);
}

/** Root page, from 1, of a table or an index. */
export async function rootOf(pages: MemoryPages, name: string): Promise<number> {
  const { Database } = await initSqlJs();
  const database = new Database(pages.bytes.slice());
  const root = database.exec("SELECT rootpage FROM sqlite_schema WHERE name=?", [name])[0]!.values[0]![0] as number;
  database.close();
  return root;
}

/** Turns page `number`, from 1, into an interior page of a table whose every child is `child`. */
export function writeInteriorPage(bytes: Uint8Array, number: number, child: number, keys: readonly number[]): void {
  const page = bytes.subarray((number - 1) * PAGE, number * PAGE);
  const view = new DataView(page.buffer, page.byteOffset, PAGE);
  page.fill(0);
  page[0] = 5;
  view.setUint16(3, keys.length);
  view.setUint32(8, child);
  let at = PAGE;
  for (const [index, key] of keys.entries()) {
    const varint = varintOf(key);
    at -= 4 + varint.length;
    view.setUint32(at, child);
    page.set(varint, at + 4);
    view.setUint16(12 + 2 * index, at);
  }
  view.setUint16(5, at);
}

function varintOf(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) | 128);
  return bytes;
}
