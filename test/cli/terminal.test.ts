import { spawn, spawnSync } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { label, wrapped } from "../../cli/layout.js";
import { jsonText, printable, printableLine } from "../../cli/print.js";
import { COMMAND, environment, expectSentence, KEY, mdcx, scratchFolder, withKey, type Run } from "./mdcx.js";

const ESC = "\u001b";
/** What could drive a terminal or turn its text round, in a document, its title, its name and the claims. */
const HOSTILE = `${ESC}]0;owned\u0007${ESC}[2J\u009b31m\u202egpj.exe\u202c\u2066x\u2069\u200f\u061c\u0000\u0008\u007f`;

const folder = await scratchFolder("terminal");
const at = (...names: string[]): string => join(folder, ...names);
const DRIVER = fileURLToPath(new URL("on-a-terminal.py", import.meta.url));
const python = spawnSync("python3", ["-c", "import pty"]).status === 0;
const NO_TERMINAL = "python3, which drives a terminal for these tests, is not here";

/** Runs the command on a terminal of its own; each answer is typed when the text before it has appeared. */
function onTerminal(
  args: readonly string[],
  dialogue: readonly (readonly [prompt: string, answer: string])[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; screen: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("python3", [DRIVER, JSON.stringify(dialogue), process.execPath, COMMAND, ...args], {
      env: environment({ TERM: "xterm-256color", ...env }),
    });
    const out: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => out.push(part));
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code: code ?? -1, screen: Buffer.concat(out).toString("utf8") });
    });
  });
}

beforeAll(async () => {
  await mkdir(at("documents"));
  const text = HOSTILE.replaceAll("\0", "");
  await writeFile(
    at("documents", `n${ESC}[31m\u202ename.md`),
    `---\ntitle: "T ${text}"\n---\n# H ${text}\n\nbuoy ${text}\n`,
  );
  await writeFile(at("documents", "plain.md"), "# Buoys\n\nThe red buoy lies north.\n");
});

function expectHarmless(shown: string): void {
  // Colours are ours: they begin with ESC [ and end with m.

  const rest = shown.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "");

  expect(rest).not.toMatch(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
  );
  expect(shown).not.toContain(`${ESC}[31m\u202e`);
  expect(shown).not.toContain(`${ESC}[2J`);
}

describe("what a file says cannot drive the terminal", () => {
  it("because control and bidi characters are shown as what they are", () => {
    for (const shown of [printable(HOSTILE), printableLine(HOSTILE), wrapped(printable(HOSTILE), "  ")])
      expectHarmless(shown);
    expect(printable(`a${ESC}[1mb`)).toBe("a\\u{1b}[1mb");
    expect(printable("\u202e")).toBe("\\u{202e}");
    expect(printable("line\r\nline\n\ttab")).toBe("line\nline\n\ttab");
    expect(printable("one\rtwo")).toBe("one\\u{d}two");
    expect(printableLine("a\nb\tc")).toBe("a\\nb\\tc");
    expect(printable("Größe 日本 العربية हिन्दी 👩‍💻 e\u0301")).toBe("Größe 日本 العربية हिन्दी 👩‍💻 e\u0301");
    expectHarmless(label([["Title", printableLine(HOSTILE)]]));
  });

  it("nor does JSON, which means the same with them escaped", () => {
    const shown = jsonText({ [HOSTILE]: HOSTILE });
    expectHarmless(shown);
    expect(JSON.parse(shown)).toEqual({ [HOSTILE]: HOSTILE });
  });

  it("when it is packed, searched and listed", async () => {
    const file = at("hostile.mdcx");
    const packed = await withKey(["pack", at("documents"), "--target", file]);
    expectHarmless(packed.stdout + packed.stderr);
    const runs = await Promise.all([
      withKey(["search", file, "buoy"]),
      withKey(["search", file, "buoy", "--json"]),
      withKey(["info", file, "--documents"], { env: {} }),
    ]);
    for (const { stdout, stderr } of runs) expectHarmless(stdout + stderr);
    const missing = await mdcx(["search", at(`no${ESC}[31m\u202e.mdcx`), "buoy"]);
    expectSentence(missing, /There is no file/);
    expectHarmless(missing.stderr);
  });
});

