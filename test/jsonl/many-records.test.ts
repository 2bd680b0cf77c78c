import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMAND, done, environment, KEY } from "../cli/mdcx.js";

const scratch = await mkdtemp(join(tmpdir(), "mdcx-many-records-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const LINES = 100_000;
/** Every so many lines one that cannot be read. */
const BROKEN = 7_919;
const FILE = join(scratch, "records.jsonl");
const WORDS = "tide ferry quay rope anchor ledger harbour cargo pilot buoy chart lantern winch keel mast stern";
const PROSE = Array.from({ length: 40 }, (_, i) => `${WORDS.slice(i)} ${WORDS.slice(0, i)}`).join(" ");

/** A line of about 900 bytes, no two the same. */
function line(number: number): string {
  if (number % BROKEN === 0) return `{"name":"cut-${number}.md","text":"the rest of it is lost`;
  const text = `Entry ${number} ${PROSE.slice(number % 997, (number % 997) + 800)}`;
  return JSON.stringify({ name: `${number}.md`, folder: `box-${number % 100}`, date: `19${10 + (number % 90)}`, text });
}

beforeAll(async () => {
  const out = createWriteStream(FILE);
  for (let number = 1; number <= LINES; number++) if (!out.write(line(number) + "\n")) await once(out, "drain");
  out.end();
  await once(out, "close");
});

describe("a JSON Lines file of a hundred thousand lines", () => {
  it("is read in memory that its length does not fill, and every unreadable line is named", async () => {
    const module = pathToFileURL(join(COMMAND, "../../src/node/jsonl.js")).href;
    const program = `
      import { readFileSync } from "node:fs";
      import { readRecords } from ${JSON.stringify(module)};
      const { documents, leftOut, close } = await readRecords(${JSON.stringify(FILE)});
      let bytes = 0;
      for (const one of documents) bytes += (await one.read()).length;
      await close();
      // What the system counts for a process begins, on Linux, with what the one that started it took.
      const own = process.platform === "linux" && /VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"));
      const kibibytes = own ? Number(own[1]) : process.resourceUsage().maxRSS;
      console.log(JSON.stringify({ documents: documents.length, leftOut, bytes, mebibytes: kibibytes / 1024 }));`;
    // Were the texts held, the heap would be full at three quarters of them.
    const { documents, leftOut, bytes, mebibytes } = await output([
      "--max-old-space-size=64",
      "--input-type=module",
      "-e",
      program,
    ]);
    const broken = Array.from({ length: Math.floor(LINES / BROKEN) }, (_, i) => (i + 1) * BROKEN);
    expect(leftOut).toEqual(broken.map((number) => ({ document: `line ${number}`, reason: "it is not JSON" })));
    expect(documents).toBe(LINES - broken.length);
    expect(bytes).toBeGreaterThan(75e6);
    expect((await stat(FILE)).size).toBeGreaterThan(80e6);
    expect(mebibytes).toBeLessThan(200);
  });

  it.runIf(process.env.MDCX_LONG)(
    "is packed and found",
    async () => {
      const target = join(scratch, "records.mdcx");
      const withKey = { env: { MDCX_KEY: KEY } };
      const packed = await done(["pack", FILE, "--target", target, "--json"], withKey);
      const summary = JSON.parse(packed.stdout) as { documents: number; dated: { count: number }; left_out: object[] };
      expect(summary).toMatchObject({ documents: 99_988, dated: { count: 99_988 } });
      expect(summary.left_out).toHaveLength(12);
      const found = await done(["document", target, "@/box-42/4242.md"], withKey);
      expect(found.stdout).toContain((JSON.parse(line(4242)) as { text: string }).text.slice(0, 60));
    },
    600_000,
  );
});

interface Output {
  readonly documents: number;
  readonly leftOut: readonly { readonly document: string; readonly reason: string }[];
  readonly bytes: number;
  readonly mebibytes: number;
}

async function output(args: readonly string[]): Promise<Output> {
  const child = spawn(process.execPath, args, { env: environment(), stdio: ["ignore", "pipe", "inherit"] });
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  const [code] = (await once(child, "close")) as [number | null];
  expect(code).toBe(0);
  return JSON.parse(Buffer.concat(parts).toString()) as Output;
}
