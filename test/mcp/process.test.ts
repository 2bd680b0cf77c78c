import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { closeSync, constants, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMAND, connect, packHandbook, removeHandbook, serveArguments, type PackedHandbook } from "./harbour.js";

const run = promisify(execFile);

let packed: PackedHandbook;
beforeAll(async () => {
  packed = await packHandbook();
});
afterAll(async () => {
  await removeHandbook(packed);
});

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };
const SEARCH = {
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "search", arguments: { query: "spare key of the stilling well" } },
};

function lines(...messages: object[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}

function serve(): ChildProcess {
  return spawn(process.execPath, serveArguments(packed), { stdio: ["pipe", "pipe", "pipe"] });
}

/** A server that has answered the first message. */
async function listening(): Promise<ChildProcess> {
  const server = serve();
  server.stdin!.write(lines(INITIALIZE, INITIALIZED));
  await once(server.stdout!, "data");
  return server;
}

/** Waits until the process has ended, `limit` milliseconds at most. */
async function endsWithin(pid: number, limit: number): Promise<void> {
  const started = Date.now();
  while (alive(pid)) {
    expect(Date.now() - started, "the server outlived its client").toBeLessThan(limit);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Ended processes whose parent has not asked for their exit code are still in the table, as zombies. */
function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

async function failure(
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    await run(process.execPath, [COMMAND, "serve", ...args], { env: { PATH: process.env.PATH, ...env } });
    throw new Error("the server started");
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

describe("before it listens, the server", () => {
  it("refuses a package that does not exist, in one line and with exit code 2", async () => {
    const { code, stdout, stderr } = await failure([join(packed.folder, "nowhere.mdcx"), "--key-file", packed.keyFile]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toContain("nowhere.mdcx");
  });

  it("refuses a wrong key the same way, and never prints one", async () => {
    const { stdout: other } = await run(process.execPath, [COMMAND, "keygen", "--package"]);
    const wrong = join(packed.folder, "wrong.txt");
    await writeFile(wrong, other);
    const { code, stdout, stderr } = await failure([packed.file, "--key-file", wrong]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).not.toContain(other.trim());
    const mistyped = await failure([packed.file], { MDCX_KEY: `${packed.key.slice(0, -1)}1` });
    expect(mistyped.code).toBe(2);
    expect(mistyped.stderr).not.toContain(packed.key.slice(9, 30));
  });

  it("refuses to start without a key and without a terminal to ask on", async () => {
    const { code, stderr } = await failure([packed.file]);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("refuses to take the secret from standard input, which belongs to the client", async () => {
    const server = spawn(process.execPath, [COMMAND, "serve", packed.file, "--key", "-"], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    let stderr = "";
    server.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    server.stdin.end(packed.key);
    const [code] = (await once(server, "exit")) as [number];
    expect(code).toBe(2);
    expect(stderr).toContain("--key-file");
    expect(stderr).not.toContain(packed.key);
  });

  it("refuses a damaged package", async () => {
    const bytes = await readFile(packed.file);
    bytes[200]! ^= 1;
    const damaged = join(packed.folder, "damaged.mdcx");
    await writeFile(damaged, bytes);
    const { code, stderr } = await failure([damaged, "--key-file", packed.keyFile]);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("while it listens, the server", () => {
  it("writes protocol to standard output and nothing else, whatever it is sent", async () => {
    const server = serve();
    let stdout = "";
    let stderr = "";
    server.stdout!.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    server.stderr!.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    server.stdin!.end(`${lines(INITIALIZE, INITIALIZED)}this is no message\n{"jsonrpc":"2.0"}\n${lines(SEARCH)}`);
    const [code] = (await once(server, "exit")) as [number];
    expect(code).toBe(0);
    const messages = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { jsonrpc: string; id?: number });
    for (const message of messages) expect(message.jsonrpc).toBe("2.0");
    expect(messages.map((message) => message.id).sort()).toEqual([1, 2]);
    expect(stdout).toContain("behind the barometer");
    expect(stdout + stderr).not.toContain(packed.key);
  });

  it("takes the key from the environment too, and does not repeat it", async () => {
    const server = spawn(process.execPath, [COMMAND, "serve", packed.file], {
      env: { PATH: process.env.PATH, MDCX_KEY: packed.key },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [server.stdout, server.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    server.stdin.end(lines(INITIALIZE, INITIALIZED, SEARCH));
    await once(server, "exit");
    expect(output).toContain("behind the barometer");
    expect(output).not.toContain(packed.key);
  });
});

describe("the server ends within a second when", () => {
  it("its client closes the connection", async () => {
    const { client, transport } = await connect(packed);
    const pid = transport.pid!;
    await client.close();
    await endsWithin(pid, 1000);
  });

  it("standard input ends", async () => {
    const server = await listening();
    server.stdin!.end();
    await endsWithin(server.pid!, 1000);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("it gets %s, though standard input stays open", async (signal) => {
    const server = await listening();
    const started = Date.now();
    server.kill(signal);
    expect(await once(server, "exit")).toEqual([0, null]);
    expect(Date.now() - started).toBeLessThan(1000);
  });

  it("nobody reads its standard output any more", async () => {
    const server = await listening();
    let stderr = "";
    server.stderr!.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    server.stdout!.destroy();
    server.stdin!.write(lines(SEARCH));
    await endsWithin(server.pid!, 1000);
    expect(stderr, "a stack trace").not.toMatch(/^\s+at |Error/m);
  });

  it("its client is killed without a chance to say anything", async () => {
    const { client, server } = await clientProcess("pipe");
    client.kill("SIGKILL");
    await endsWithin(server, 1000);
  });

  it("its parent is killed while somebody else still holds its standard input open", async () => {
    const fifo = join(packed.folder, "input");
    await run("mkfifo", [fifo]);
    // Opened for both, so that it neither waits for a reader nor ever gives an end of file.
    const held = openSync(fifo, constants.O_RDWR);
    try {
      const { client, server } = await clientProcess(fifo);
      client.kill("SIGKILL");
      await endsWithin(server, 1000);
    } finally {
      closeSync(held);
    }
  });
});

/** A process that starts a server, waits for its first answer, prints its process id and stays. */
async function clientProcess(input: string): Promise<{ client: ChildProcess; server: number }> {
  await mkdir(packed.folder, { recursive: true });
  const program = join(packed.folder, `client-${input === "pipe" ? "pipe" : "fifo"}.mjs`);
  await writeFile(
    program,
    `import { spawn } from "node:child_process";
import { openSync } from "node:fs";
const input = ${JSON.stringify(input)};
const server = spawn(process.execPath, ${JSON.stringify(serveArguments(packed))}, {
  stdio: [input === "pipe" ? "pipe" : openSync(input, "r+"), "pipe", "ignore"],
});
server.stdout.once("data", () => console.log(server.pid));
if (input === "pipe") server.stdin.write(${JSON.stringify(lines(INITIALIZE, INITIALIZED))});
setInterval(() => {}, 1000);
`,
  );
  const client = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  if (input !== "pipe") await writeFile(input, lines(INITIALIZE, INITIALIZED));
  const [printed] = (await once(client.stdout, "data")) as [Buffer];
  return { client, server: Number(printed.toString()) };
}
