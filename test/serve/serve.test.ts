import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { publicKeyOf } from "../../src/format/signature.js";
import { formatKey } from "../../src/index.js";
import { primitives } from "../../src/node/primitives.js";
import { expectSentence, mdcx, scratchFolder, type Run } from "../cli/mdcx.js";
import { aboutTheKey, keyOf, packageFile } from "./packages.js";
import { Server } from "./server.js";

const scratch = await scratchFolder("serve");
const at = (...names: string[]): string => join(scratch, ...names);
const text = (number: number): string => formatKey(primitives, keyOf(number).bytes);
const PASSPHRASE = "a, b: c; d";
const SIGNING = new Uint8Array(32).fill(3);
const ID = "5".repeat(32);
let [one, two, three] = ["", "", ""];

beforeAll(async () => {
  one = await packageFile(scratch, "one.mdcx", aboutTheKey("behind the barometer"), { slots: [{ secret: keyOf(1) }] });
  two = await packageFile(scratch, "two, three.mdcx", aboutTheKey("under the doormat"), {
    slots: [{ secret: keyOf(2) }, { secret: { kind: "passphrase", bytes: new TextEncoder().encode(PASSPHRASE) } }],
  });
  three = await packageFile(scratch, "signed.mdcx", aboutTheKey("in the safe"), {
    slots: [{ secret: keyOf(1) }, { secret: keyOf(3) }],
    issuer: "Harbour office",
    signingKey: SIGNING,
    follows: { packageId: ID, revision: 6 },
  });
  await writeFile(at("keys.txt"), `${[1, 2, 3].map(text).join("\n")}\n`);
});

const places = async (server: Server): Promise<string[]> => {
  const { result } = await server.call("search", { query: "spare key" });
  return (result!.structuredContent!.passages as { text: string }[])
    .map((hit) => /hangs (.*)\./.exec(hit.text)![1]!)
    .sort();
};

