// `npm run build:scan` translates scan.wat into scan-wasm.ts; with --check it only compares, and exits 1 where they differ.
import { readFile, writeFile } from "node:fs/promises";
import createWabt from "wabt";

const source = new URL("scan.wat", import.meta.url);
const target = new URL("scan-wasm.ts", import.meta.url);

const wabt = await createWabt();
const wat = await readFile(source, "utf8");

/** The module in binary, base64. */
function translated(text) {
  const features = { simd: true, threads: true };
  const module = wabt.parseWat("scan.wat", text, features);
  module.validate(features);
  return Buffer.from(module.toBinary({}).buffer).toString("base64");
}

// A module states whether its memory is one that threads share; nothing else differs.
const [own, shared] = [wat, wat.replace("(memory 0)", "(memory 0 65536 shared)")].map(translated);
const text = [
  "/** scan.wat in binary, base64. Made by `npm run build:scan`: edit scan.wat instead. */",
  "export const SCAN_WASM =",
  `  "${own}";`,
  "",
  "/** The same for a memory that threads share. */",
  "export const SCAN_WASM_SHARED =",
  `  "${shared}";`,
  "",
].join("\n");

if (process.argv.includes("--check")) {
  if ((await readFile(target, "utf8")) === text) process.exit(0);
  console.error("scan-wasm.ts is not what scan.wat gives: run `npm run build:scan`.");
  process.exit(1);
}
await writeFile(target, text);
console.log(`scan-wasm.ts: ${text.length} characters`);
