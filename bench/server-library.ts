/** Child of server.ts: the median milliseconds of the library's own answers by words to the questions that the tool is asked. */
import { readFileSync } from "node:fs";
import { openPackage } from "../src/index.js";
import { median } from "./measures.js";

const [file, questions, warming] = process.argv.slice(2) as [string, string, string];
const pkg = await openPackage(file, { secret: process.env.MDCX_KEY! });
const times: number[] = [];
for (const text of JSON.parse(readFileSync(questions, "utf8")) as string[]) {
  const asked = performance.now();
  await pkg.search(text, { mode: "words", limit: 8 });
  times.push(performance.now() - asked);
}
await pkg.close();
console.log(median(times.slice(Number(warming))));
