import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFrontMatter } from "../../../src/text/front-matter.js";
import { run, worlds } from "./runs.js";

const world = await worlds();

const here = await world({
  "contracts/lease.txt": "ok",
  "contracts/old (1) [draft].txt": "warn",
  'bad|name <img src=x onerror=alert(1)> "\u202etxt.txt': "warn",
  "line\nbreak.txt": "ok",
  "scan.txt": "scan",
  "broken.txt": "refuse",
  ".hidden": "x",
});
const reportPath = join(here.root, "report.html");
const summary = await run(here, { report: reportPath });
const index = await readFile(join(here.output, "INDEX.md"), "utf8");
const findings = await readFile(join(here.output, "FINDINGS.md"), "utf8");
const report = await readFile(reportPath, "utf8");

describe("INDEX.md", () => {
  it("leads to every document, folder by folder, with status and coverage, and is not searched when it is packed", () => {
    expect(readFrontMatter(index).fields.indexed).toBe(false);
    expect(index).toContain("## contracts");
    expect(index).toContain("| [lease.txt](contracts/lease.txt.md) | Title of ok | ok | 100 % | 0 |");
    expect(index).toContain("(contracts/old%20(1)%20%5Bdraft%5D.txt.md)");
    expect(index).toContain("6 (1 refused, 2 warn, 1 unverifiable, 2 ok)");
    expect(index).toContain("99.0 % of 400 words");
    expect(index).toContain("- .hidden: hidden");
  });

  it("shows names that would break a table or hide themselves as what they are", () => {
    const row = index.split("\n").find((line) => line.includes("bad"))!;
    expect(row).toContain("bad\\|name \\<img src=x onerror=alert(1)>");
    expect(row).toContain("u{202e}");
    expect(index).not.toContain("\u202e");
    expect(index).toContain("[line break.txt](line%0Abreak.txt.md)");
  });
});

describe("FINDINGS.md", () => {
  it("names the worst first, with the reason, what was lost where, and what to do", () => {
    expect(findings.indexOf("broken.txt")).toBeLessThan(findings.indexOf("old (1)"));
    expect(findings).toContain("**refused**: broken.txt is broken: mend it.");
    expect(findings).toContain("- page 3: **two words** in “these two words \\<b>are\\</b> lost”");
    expect(findings).toContain("under its own heading");
    expect(findings).toMatch(/## Not verifiable[\s\S]*scan\.txt[\s\S]*--ocr eng/);
  });
});

describe("_manifest.json", () => {
  it("holds every document with its whole certificate and no path of the machine", async () => {
    const text = await readFile(join(here.output, "_manifest.json"), "utf8");
    const manifest = JSON.parse(text) as { documents: Record<string, unknown>[]; totals: Record<string, unknown> };
    expect(manifest.documents).toHaveLength(6);
    expect(manifest.documents.find(({ source }) => source === "contracts/lease.txt")).toMatchObject({
      target: "contracts/lease.txt.md",
      format: "text",
      title: "Title of ok",
      certificate: { status: "ok", engine: "fixture 1", reader: "fixture 2", words: { reference: 100 } },
    });
    expect(manifest.totals).toMatchObject({ documents: 6, words: { reference: 400, lost: 4, coverage: 0.99 } });
    expect(text).not.toContain(here.root);
  });
});

describe("the report", () => {
  it("is one page that loads nothing, and runs only the script that is in it", () => {
    expect(report).not.toMatch(/(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i);
    expect(report).not.toMatch(/@import|url\(/);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(report)![1]!;
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/unsafe/);
    for (const tag of ["style", "script"]) {
      const inside = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(report)![1]!;
      expect(policy).toContain(`'sha256-${createHash("sha256").update(inside).digest("base64")}'`);
    }
  });

  it("escapes names and quotations, and marks the lost words where they stood", () => {
    expect(report).not.toContain("<img");
    expect(report).not.toContain("<b>are</b>");
    expect(report).not.toContain("\u202e");
    expect(report).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(report).toMatch(/these <mark>two words<\/mark> &lt;b&gt;are&lt;\/b&gt; lost/);
  });

  it("shows every document, the worst first", () => {
    expect(report.match(/<details/g)).toHaveLength(6);
    expect(report.indexOf("broken.txt")).toBeLessThan(report.indexOf("lease.txt"));
    expect(report).toContain("Left out");
  });
});

describe("the summary", () => {
  it("names the worst with their reasons", () => {
    expect(summary.worst[0]).toMatchObject({
      source: "broken.txt",
      status: "refused",
      reason: "broken.txt is broken: mend it.",
    });
    expect(summary.worst).toHaveLength(3);
  });
});
