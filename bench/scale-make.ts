/** Child of scale.ts: writes the synthetic collection as a folder of Markdown. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { syntheticDocuments } from "./synthetic.js";

const [data, passages, folder] = process.argv.slice(2) as [string, string, string];
for (const { path, markdown } of syntheticDocuments(data, Number(passages))) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, markdown);
}
