/**
 * What looks like a key or a token in a text, by its shape alone (spec/jsonl.md §4). Issuers publish these shapes so that
 * leaked ones are noticed; a password without one is not found. Nothing of a value is ever repeated.
 */

/** Something in a text that looks like a secret. */
export interface SecretShape {
  /** What it looks like: `GitHub token`. */
  readonly kind: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
}

/** The same, of a document on its way into a package. */
export interface FoundSecret extends SecretShape {
  /** `@/notes/setup.md` */
  readonly document: string;
}

/** Shapes that issuers gave their keys, so that a leaked one is noticed. */
const ISSUED: Readonly<Record<string, string>> = {
  "private key": "-----BEGIN (?:[A-Z]+ )?PRIVATE KEY(?: BLOCK)?-----(?=\\s{1,4}[A-Za-z0-9+/])",
  "age secret key": "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}",
  "mdcx key": "mdcx-key-[0-9a-z]{40,}",
  "AWS access key": "(?:AKIA|ASIA)[A-Z2-7]{16}",
  "Anthropic key": "sk-ant-[a-z0-9]{3,8}-[\\w-]{80,120}",
  "OpenAI key": "sk-(?:[a-z]+-)?[\\w-]{20,100}T3BlbkFJ[\\w-]{20,100}",
  "GitHub token": "gh[oprsu]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
  "GitLab token": "glpat-[\\w-]{20,64}",
  "Google key": "AIza[\\w-]{35}",
  "Hugging Face token": "hf_[A-Za-z]{34}",
  "npm token": "npm_[A-Za-z0-9]{36}",
  "PyPI token": "pypi-AgE[\\w-]{50,300}",
  "Slack token": "xox[abeoprs]-[A-Za-z0-9-]{24,200}",
  "Slack webhook": "https://hooks\\.slack\\.com/services/T\\w{8,12}/B\\w{8,12}/\\w{20,30}",
  "Stripe key": "[sr]k_live_[A-Za-z0-9]{20,120}",
  "SendGrid key": "SG\\.[\\w-]{22}\\.[\\w-]{43}",
  "Telegram bot token": "[0-9]{8,10}:AA[\\w-]{33}",
  "JSON Web Token": "eyJ[\\w-]{10,2000}\\.eyJ[\\w-]{10,4000}\\.[\\w-]{20,1000}",
};

/** A password in an address. */
const ADDRESS = "[a-z][a-z0-9+.-]{1,20}://[^\\s:/@<>\"'`]{1,64}:(?<address>[^\\s:/@<>\"'`]{8,64})@[\\w.-]";
/** What people write before a secret, and in tables over or beside it. */
const NAMES =
  "(?:api|secret|access|private|auth|client)[ _-]?(?:key|token|secret)|passwo?r?d|passwort|kennwort|contraseña|mot de passe|senha|wachtwoord";
/** Between such a name and its value: quotes, Markdown's emphasis, a colon, an equals sign or the edge of a cell. */
const VALUE = "[\"'`*_|]{0,4}\\s{0,2}[:=|][\"'`*_ \\t]{0,6}(?<value>[^\\s\"'`<>(){}\\[\\],;|]{8,128})";

const issued = new RegExp(`(?<![\\w-])(?:${grouped(ISSUED)})(?![A-Za-z0-9])`, "g");
/** Secrets that only what stands before them gives away: the value is judged as well. */
const named = new RegExp(`(?<![a-z0-9])(?:${ADDRESS}|(?:${NAMES})${VALUE})`, "gi");

function grouped(shapes: Readonly<Record<string, string>>): string {
  return Object.values(shapes)
    .map((shape) => `(${shape})`)
    .join("|");
}

/** Everything in a text that looks like a secret, in its order. */
export function findSecrets(text: string): SecretShape[] {
  const found: { readonly kind: string; readonly at: number }[] = [];
  for (const match of text.matchAll(issued)) {
    const [whole, ...groups] = match as readonly (string | undefined)[];
    if (isPlaceholder(whole!) || !varied(whole!.slice(-20))) continue;
    found.push({ kind: Object.keys(ISSUED)[groups.findIndex((group) => group !== undefined)]!, at: match.index });
  }
  for (const { index: at, groups } of text.matchAll(named)) {
    const { address, value = "" } = groups as Readonly<Record<string, string | undefined>>;
    if (isChosen(address ?? value))
      found.push({ kind: address === undefined ? "password or key" : "password in an address", at });
  }
  const lineAt = lineCounter(text);
  return found.sort((a, b) => a.at - b.at).map(({ kind, at }) => ({ kind, line: lineAt(at) }));
}

/** A value that somebody chose or drew: letters and a digit, and no word that stands for one. */
function isChosen(value: string): boolean {
  return /\p{L}/u.test(value) && /\d/.test(value) && varied(value) && !isPlaceholder(value);
}

/** Manuals are full of these. */
function isPlaceholder(value: string): boolean {
  return /example|sample|placeholder|change.?me|your|dummy|redacted|x{4}|\*{3}|\.{3}|…|\$\{?[a-z]|%[a-z]/i.test(value);
}

/** Not the same few characters over and over. */
function varied(value: string): boolean {
  return new Set(value).size >= Math.min(6, value.length);
}

function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let counted = 0;
  return (at) => {
    for (let next = text.indexOf("\n", counted); next !== -1 && next < at; next = text.indexOf("\n", counted)) {
      line++;
      counted = next + 1;
    }
    return line;
  };
}
