import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";
import { build } from "vite";
import { loopback, type Loopback } from "../meaning/loopback.js";
import { chromiumPath } from "./chromium.js";

const require = createRequire(import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
  ".json": "application/json",
};

/** A page with the bundled library, in a headless Chromium, served from this machine alone. */
export interface Site {
  readonly page: Page;
  /** Addresses that the page asked for. */
  readonly requests: readonly string[];
  /** What went wrong in it without being thrown to the test. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

/**
 * Bundles `page.ts`, serves it with everything that it may need, and opens it.
 *
 * @param files what the page finds beside, by path: `/package.mdcx`
 */
export async function openSite(files: Readonly<Record<string, Uint8Array>>): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), "mdcx-page-"));
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const each of closing.splice(0).reverse()) await each();
  };
  try {
    await bundle(folder);
    const server = await serve(folder, files);
    closing.push(() => server.close());
    const browser = await launch();
    closing.push(() => browser.close());
    const page = await browser.newPage();
    const [requests, errors]: [string[], string[]] = [[], []];
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`http://${server.host}/`);
    await page.waitForFunction("globalThis.mdcxPage !== undefined");
    return { page, requests, errors, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** As a web developer would: from the sources, for browsers, by what the packages say is for browsers. */
async function bundle(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: dirname(fileURLToPath(import.meta.url)),
    logLevel: "error",
    build: {
      outDir: folder,
      minify: false,
      target: "es2022",
      rolldownOptions: {
        input: fileURLToPath(new URL("page.ts", import.meta.url)),
        output: { entryFileNames: "page.js" },
      },
    },
  });
}

function serve(folder: string, files: Readonly<Record<string, Uint8Array>>): Promise<Loopback> {
  const runtime = dirname(require.resolve("onnxruntime-web"));
  const model = dirname(require.resolve("mdcx-multilingual-e5-small/package.json"));
  const find = async (path: string): Promise<Uint8Array> => {
    if (path === "/")
      return Buffer.from('<!doctype html><title>mdcx</title><script type="module" src="/page.js"></script>');
    const given = files[path];
    if (given !== undefined) return given;
    if (path === "/sql-wasm-browser.wasm") return readFile(require.resolve("sql.js/dist/sql-wasm-browser.wasm"));
    if (path.startsWith("/runtime/")) return readFile(join(runtime, basename(path)));
    if (path.startsWith("/model/")) return readFile(join(model, path.slice("/model/".length)));
    return readFile(join(folder, path));
  };
  return loopback((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    find(path).then(
      (bytes) =>
        response.setHeader("content-type", TYPES[extname(path) || ".html"] ?? "application/octet-stream").end(bytes),
      () => response.writeHead(404).end(),
    );
  });
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath!,
    // Root has no sandbox of Chromium's; and no name but that of this machine leads anywhere.
    args: ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });
}