describe("on a terminal", () => {
  const passphrase = "a quay, a crane: and 7 Buoys";

  it("a passphrase is asked for twice and never shown", async (context) => {
    if (!python) return context.skip(NO_TERMINAL);
    const file = at("asked.mdcx");
    const { code, screen } = await onTerminal(
      ["pack", at("documents"), "--target", file],
      [
        ["Choose a passphrase for asked.mdcx: ", passphrase],
        ["Once more: ", passphrase],
      ],
    );
    expect(code, screen).toBe(0);
    expect(screen).not.toContain(passphrase.slice(0, 6));
    expectHarmless(screen.replaceAll("\r", ""));
    const opened = await onTerminal(["search", file, "buoy"], [["Passphrase or key of ", passphrase]]);
    expect(opened.code, opened.screen).toBe(0);
    expect(opened.screen).not.toContain(passphrase.slice(0, 6));
    // The words that match are marked, and the rest of the document still cannot act.
    expect(opened.screen).toContain(`${ESC}[1m`);
    expectHarmless(opened.screen.replaceAll("\r", ""));
    const name = (await readdir(at("documents"))).find((one) => one !== "plain.md")!;
    const printed = await onTerminal(["document", file, name], [["Passphrase or key of ", passphrase]]);
    expect(printed.screen).toContain("buoy \\u{1b}]0;owned");
    expectHarmless(printed.screen.replaceAll("\r", ""));
  });

  it("several packages are asked for one by one, each with its own passphrase or that of the one before", async (context) => {
    if (!python) return context.skip(NO_TERMINAL);
    const passphrases = [passphrase, `${passphrase} too`];
    const files = ["own.mdcx", "other.mdcx", "other-too.mdcx"].map((name) => at(name));
    for (const [i, file] of files.entries())
      expect(
        (
          await withKey(["pack", at("documents"), "--target", file], {
            env: { MDCX_KEY: passphrases[Math.min(i, 1)]! },
          })
        ).code,
      ).toBe(0);
    const { code, screen } = await onTerminal(
      ["search", ...files, "buoy"],
      [
        [`Passphrase or key of ${files[0]!}: `, passphrases[0]!],
        [`Passphrase or key of ${files[1]!} (Enter: the same as before): `, passphrases[1]!],
        [`Passphrase or key of ${files[2]!} (Enter: the same as before): `, ""],
      ],
    );
    expect(code, screen).toBe(0);
    expect(screen).not.toContain(passphrase.slice(0, 6));
  });

  it("without a size, as some containers give it, packing comes to an end", async (context) => {
    if (!python) return context.skip(NO_TERMINAL);
    const env = { COLUMNS_OF_TERMINAL: "0", MDCX_KEY: KEY };
    const { code, screen } = await onTerminal(["pack", at("documents"), "--target", at("sizeless.mdcx")], [], env);
    expect(code).toBe(0);
    expect(screen).toMatch(/is written/);
    expect(screen.length).toBeLessThan(10_000);
  });

  it("two passphrases that differ write nothing, and Ctrl-C stops", async (context) => {
    if (!python) return context.skip(NO_TERMINAL);
    const differ = await onTerminal(
      ["pack", at("documents"), "--target", at("differ.mdcx")],
      [
        ["Choose a passphrase", passphrase],
        ["Once more: ", `${passphrase}!`],
      ],
    );
    expect(differ.code).toBe(2);
    expect(differ.screen).toMatch(/the two passphrases differ/);
    const stopped = await onTerminal(
      ["pack", at("documents"), "--target", at("differ.mdcx")],
      [["Choose a passphrase", "\u0003"]],
    );
    expect(stopped.code).toBe(2);
    expect(stopped.screen).toMatch(/no passphrase was given/);
    expect(await readdir(folder)).not.toContain("differ.mdcx");
  });
});

describe("Node below the floor", () => {
  it("is told so in one sentence", async () => {
    const older = (version: string): Promise<Run> =>
      mdcx(["--version"], {
        node: [
          "--import",
          `data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`,
        ],
      });
    for (const version of ["18.20.4", "20.18.3"]) {
      const stderr = `mdcx needs Node 20.19 or newer; this is Node ${version}. Install a newer Node.\n`;
      expect(await older(version)).toMatchObject({ code: 2, stdout: "", stderr });
    }
    for (const version of ["20.19.0", "22.0.0", "24.1.0"]) expect((await older(version)).code).toBe(0);
  });
});
