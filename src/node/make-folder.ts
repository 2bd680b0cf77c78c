import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { MdcxError } from "../errors.js";

/**
 * Makes a folder and those above it. Node's own `recursive` never ends where a file system takes no folders and says that
 * there is nothing (`/proc`, Node 20).
 *
 * @throws the error of the operating system, or MdcxError `io` where nothing can be made there
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, { ...(mode !== undefined && { mode }) });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (code !== "ENOENT") throw error;
    const above = dirname(path);
    if (above === path || (await exists(above)))
      throw new MdcxError("io", `Cannot make the folder ${path}: its file system takes none there.`, { cause: error });
    await makeFolder(above, mode);
    await mkdir(path, { ...(mode !== undefined && { mode }) });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
