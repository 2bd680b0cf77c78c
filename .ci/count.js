// Prints the last line of a run: tests as vitest's JSON report counts them. A failed step other than the tests, or a
// report that is missing, counts as one failure more, so that the line never says 0 failed when something did.
import { existsSync, readFileSync } from "node:fs";

const [report, ...failedSteps] = process.argv.slice(2);
const counted = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined;
const passed = counted?.numPassedTests ?? 0;
const failedTests = counted?.numFailedTests ?? 0;
const skipped = (counted?.numPendingTests ?? 0) + (counted?.numTodoTests ?? 0);
const elsewhere = failedSteps.filter((name) => name !== "tests" || failedTests === 0).length;
const line = [`${passed} passed`, `${failedTests + elsewhere} failed`];
if (skipped > 0) line.push(`${skipped} skipped`);
console.log(line.join(", "));
