import { open, readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { MdcxError } from "../../errors.js";
import { ioError } from "../../node/io-error.js";

/**
 * Keeps a second run out of an output folder, or out of its part of it. A lock that a killed run left behind is taken over.
 *
 * @returns what gives the folder free again
 */
export async function lockFolder(folder: string, shard = "all"): Promise<() => Promise<void>> {
  const path = join(folder, `.mdcx-lock-${shard}`);
  const own = `${process.pid} ${hostname()} ${await startOf(process.pid)}`;
  for (;;) {
    try {
      const file = await open(path, "wx");
      await file.writeFile(own);
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw ioError(error, "write", folder);
    }
    const holder = await readFile(path, "utf8").catch(() => "");
    const [pid = "", host = "", start = ""] = holder.split(" ");
    // What runs on another machine cannot be seen from here.
    if (holder !== own && (host === hostname() ? await isAlive(Number(pid), start) : host !== ""))
      throw new MdcxError(
        "bad-input",
        `Another conversion (process ${pid} on ${host}) writes into this folder: wait for it, or remove ${path} if it has ended.`,
      );
    await rm(path, { force: true });
  }
}

async function isAlive(pid: number, start: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return (await startOf(pid)) === start;
}

/** When a process began, where the system tells: its number may be another process's by now. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  // The 22nd field; the second one, a name in brackets, may hold blanks.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
