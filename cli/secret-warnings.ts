import type { Argv } from "yargs";
import type { FoundSecret } from "../src/pack-entry.js";
import { counted, note, printableLine } from "./print.js";

/** Lines that are named one by one; the rest is counted. */
const NAMED = 10;

export function withSecretWarning<T>(args: Argv<T>) {
  return args.option("warn-secrets", {
    type: "boolean",
    default: false,
    describe: "report what looks like a key, a token or a password in the documents; changes nothing",
  });
}

/** Says where something looks like a secret, and nothing of what it is; also that nothing does. */
export function noteSecrets(secrets: readonly FoundSecret[] | undefined): void {
  if (secrets === undefined) return;
  if (secrets.length === 0) {
    note("Nothing in the documents has the shape of a key, a token or a password.");
    return;
  }
  note(
    `mdcx: warning: ${counted(secrets.length, "place")} in the documents ${secrets.length === 1 ? "looks" : "look"} like a secret, and whoever opens the package can read it:`,
  );
  for (const { document, line, kind } of secrets.slice(0, NAMED))
    note(`  ${printableLine(document)}, line ${line}: ${kind}`);
  if (secrets.length > NAMED) note(`  and ${secrets.length - NAMED} more; --json names them all`);
}
