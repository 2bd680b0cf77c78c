// One run of the compiled library with the fixture, as a process that tests can kill.
import { pathToFileURL } from "node:url";

const [dist, input, output, asked] = process.argv.slice(2);
const { runConversion } = await import(pathToFileURL(`${dist}/src/convert/run/run.js`).href);
const interrupt = new AbortController();
process.on("SIGINT", () => interrupt.abort());
try {
  const summary = await runConversion(input, output, {
    ...JSON.parse(asked),
    converter: new URL("./fixture-converter.mjs", import.meta.url),
    signal: interrupt.signal,
  });
  process.stdout.write(JSON.stringify(summary));
} catch (error) {
  process.stderr.write(error.name === "MdcxError" ? error.message : error.stack);
  process.exitCode = 2;
}
