import type { Engine } from "../engine.js";
import { isCompoundFile } from "../legacy/compound-file.js";
import { readEml } from "./eml.js";
import { messageToMarkdown } from "./message.js";
import { readMsg } from "./msg.js";

/** Messages: `.eml` of any mail program, `.msg` of Outlook. */
export const engine: Engine = async ({ bytes, path }) =>
  isCompoundFile(bytes)
    ? messageToMarkdown(await readMsg(bytes, path), "@kenjiuno/msgreader 1.28.0")
    : messageToMarkdown(await readEml(bytes, path), "postal-mime 4.0.0");
