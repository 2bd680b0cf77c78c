// A converter that does what each small file tells it: the pool and the run are tested with it. Real documents go through
// the real one in test/cli/convert.test.ts.
import { appendFileSync, existsSync, writeFileSync } from "node:fs";

const text = (original) => new TextDecoder().decode(original.bytes);
const order = (original) => /^(\w+)(?: (\S+)(?: (\S+))?)?/.exec(text(original)) ?? [];

export function partsOf(original, threshold) {
  const [, what, count] = order(original);
  if (what !== "book" || Number(count) <= threshold) return Promise.resolve([undefined]);
  return Promise.resolve(Array.from({ length: Number(count) / 10 }, (_, i) => ({ from: 10 * i + 1, to: 10 * i + 10 })));
}

export async function convertPart(original, { pages }) {
  const [, what, value, how] = order(original);
  const log = process.env.TMPDIR && `${process.env.TMPDIR}/converted.log`;
  const name = pages === undefined ? original.path : `${original.path}#${pages.from}`;
  switch (what) {
    case "hang":
      for (;;);
    case "crash":
      process.kill(process.pid, "SIGSEGV");
      await new Promise(() => undefined);
      break;
    case "crashonce":
      if (!existsSync(`${process.env.TMPDIR}/crashed`)) {
        writeFileSync(`${process.env.TMPDIR}/crashed`, "");
        process.abort();
      }
      break;
    case "memory":
      for (const held = []; ;) held.push(new Uint8Array(16 * 2 ** 20).fill(1));
    case "heap":
      for (const held = []; ;) held.push(Array.from({ length: 1000 }, (_, i) => ({ i })));
    case "throw":
      throw new Error("a fault of the converter");
    case "refuse":
      return part("", { status: "refused", reason: `${original.path} is broken: mend it.` });
    case "locked":
      if (original.password !== value)
        return part("", { status: "refused", reason: "It is protected: give its password." });
      break;
    case "slow":
      await new Promise((resolve) => setTimeout(resolve, Number(value)));
      break;
    case "network": {
      const { Worker } = await import("node:worker_threads");
      const tries = `
        const tried = [
          () => fetch("http://127.0.0.1:${value}/"),
          () => new Promise((resolve, reject) => require("node:net").connect(${value}, "127.0.0.1", resolve).on("error", reject)),
          () => new Promise((resolve, reject) => require("node:http").get("http://127.0.0.1:${value}/", resolve).on("error", reject)),
          () => require("node:dns").promises.lookup("localhost"),
        ];
        Promise.allSettled(tried.map(async (one) => one())).then((all) =>
          require("node:worker_threads").parentPort.postMessage(all.map(({ status, reason }) => status + " " + (reason?.cause ?? reason))));`;
      const answers = await new Promise((resolve) => new Worker(tries, { eval: true }).on("message", resolve));
      const here = await fetch(`http://127.0.0.1:${value}/`).then(
        () => "fulfilled",
        (error) => `rejected ${error.cause}`,
      );
      return part([...answers, here].join("\n"), { status: "ok" });
    }
    case "book":
      if (how === "slow") await new Promise((resolve) => setTimeout(resolve, 40));
      break;
    case "stray":
      void Promise.reject(new Error("nobody listens"));
      break;
  }
  if (log) appendFileSync(log, `${name}\n`);
  const body = pages === undefined ? text(original) : `Pages ${pages.from} to ${pages.to}\n`;
  if (what === "warn") return part(body, { status: "warn", reason: "Two words are missing.", lost: 2 });
  if (what === "scan") return part(body, { status: "unverifiable", reference: 0 });
  return part(body, { status: "ok" });
}

function part(markdown, { status, reason, lost = 0, reference = 100 }) {
  const none = { reference: 0, lost: 0, added: 0 };
  const words = status === "refused" ? 0 : reference;
  const coverage = words === 0 ? null : (words - lost) / words;
  return {
    format: "text",
    markdown,
    recovered: "",
    facts: { title: `Title of ${status}` },
    certificate: {
      status,
      ...(reason && { reason }),
      engine: "fixture 1",
      reader: "fixture 2",
      words: { ...none, reference: words, lost, coverage, recovered: lost, withheld: {}, labels: 0, unverifiable: 0 },
      order: words === 0 ? null : 1,
      numbers: none,
      lost: lost === 0 ? [] : [{ place: "page 3", words: ["two", "words"], text: "these two words <b>are</b> lost" }],
      added: [],
      findings: [],
    },
  };
}

export function assemble(source, parts) {
  const broken = parts.find(
    ({ certificate }) => certificate.status === "refused" || certificate.status === "timed-out",
  );
  const status = parts.length > 1 && broken ? "fail" : parts[0].certificate.status;
  const certificate = { ...(broken ?? parts[0]).certificate, status };
  if (status === "refused" || status === "timed-out") return { markdown: "", certificate };
  const head = `---\nsource: ${source.path}\nsource_sha256: ${source.sha256}\n---\n\n`;
  return { markdown: head + parts.map(({ markdown }) => markdown).join("\n"), certificate };
}
