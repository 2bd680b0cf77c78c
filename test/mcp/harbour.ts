import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

/** The compiled command, as a client starts it; `npm test` builds before it tests. */
export const COMMAND = join(
  process.env.MDCX_TEST_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url)),
  "cli/main.js",
);
export const HANDBOOK = fileURLToPath(new URL("../../examples/harbour", import.meta.url));

const run = promisify(execFile);

/** The handbook, packed for real under a random key. */
export interface PackedHandbook {
  readonly folder: string;
  readonly file: string;
  readonly keyFile: string;
  readonly key: string;
}

export async function packHandbook(): Promise<PackedHandbook> {
  const folder = await mkdtemp(join(tmpdir(), "mdcx-mcp-"));
  const file = join(folder, "handbook.mdcx");
  const keyFile = join(folder, "secret.txt");
  const { stdout } = await run(process.execPath, [COMMAND, "keygen", "--package"]);
  await writeFile(keyFile, stdout);
  await run(process.execPath, [COMMAND, "pack", HANDBOOK, "--target", file, "--key-file", keyFile]);
  return { folder, file, keyFile, key: (await readFile(keyFile, "utf8")).trim() };
}

export async function removeHandbook(packed: PackedHandbook): Promise<void> {
  await rm(packed.folder, { recursive: true, force: true });
}

/** Arguments of `node` that serve the package. */
export function serveArguments(
  packed: Pick<PackedHandbook, "file" | "keyFile">,
  pins: readonly string[] = [],
): string[] {
  return [COMMAND, "serve", packed.file, "--key-file", packed.keyFile, ...pins];
}

/** A client of the official SDK, connected over standard input and output to a server process of its own. */
export async function connect(
  packed: Pick<PackedHandbook, "file" | "keyFile">,
  pins: readonly string[] = [],
): Promise<{ client: Client; transport: StdioClientTransport }> {
  const client = new Client({ name: "mdcx-test", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: serveArguments(packed, pins),
    stderr: "pipe",
  });
  await client.connect(transport);
  return { client, transport };
}
