/** Child of scale.ts: chunks decrypted by a first question, then the times of warm ones. */
import { readFileSync } from "node:fs";
import { openPackage } from "../src/index.js";

const [file, questions, three] = process.argv.slice(2) as [string, string, string];
const pkg = await openPackage(file, { secret: process.env.MDCX_KEY! });
const opening = pkg.decrypted.chunks;
const { forms } = pkg.words;
const dictionary = pkg.decrypted.chunks;
await pkg.search(three, { limit: 5 });
const { chunks, of: all } = pkg.decrypted;
const asked = JSON.parse(readFileSync(questions, "utf8")) as string[];
// The second question makes the index of grams that later ones use.
for (const text of asked.slice(0, 5)) await pkg.search(text);
const times: number[] = [];
for (const text of asked) {
  const started = performance.now();
  await pkg.search(text);
  times.push(performance.now() - started);
}
times.sort((a, b) => a - b);
const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(share * times.length))]!;
console.log(
  JSON.stringify({
    forms: forms.count,
    chunks: { opening, dictionary: dictionary - opening, question: chunks - dictionary, all },
    warm: { p50: at(0.5), p95: at(0.95), p99: at(0.99) },
  }),
);
await pkg.close();
