import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";

const compiled = new URL("../../dist/src/image/writer.js", import.meta.url);
const skipped = !process.env.MDCX_LONG
  ? "needs MDCX_LONG"
  : existsSync(compiled)
    ? undefined
    : "needs the compiled library: npm run build";

const program = `
  import { ImageWriter } from ${JSON.stringify(compiled.href)};
  const writer = await ImageWriter.create();
  const before = process.memoryUsage().rss;
  const chunk = new Uint8Array(1_000_000);
  for (let at = 0; at < chunk.length; at++) chunk[at] = (at * 2654435761) >>> 24;
  writer.addStream("postings", (function* () { for (let count = 0; count < 100; count++) yield chunk; })());
  const image = writer.finish();
  console.log(JSON.stringify({ image: image.length, grown: process.resourceUsage().maxRSS * 1024 - before }));
`;

it.skipIf(skipped)(`holds one copy of the image while it writes${skipped ? ` (${skipped})` : ""}`, () => {
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  const { image, grown } = JSON.parse(output) as { image: number; grown: number };
  expect(image).toBeGreaterThan(100_000_000);
  expect(grown).toBeLessThan(1.3 * image);
});
