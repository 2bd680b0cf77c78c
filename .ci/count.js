// Prints the last line of a run: tests as vitest's JSON reports count them, a test of two reports once and as it ran. A failed
// step without a failed test, or a report that is missing, counts as one failure more, so that the line never says 0 failed
// when something did.
//
//   count.js STEP=REPORT… -- FAILED_STEP…
import { existsSync, readFileSync } from "node:fs";

const args = process.argv.slice(2);
const end = args.indexOf("--");
const reports = args.slice(0, end).map((arg) => [arg.slice(0, arg.indexOf("=")), arg.slice(arg.indexOf("=") + 1)]);
const failedSteps = args.slice(end + 1);

const RANK = ["skipped", "passed", "failed"];
/** By file and full name, and by which of several tests of that name it is. */
const statuses = new Map();
const stepsWithFailedTests = new Set();
for (const [step, report] of reports) {
  if (!existsSync(report)) continue;
  const times = new Map();
  for (const { name: file, assertionResults } of JSON.parse(readFileSync(report, "utf8")).testResults)
    for (const { fullName, status } of assertionResults) {
      const name = `${file} ${fullName}`;
      const nth = (times.get(name) ?? 0) + 1;
      times.set(name, nth);
      const key = `${name} ${nth}`;
      // Pending, todo and disabled ones were not run.
      const rank = Math.max(0, RANK.indexOf(status));
      statuses.set(key, Math.max(rank, statuses.get(key) ?? 0));
      if (status === "failed") stepsWithFailedTests.add(step);
    }
}
const count = (status) => [...statuses.values()].filter((rank) => RANK[rank] === status).length;
const elsewhere = failedSteps.filter((step) => !stepsWithFailedTests.has(step)).length;
const line = [`${count("passed")} passed`, `${count("failed") + elsewhere} failed`];
if (count("skipped") > 0) line.push(`${count("skipped")} skipped`);
console.log(line.join(", "));