/** A start that must fail. */
function refused(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Run> {
  return mdcx(["serve", ...args], { env });
}

describe("a server of several packages", () => {
  it("answers from all of them, each opened with its line of the key file", async () => {
    const server = await Server.start([one, two, three], { MDCX_KEY_FILE: at("keys.txt") });
    expect(await places(server)).toEqual(["behind the barometer", "in the safe", "under the doormat"]);
    expect(await server.end()).toBe(0);
  });

  it("takes packages from MDCX_FILE, and one key for all of them", async () => {
    const server = await Server.start([], { MDCX_FILE: [one, three].join(delimiter), MDCX_KEY: text(1) });
    expect(await places(server)).toEqual(["behind the barometer", "in the safe"]);
    await server.end();
  });

  it("takes a passphrase with any character but line ends", async () => {
    await writeFile(at("mixed.txt"), `${text(1)}\r\n${PASSPHRASE}\r\n`);
    // An empty variable beside it is what programs pass on that nobody filled in.
    const server = await Server.start([one, two], { MDCX_KEY_FILE: at("mixed.txt"), MDCX_KEY: "" });
    expect(await places(server)).toEqual(["behind the barometer", "under the doormat"]);
    await server.end();
  });

  it("tries each secret of its options on each package", async () => {
    await writeFile(at("k1.txt"), `${text(1)}\n`);
    await writeFile(at("k2.txt"), `${text(2)}\n`);
    const server = await Server.start([one, two, "--key-file", at("k1.txt"), "--key-file", at("k2.txt")]);
    expect(await places(server)).toHaveLength(2);
    await server.end();
  });

  it("names the one that is not opened, in one line", async () => {
    await writeFile(at("wrong.txt"), `${[1, 9, 3].map(text).join("\n")}\n`);
    const run = await refused([one, two, three], { MDCX_KEY_FILE: at("wrong.txt") });
    expectSentence(run, /two, three\.mdcx.*not open/);
    expect(run.stderr).not.toContain(text(9));
  });

  it("names one that is missing, before a secret is wanted", async () => {
    expectSentence(await refused([one, at("nowhere.mdcx")], {}), /nowhere\.mdcx/);
    expectSentence(await refused([], { MDCX_FILE: at("nowhere.mdcx") }), /nowhere\.mdcx/);
  });

  it("refuses a key file of another number of lines than there are packages", async () => {
    expectSentence(await refused([one, two], { MDCX_KEY_FILE: at("keys.txt") }), /3 lines for 2 packages/);
  });

  it("refuses what is given twice, what nobody serves, and to serve nothing", async () => {
    expectSentence(await refused([one, one], { MDCX_KEY: text(1) }), /given twice/);
    // Port 1 of this machine, where nobody listens.
    const address = "http://127.0.0.1:1/far.mdcx";
    expectSentence(
      await refused([], { MDCX_FILE: `${one}\n${address}`, MDCX_KEY: text(1) }),
      /far\.mdcx: the server cannot be reached/,
    );
    expectSentence(await refused([], { MDCX_KEY: text(1) }), /No package is named.*MDCX_FILE/);
  });

  it("refuses an unknown value of a variable, and names an unknown variable but starts", async () => {
    expectSentence(await refused([one], { MDCX_KEY: text(1), MDCX_LOG: "verbose" }), /MDCX_LOG.*text, json, off/);
    const server = await Server.start([one], { MDCX_KEY: text(1), MDCX_AUDIT_QUERY: "on" });
    expect(server.stderr).toContain("There is no variable MDCX_AUDIT_QUERY: did you mean MDCX_AUDIT_QUERIES?");
    await server.end();
  });
});

describe("what a server holds packages to", () => {
  const issuer = Buffer.from(publicKeyOf(SIGNING)).toString("hex");

  it("is the issuer of MDCX_ISSUER_KEY, for all", async () => {
    const server = await Server.start([three], { MDCX_KEY: text(1), MDCX_ISSUER_KEY: issuer });
    const { result } = await server.call("info", {});
    expect(result!.structuredContent!.packages).toMatchObject([{ signature: "signed-by-pinned-issuer" }]);
    await server.end();
    expectSentence(await refused([one, three], { MDCX_KEY: text(1), MDCX_ISSUER_KEY: issuer }), /one\.mdcx/);
  });

  it("is what the file of pins says of each, and a package without a line is refused", async () => {
    const pins = async (content: string): Promise<Record<string, string>> => {
      await writeFile(at("pins.txt"), content);
      return { MDCX_KEY: text(1), MDCX_PINS: at("pins.txt") };
    };
    await mkdir(at("keys of issuers"), { recursive: true });
    await writeFile(at("keys of issuers", "harbour.pub"), `${issuer}\n`);
    const good = `# ours\n\n${ID} issuer=keys of issuers/harbour.pub revision=7\n`;
    const server = await Server.start([three], await pins(good));
    const { result } = await server.call("info", {});
    expect(result!.structuredContent!.packages).toMatchObject([{ signature: "signed-by-pinned-issuer" }]);
    await server.end();
    expectSentence(await refused([one, three], await pins(good)), /one\.mdcx is package.*no line for it/);
    expectSentence(await refused([three], await pins(`${ID} revision=8\n`)), /revision 7, older than the 8/);
  });

  it("is never one package id for several packages", async () => {
    expectSentence(await refused([one, three, "--package-id", ID], { MDCX_KEY: text(1) }), /MDCX_PINS/);
  });
});

describe("while the packages are searched, a server", () => {
  it("answers ping and lists its tools before the searches that were asked first", async () => {
    const server = await Server.start([one, two, three], { MDCX_KEY_FILE: at("keys.txt") });
    const searches = Array.from({ length: 40 }, (_, i) =>
      server.call("search", { query: `spare key ${i}`, limit: 50 }),
    );
    const last = server.lastId;
    await Promise.all([server.request("ping"), server.request("tools/list")]);
    expect(server.order).not.toContain(last);
    await Promise.all(searches);
    expect(server.order).toContain(last);
    expect(await server.end()).toBe(0);
  });

  it("gives no answer to what the client has cancelled, and ends at once afterwards", async () => {
    const server = await Server.start([one], { MDCX_KEY: text(1), MDCX_LOG: "json" });
    const kept = server.call("search", { query: "spare key" });
    for (let i = 0; i < 30; i++) {
      void server.call("search", { query: `spare key ${i}` });
      server.notify("notifications/cancelled", { requestId: server.lastId });
    }
    const after = server.call("search", { query: "barometer" });
    await Promise.all([kept, after]);
    const started = Date.now();
    expect(await server.end()).toBe(0);
    expect(Date.now() - started).toBeLessThan(5_000);
    expect(server.stdout.match(/"passages"/g)!.length).toBeLessThan(30);
    expect(server.stderr.match(/"outcome":"cancelled"/g)!.length).toBeGreaterThan(0);
  });

  it("leaves standard output to the protocol, whatever prints in the thread that reads", async () => {
    const server = await Server.start([one], { MDCX_KEY: text(1), NODE_OPTIONS: `--import=${printing()}` });
    expect((await server.call("search", { query: "spare key" })).result!.isError).not.toBe(true);
    await server.end();
    expect(server.stdout).not.toContain("printed in a thread");
    expect(server.stderr).toContain("printed in a thread");
  });
});

/** A module that prints where it is loaded in a thread. */
function printing(): string {
  const code = `import { isMainThread } from "node:worker_threads"; if (!isMainThread) console.log("printed in a thread");`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
