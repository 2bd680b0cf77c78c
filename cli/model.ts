import type { CommandModule } from "yargs";
import { sayDestination } from "./encoder.js";
import { json, printableLine, say } from "./print.js";

interface Arguments {
  readonly model?: string | undefined;
  readonly json?: boolean | undefined;
}

export const modelCommand: CommandModule<object, Arguments> = {
  command: "model [model]",
  describe: "Fetch a model of the hub for later, or say what the model is that ships",
  builder: (args) =>
    args
      .positional("model", {
        type: "string",
        describe: "a hub id, with @ and a revision where you want one; or a folder",
      })
      .option("json", { type: "boolean", describe: "as JSON" })
      .example("mdcx model Xenova/bge-small-en-v1.5", "so that packages made with it are found by meaning offline")
      .example("mdcx model", "what the model is that ships"),
  handler: async ({ model, json: asJson }) => {
    const { openEncoder } = await import("../src/node/encoder/open.js");
    const encoder = openEncoder(model, { threads: 1, onDestination: sayDestination });
    try {
      const description = await encoder.describe();
      const { id, revision, sha256, dtype, dimensions, window } = description;
      const lines = [
        `model       ${id}${revision === null ? "" : `, revision ${revision}`}`,
        `file        SHA-256 ${sha256}, ${dtype}`,
        `vectors     ${dimensions} numbers`,
        ...(window > 0 ? [`reads       ${window} tokens at once`] : []),
      ];
      if (asJson) json(description);
      else for (const line of lines) say(printableLine(line));
    } finally {
      await encoder.close();
    }
  },
};
