// `npm run build:scan` translates scan.wat into scan-wasm.ts; with --check it only compares, and exits 1 where they differ.
import { readFile, writeFile } from "node:fs/promises";
import createWabt from "wabt";

const source = new URL("scan.wat", import.meta.url);
const target = new URL("scan-wasm.ts", import.meta.url);

const wabt = await createWabt();
const module = wabt.parseWat("scan.wat", await readFile(source, "utf8"), { simd: true });
module.validate();
const { buffer } = module.toBinary({});
const text = [
  "/** scan.wat in binary, base64. Made by `npm run build:scan`: edit scan.wat instead. */",
  "export const SCAN_WASM =",
  `  "${Buffer.from(buffer).toString("base64")}";`,
  "",
].join("\n");

if (process.argv.includes("--check")) {
  if ((await readFile(target, "utf8")) === text) process.exit(0);
  console.error("scan-wasm.ts is not what scan.wat gives: run `npm run build:scan`.");
  process.exit(1);
}
await writeFile(target, text);
console.log(`scan-wasm.ts: ${buffer.length} bytes of WebAssembly`);
