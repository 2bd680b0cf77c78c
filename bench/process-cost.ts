/** Loaded into a process that is measured: says at its end what it took, microseconds of processor and KB at the most. */
import { writeSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(2, `\nprocess-cost ${userCPUTime + systemCPUTime} ${maxRSS}\n`);
});
