import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { formatKey } from "../../src/index.js";
import { primitives } from "../../src/node/primitives.js";
import { packed } from "../package/in-memory.js";
import { mdcx, scratchFolder } from "../cli/mdcx.js";
import { keyOf, packageFile } from "./packages.js";
import { Server } from "./server.js";

const scratch = await scratchFolder("secrecy");
const [KEY, OTHER] = [keyOf(41), keyOf(42)];
const PASSPHRASE = "plum-tree: seven, lanterns";
const QUESTION = "where is the zephyrine ledger";
const ASKED_NAME = "@/wages/ombrelle.md";
const TEXT = "The zephyrine ledger lies under the third oubliette.";

/** Everything by which a secret could be recognised. */
function formsOf(bytes: Uint8Array): string[] {
  const text = formatKey(primitives, bytes);
  const buffer = Buffer.from(bytes);
  return [text, text.slice(9, 40), buffer.toString("hex"), buffer.toString("base64").slice(0, 40)];
}
const SECRETS = [...formsOf(KEY.bytes), ...formsOf(OTHER.bytes), PASSPHRASE, "seven, lanterns"];

let [one, two] = ["", ""];
beforeAll(async () => {
  one = await packageFile(scratch, "one.mdcx", { "ledger.md": `# Ledger\n\n${TEXT}\n` }, { slots: [{ secret: KEY }] });
  two = await packageFile(
    scratch,
    "two.mdcx",
    { "other.md": "# Other\n\nNothing of note.\n" },
    {
      slots: [{ secret: { kind: "passphrase", bytes: new TextEncoder().encode(PASSPHRASE) } }],
    },
  );
  await writeFile(join(scratch, "keys.txt"), `${formatKey(primitives, KEY.bytes)}\n${PASSPHRASE}\n`);
});

/** Every kind of call: answered, refused for many reasons, given up, and a package that is replaced by one that does not open. */
async function everything(env: Readonly<Record<string, string>>): Promise<Server> {
  const server = await Server.start([one, two], { MDCX_KEY_FILE: join(scratch, "keys.txt"), ...env });
  const found = await server.call("search", { query: QUESTION });
  expect(JSON.stringify(found)).toContain("third oubliette");
  const refused = [
    await server.call("search", { query: QUESTION, limit: 999 }),
    await server.call("search", { query: QUESTION, mode: "meaning" }),
    await server.call("search", { query: QUESTION, in: "  " }),
    await server.call("document", { name: ASKED_NAME }),
    await server.call("document", { name: `../../${QUESTION}` }),
    await server.call("document", { id: QUESTION }),
  ];
  for (const { result, error } of refused) expect(result?.isError ?? error !== undefined).toBe(true);
  await server.call(QUESTION, {});
  await server.request("resources/read", { uri: `mdcx://11111111/${ASKED_NAME.slice(2)}` });
  server.process.stdin!.write(`{"jsonrpc":"2.0","id":"${QUESTION}","method":"tools/call","params":${QUESTION}\n`);
  void server.call("search", { query: QUESTION });
  server.notify("notifications/cancelled", { requestId: server.lastId, reason: QUESTION });
  const { bytes } = await packed({ "a.md": "Elsewhere.\n" }, { slots: [{ secret: OTHER }] });
  const before = await readFile(one);
  for (const content of [bytes, before]) {
    await writeFile(`${one}.tmp`, content);
    await rename(`${one}.tmp`, one);
    await server.call("search", { query: QUESTION });
  }
  await server.call("info", { documents: true });
  expect(await server.end()).toBe(0);
  return server;
}

function expectNone(output: string, words: readonly string[]): void {
  for (const word of words) expect(output.includes(word), `${word} stands in an output`).toBe(false);
}

describe("no output of a server holds", () => {
  it.each([
    { MDCX_LOG: "text", MDCX_DEBUG: "0" },
    { MDCX_LOG: "json", MDCX_DEBUG: "1" },
  ])("a secret; and neither log nor audit what was asked or found, with %o", async (env) => {
    const audit = join(scratch, `audit-${env.MDCX_LOG}.jsonl`);
    const server = await everything({ ...env, MDCX_AUDIT: audit });
    const lines = await readFile(audit, "utf8");
    expectNone(server.stdout + server.stderr + lines, SECRETS);
    expectNone(server.stderr + lines, [QUESTION, "zephyrine", "oubliette", ASKED_NAME, "ombrelle", scratch]);
    const events = lines
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events[0]).toMatchObject({ event: "start" });
    expect(events.at(-1)).toMatchObject({ event: "end" });
    expect(events.filter(({ event }) => event === "call").length).toBeGreaterThanOrEqual(10);
    expect(events).toContainEqual(expect.objectContaining({ event: "open", outcome: "refused", code: "wrong-secret" }));
    expect(events).toContainEqual(expect.objectContaining({ event: "call", outcome: "refused", code: "not-found" }));
    expect(events).toContainEqual(expect.objectContaining({ query_length: QUESTION.length, outcome: "answered" }));
  });

  it("a secret where the audit keeps questions, and then it holds them", async () => {
    const audit = join(scratch, "audit-on.jsonl");
    const server = await everything({ MDCX_LOG: "off", MDCX_AUDIT: audit, MDCX_AUDIT_QUERIES: "on" });
    const lines = await readFile(audit, "utf8");
    expectNone(server.stdout + server.stderr + lines, SECRETS);
    expect(server.stderr).toBe("");
    expect(lines).toContain(`"query":"${QUESTION}"`);
    expect(lines).not.toContain("oubliette");
  });

  it("the secret of a start that failed, which stands in the audit with its reason", async () => {
    const audit = join(scratch, "audit-failed.jsonl");
    const env = { MDCX_KEY: formatKey(primitives, OTHER.bytes), MDCX_AUDIT: audit, MDCX_DEBUG: "1" };
    const run = await mdcx(["serve", one], { env });
    expect(run.code).toBe(2);
    const lines = await readFile(audit, "utf8");
    expectNone(run.stdout + run.stderr + lines, SECRETS);
    expect(lines).not.toContain(scratch);
    expect(JSON.parse(lines)).toMatchObject({
      event: "open",
      outcome: "refused",
      code: "wrong-secret",
      files: ["one.mdcx"],
    });
  });
});
