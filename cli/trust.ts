import { command } from "./command.js";
import { MdcxError } from "../src/errors.js";
import { DONE } from "./failure.js";
import { json, printableLine, say } from "./print.js";
import { withJson } from "./reading.js";

export const trustCommand = command({
  command: "trust <action> [what]",
  describe: "keep the issuers whose public keys you know",
  builder: (args) =>
    withJson(args)
      .positional("action", { choices: ["add", "list", "remove"] as const, demandOption: true, describe: "what to do" })
      .positional("what", { type: "string", describe: "add: a .pub file or 64 hex digits; remove: the name" })
      .option("name", { type: "string", requiresArg: true, describe: "add: the name to remember the key by" })
      .example("$0 trust add office.pub --name Office", "")
      .example("$0 trust remove Office", ""),
  handler: async (args) => {
    const { TrustStore } = await import("../src/node/trust.js");
    const store = new TrustStore();
    switch (args.action) {
      case "add": {
        if (args.what === undefined || args.name === undefined)
          throw new MdcxError("bad-input", "Give the public key and a name: mdcx trust add office.pub --name Office.");
        const { readIssuerKey } = await import("../src/node/key-files.js");
        await store.add(args.name, await readIssuerKey(args.what));
        if (args.json) json({ added: args.name });
        else say(`Packages signed by this key are now shown as signed by "${printableLine(args.name)}".`);
        break;
      }
      case "remove": {
        const name = args.what ?? args.name;
        if (name === undefined)
          throw new MdcxError("bad-input", "Name the issuer to remove: mdcx trust remove Office.");
        await store.remove(name);
        if (args.json) json({ removed: name });
        else say(`"${printableLine(name)}" is no longer trusted.`);
        break;
      }
      case "list": {
        const issuers = (await store.list()).map(({ name, publicKey }) => ({
          name,
          public_key: Buffer.from(publicKey).toString("hex"),
        }));
        if (args.json) json({ issuers });
        else if (issuers.length === 0) say("No issuer is trusted yet: mdcx trust add office.pub --name Office");
        else for (const issuer of issuers) say(`${issuer.public_key}  ${printableLine(issuer.name)}`);
      }
    }
    process.exitCode = DONE;
  },
});
