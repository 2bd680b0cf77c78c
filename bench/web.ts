/**
 * One package of 100,000 passages on a web server of this machine: how many journeys, requests and bytes a question takes,
 * and whether a far package finds by meaning what a near one does. Counts, not times: a line of its own would decide those.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Traffic } from "../src/format/http-source.js";
import { openPackage, type Package } from "../src/index.js";
import { openRemoteSource } from "../src/node/remote-source.js";
import type { SearchOptions } from "../src/search.js";
import { mean, median } from "./measures.js";
import { questionsOf } from "./scale.js";
import { largePackages } from "./server.js";

/** Questions, spread over those of the collections. */
const QUESTIONS = 20;
const FIRST = 10;

/** What one way of asking takes: of the first question, the opening with it; of each further one, the median and the most. */
export interface WebFigures {
  readonly how: string;
  readonly cold: Traffic;
  readonly further: { readonly journeys: number; readonly megabytes: number; readonly mostMegabytes: number };
  /** Share of the first ten of the near package that are among the first ten of the far one. */
  readonly agreement: number;
}

const WAYS: readonly { readonly how: string; readonly options: SearchOptions; readonly goal: string }[] = [
  {
    how: "words, by stem alone",
    options: { mode: "words", likeness: "without" },
    goal: "12 journeys, 5 MB",
  },
  { how: "words", options: { mode: "words" }, goal: "–" },
  { how: "meaning", options: { mode: "meaning", maxPerDocument: 0 }, goal: "16 journeys, 16 MB; further 4 MB; .95" },
  { how: "words and meaning", options: {}, goal: "–" },
];

/** @param data the folder of the shared data */
export async function measureWeb(data: string, passages: number, note: (text: string) => void): Promise<WebFigures[]> {
  note("the package");
  const { files, key } = largePackages(data, passages, 1);
  const file = files[0]!;
  const all = questionsOf(data);
  const questions = Array.from({ length: QUESTIONS }, (_, i) => all[Math.floor((i * all.length) / QUESTIONS)]!);
  const served = await serve(file);
  const near = await openPackage(file, { secret: key });
  const figures: WebFigures[] = [];
  for (const { how, options } of WAYS) {
    note(how);
    figures.push({ how, ...(await ask(served.address, key, near, questions, options)) });
  }
  await near.close();
  served.close();
  return figures;
}

async function ask(
  address: string,
  secret: string,
  near: Package,
  questions: readonly string[],
  options: SearchOptions,
): Promise<Omit<WebFigures, "how">> {
  const source = await openRemoteSource(address);
  const far = await openPackage(source, { secret });
  const taken: Traffic[] = [];
  const agreements: number[] = [];
  let before: Traffic = { requests: 0, journeys: 0, bytes: 0 };
  for (const question of questions) {
    const found = await far.search(question, options);
    const now = source.traffic;
    taken.push({
      requests: now.requests - before.requests,
      journeys: now.journeys - before.journeys,
      bytes: now.bytes - before.bytes,
    });
    before = now;
    const expected = (await near.search(question, options)).passages.slice(0, FIRST).map(({ id }) => id);
    const ids = new Set(found.passages.slice(0, FIRST).map(({ id }) => id));
    if (expected.length > 0) agreements.push(expected.filter((id) => ids.has(id)).length / expected.length);
  }
  await far.close();
  const [cold, ...further] = taken;
  const bytes = further.map((one) => one.bytes / 1e6);
  return {
    cold: cold!,
    further: {
      journeys: median(further.map((one) => one.journeys)),
      megabytes: median(bytes),
      mostMegabytes: Math.max(...bytes),
    },
    agreement: mean(agreements),
  };
}

export function webTable(figures: readonly WebFigures[]): string {
  const rows = figures.map(
    ({ how, cold, further, agreement }, i) =>
      `| ${how} | ${cold.journeys}, ${cold.requests}, ${(cold.bytes / 1e6).toFixed(1)} MB | ${further.journeys}, ${further.megabytes.toFixed(1)} MB (${further.mostMegabytes.toFixed(1)}) | ${agreement.toFixed(3)} | ${WAYS[i]!.goal} |`,
  );
  return [
    "| | first question, opening included: journeys, requests, bytes | each further one: journeys, bytes (most) | of the near package's first ten | goal |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** A server of one file that speaks parts, on loopback. */
async function serve(file: string): Promise<{ readonly address: string; close(): void }> {
  const descriptor = openSync(file, "r");
  const { size } = fstatSync(descriptor);
  const server = createServer((request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const start = Number(from);
    const end = Math.min(Number(to), size - 1);
    const bytes = new Uint8Array(end - start + 1);
    readSync(descriptor, bytes, 0, bytes.length, start);
    response.writeHead(206, {
      ETag: '"one"',
      "Content-Range": `bytes ${start}-${end}/${size}`,
      "Content-Length": bytes.length,
    });
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/collection.mdcx`,
    close: () => {
      server.close();
      server.closeAllConnections();
      closeSync(descriptor);
    },
  };
}
