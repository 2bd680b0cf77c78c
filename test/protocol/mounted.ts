import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { formatKey } from "../../src/index.js";
import { primitives } from "../../src/node/primitives.js";
import { COMMAND, environment, HARBOUR, scratchFolder } from "../cli/mdcx.js";
import { packed, type Folder } from "../package/in-memory.js";

/** Packages on disk, each under a key of its own, and how a server of them is started. */
export interface Mounted {
  readonly folder: string;
  readonly files: readonly string[];
  readonly keys: readonly string[];
  /** As many lines as packages, in their order. */
  readonly keyFile: string;
  /** The first line alone. */
  readonly oneKeyFile: string;
  /** Arguments of `node`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Packs collections of documents, each under its title, into a folder of their own, gone after the tests of the file. */
export async function mounted(collections: Readonly<Record<string, Folder>>): Promise<Mounted> {
  const folder = await scratchFolder("protocol");
  const files: string[] = [];
  const keys: string[] = [];
  for (const [title, documents] of Object.entries(collections)) {
    const bytes = new Uint8Array(32).fill(files.length + 1);
    const { bytes: pkg } = await packed(documents, { title, slots: [{ secret: { kind: "key", bytes } }] });
    const file = join(folder, `${title}.mdcx`);
    await writeFile(file, pkg);
    files.push(file);
    keys.push(formatKey(primitives, bytes));
  }
  const keyFile = join(folder, "keys.txt");
  await writeFile(keyFile, keys.map((key) => `${key}\n`).join(""), { mode: 0o600 });
  const oneKeyFile = join(folder, "key.txt");
  await writeFile(oneKeyFile, `${keys[0]!}\n`, { mode: 0o600 });
  return {
    folder,
    files,
    keys,
    keyFile,
    oneKeyFile,
    args: [COMMAND, "serve", ...files],
    env: environment({ MDCX_KEY_FILE: keyFile, MDCX_LOG: "off" }),
  };
}

/** The official SDK's client, connected over standard input and output to a server process of its own. */
export async function connected({ args, env }: Mounted): Promise<{ client: Client; transport: StdioClientTransport }> {
  const client = new Client({ name: "mdcx-test", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    env: { ...env },
    stderr: "pipe",
  });
  await client.connect(transport);
  return { client, transport };
}

/** Documents of the example handbook whose path begins so. */
export async function handbook(...beginnings: readonly string[]): Promise<Folder> {
  const entries = await readdir(HARBOUR, { recursive: true, withFileTypes: true });
  const documents: Record<string, Uint8Array> = {};
  for (const entry of entries) {
    const path = relative(HARBOUR, join(entry.parentPath, entry.name)).replaceAll("\\", "/");
    if (!entry.isFile() || !beginnings.some((beginning) => path.startsWith(beginning))) continue;
    documents[path] = await readFile(join(HARBOUR, path));
  }
  return documents;
}
