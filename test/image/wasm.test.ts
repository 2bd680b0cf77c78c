import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { expect, it, vi } from "vitest";

it("takes SQLite's WebAssembly from an address or from bytes, and says so where it is not there or not that", async () => {
  // sql.js is loaded once in a process, and other files of tests may have done it: this one begins anew.
  vi.resetModules();
  const { loadSqlite } = await import("../../src/image/sqlite.js");
  const wasm = readFileSync(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm"));
  const server = createServer((request, response) => {
    const found = request.url === "/sql-wasm.wasm";
    response.writeHead(found ? 200 : 404).end(found ? wasm : "");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const wrong of [{ bytes: wasm.subarray(0, 1_000) }, { url: `${address}/other.wasm` }]) {
    await expect(loadSqlite(wrong)).rejects.toMatchObject({
      code: "io",
      message: expect.stringMatching(/WebAssembly/) as string,
    });
  }
  const sqlite = await loadSqlite({ url: `${address}/sql-wasm.wasm` });
  expect(sqlite.lazy).toBe(true);
  expect(await loadSqlite({ bytes: wasm })).toBe(sqlite);
  server.close();
});
