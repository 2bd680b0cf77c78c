// The five-minute tour of the README: packs examples/harbour into ./tour, asks it, and converts examples/originals, with the command line as a person uses it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = here("../tour");
mkdirSync(folder, { recursive: true });

/** Runs one command in the tour's folder, shown as it would be typed. */
function mdcx(...args) {
  const shown = args.map((arg) => (/[^\w@./=-]/.test(arg) ? `"${arg}"` : arg)).join(" ");
  process.stdout.write(`\n$ mdcx ${shown}\n`);
  const { status, stdout } = spawnSync(process.execPath, [here("../dist/cli/main.js"), ...args], {
    cwd: folder,
    stdio: ["ignore", args[0] === "keygen" && args[1] === "--package" ? "pipe" : "inherit", "inherit"],
    encoding: "utf8",
  });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

if (!existsSync(`${folder}/secret.txt`)) {
  writeFileSync(`${folder}/secret.txt`, mdcx("keygen", "--package"), { mode: 0o600 });
  process.stdout.write("(kept in tour/secret.txt)\n");
}
if (!existsSync(`${folder}/office.key`)) mdcx("keygen", "--issuer", "office");
const pack = ["pack", "../examples/harbour", "--target", "harbour.mdcx", "--key-file", "secret.txt"];
mdcx(...pack, "--meaning", "--title", "Harbour handbook", "--issuer", "Harbour office", "--signing-key", "office.key");
mdcx("info", "harbour.mdcx");
mdcx("verify", "harbour.mdcx", "--issuer-key", "office.pub");
for (const question of [
  "Where is the spare key of the stilling well?",
  "Ab welcher Eisdicke werden die Luftsprudler eingeschaltet?",
  "进水孔堵住了怎么办",
  // Italian, which no document is in; and a question about nothing here.
  "Cosa fare in caso di incendio?",
  "How long must lentils be soaked before they are cooked?",
]) {
  mdcx("search", "harbour.mdcx", question, "--limit", "1", "--key-file", "secret.txt");
}
// Documents that are no Markdown yet: converted with a certificate, or packed as they are and converted on the way.
mdcx("convert", "../examples/originals", "--output", "converted", "--report", "report.html");
mdcx("pack", "../examples/originals", "--target", "originals.mdcx", "--key-file", "secret.txt");
mdcx("search", "originals.mdcx", "Where is the spare impeller of the pump?", "--limit", "1", "--key-file", "secret.txt");
process.stdout.write("\nEverything is in the folder tour; ask on with `mdcx search`, or give it to an agent with `mdcx serve`.\n");
