import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { findSecrets } from "../../src/secret-shapes.js";
import { packed } from "../package/in-memory.js";

const LETTERS = "aB3dE6gH9kL2mN5pQ8rS1tU4vW7xY0zA";
/** Characters that look drawn, of a given alphabet; made here, so that no token lies in this file. */
function drawn(length: number, alphabet = LETTERS): string {
  return Array.from({ length }, (_, i) => alphabet[(i * 7 + (i >> 2) * 3) % alphabet.length]!).join("");
}
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const pem = (what: string): string =>
  `-----BEGIN ${what}PRIVATE KEY-----\n${drawn(64)}\n-----END ${what}PRIVATE KEY-----`;

const SECRETS: readonly (readonly [kind: string, secret: string])[] = [
  ["private key", pem("")],
  ["private key", pem("RSA ")],
  ["private key", pem("OPENSSH ")],
  ["age secret key", `AGE-SECRET-KEY-1${drawn(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")}`],
  ["mdcx key", `mdcx-key-${drawn(56, "qpzry9x8gf2tvdw0s3jn54khce6mua7l")}`],
  ["AWS access key", `AKIA${drawn(16, UPPER)}`],
  ["Anthropic key", `sk-ant-api03-${drawn(93)}AA`],
  ["OpenAI key", `sk-proj-${drawn(60)}T3BlbkFJ${drawn(60)}`],
  ["GitHub token", `ghp_${drawn(36)}`],
  ["GitHub token", `github_pat_${drawn(22)}_${drawn(59)}`],
  ["GitLab token", `glpat-${drawn(20)}`],
  ["Google key", `AIza${drawn(35)}`],
  ["Hugging Face token", `hf_${drawn(34, "abcdefGHIJKLmnopqr")}`],
  ["npm token", `npm_${drawn(36)}`],
  ["PyPI token", `pypi-AgE${drawn(60)}`],
  ["Slack token", `xoxb-${drawn(12, "1234567890")}-${drawn(24)}`],
  ["Slack webhook", `https://hooks.slack.com/services/T${drawn(8, UPPER)}/B${drawn(8, UPPER)}/${drawn(24)}`],
  ["Stripe key", `sk_live_${drawn(24)}`],
  ["SendGrid key", `SG.${drawn(22)}.${drawn(43)}`],
  ["Telegram bot token", `${drawn(10, "1234567890")}:AA${drawn(33)}`],
  ["JSON Web Token", `eyJ${drawn(20)}.eyJ${drawn(40)}.${drawn(43)}`],
  ["password in an address", `postgres://app:${drawn(10)}@db.internal:5432/app`],
  ["password or key", `api_key = "${drawn(24)}"`],
  ["password or key", `Passwort: ${drawn(12)}`],
  ["password or key", `| Password | ${drawn(12)} |`],
  ["password or key", `**Kennwort:** \`${drawn(12)}\``],
  ["password or key", `"client_secret": "${drawn(30)}"`],
];

describe("what looks like a secret", () => {
  it.each(SECRETS)("%s is found with its line, alone, in a sentence and in code", (kind, secret) => {
    for (const [before, after] of [
      ["", ""],
      ["The one of the harbour: ", ". Do not lose it."],
      ["`", "`"],
    ] as const)
      expect(findSecrets(`# Setup\n\nÜber 🗝️\n${before}${secret}${after}\n`)).toEqual([{ kind, line: 4 }]);
  });

  it.each([
    ["a placeholder", `ghp_${"x".repeat(36)} AKIAIOSFODNN7EXAMPLE password: your-password-1 api_key=$API_KEY1`],
    ["what a manual writes in an address", "https://user:password@example.org postgres://user:${DB_PASSWORD1}@host/db"],
    ["a digest, a UUID or a commit", `${drawn(64, "0123456789abcdef")} 123e4567-e89b-42d3-a456-426614174000`],
    ["a part of a longer word", `Xghp_${drawn(36)} ghp_${drawn(300)}`],
    ["talk about passwords", "The password: it must have twelve characters. API key: see chapter 12. Token | Meaning"],
    [
      "a public key",
      `-----BEGIN PUBLIC KEY-----\n${drawn(64)}\n-----END PUBLIC KEY-----\nssh-ed25519 AAAA${drawn(60)}`,
    ],
    ["the head of a private key without one", "It begins with `-----BEGIN PRIVATE KEY-----`."],
    ["base64 of an image", `![](data:image/png;base64,${drawn(4000)})`],
  ])("is not %s", (_what, text) => {
    expect(findSecrets(text)).toEqual([]);
  });

  it("is found in long hostile texts in a time that grows with their length alone", () => {
    const hostile = ["eyJa", "a://b:", "password = ", "-----BEGIN A ", "sk-a-", "xoxb-1-", "eyJ0aaaaaaaaaa."].map(
      (part) => part.repeat(Math.ceil(200_000 / part.length)),
    );
    for (const text of hostile) {
      const started = performance.now();
      findSecrets(text);
      expect(performance.now() - started, text.slice(0, 20)).toBeLessThan(5_000);
    }
  });

  const harbour = new URL("../../examples/harbour/", import.meta.url);
  it.runIf(existsSync(harbour))("is nothing in the example that ships", async () => {
    const { readdir } = await import("node:fs/promises");
    const names = (await readdir(harbour, { recursive: true })).filter((name) => name.endsWith(".md"));
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) expect(findSecrets(await readFile(new URL(name, harbour), "utf8")), name).toEqual([]);
  });
});

describe("packing with a look for secrets", () => {
  const token = `ghp_${drawn(36)}`;
  const folder = { "a.md": `One\n\n${token}\n`, "b.md": `---\nindexed: false\n---\n${token}\n`, "c.md": "None.\n" };

  it("names document and line, those that no search finds included, never the secret, and changes nothing", async () => {
    const now = new Date("2026-01-01");
    const follows = { packageId: "00112233445566778899aabbccddeeff", revision: 0 };
    const looked = await packed(folder, { warnSecrets: true, now, follows });
    const plain = await packed(folder, { now, follows });
    expect(looked.summary.secrets).toEqual([
      { document: "@/a.md", kind: "GitHub token", line: 3 },
      { document: "@/b.md", kind: "GitHub token", line: 4 },
    ]);
    expect(JSON.stringify(looked.summary)).not.toContain(token.slice(4, 12));
    expect(looked.bytes.length).toBe(plain.bytes.length);
    expect(plain.summary).not.toHaveProperty("secrets");
  });

  it("looks at overviews as well", async () => {
    const overviews = { of: (path: string) => (path === "c.md" ? [`Sum.\n\n${token}`] : []) };
    const { summary } = await packed({ "c.md": "None.\n" }, { warnSecrets: true, overviews });
    expect(summary.secrets).toEqual([{ document: "overview of @/c.md", kind: "GitHub token", line: 3 }]);
  });
});
