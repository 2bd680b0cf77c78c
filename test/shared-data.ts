import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = process.env.MDCX_DATA ?? fileURLToPath(new URL("../../shared/data", import.meta.url));

/** The large and the measure-only data, which are not part of the repository; undefined where they are not there. */
export const sharedData: string | undefined = existsSync(folder) ? folder : undefined;
