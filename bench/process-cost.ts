/** Loaded into a process that is measured: says at its end what it took, microseconds of processor and KB at the most. */
import { readFileSync, writeSync } from "node:fs";

/** Greatest resident size. What the system reports as `maxRSS` starts with the size of the process that forked this one. */
function mostKilobytes(): number {
  try {
    const most = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"));
    if (most !== null) return Number(most[1]);
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS;
}

process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(2, `\nprocess-cost ${userCPUTime + systemCPUTime} ${mostKilobytes()}\n`);
});
