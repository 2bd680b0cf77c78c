import { open, rename, type FileHandle } from "node:fs/promises";
import type { FileCalls } from "../../src/node/atomic-file.js";

/** A real disk on which one call, counted from 1, fails as a full or broken one does. */
export interface FailingDisk {
  readonly calls: FileCalls;
  /** Calls made so far. */
  count(): number;
}

/**
 * @param failAt the call that fails; none when 0
 * @param code "ENOSPC" writes half of what it was given first, as a disk does that fills up
 */
export function failingDisk(failAt: number, code: "ENOSPC" | "EIO"): FailingDisk {
  let count = 0;
  const refuse = (syscall: string): void => {
    if (++count !== failAt) return;
    throw Object.assign(new Error(`${code}: injected, ${syscall}`), { code, syscall });
  };
  const wrap = (handle: FileHandle): FileHandle =>
    new Proxy(handle, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name, target);
        if (typeof method !== "function") return method;
        if (name === "write") {
          return async (bytes: Uint8Array, offset: number, length: number, position: number) => {
            if (count + 1 === failAt && code === "ENOSPC") {
              await target.write(bytes, offset, Math.floor(length / 2), position);
            }
            refuse("write");
            return target.write(bytes, offset, length, position);
          };
        }
        return (...args: unknown[]): unknown => {
          // Closing always closes: a test must not leak what it opened.
          if (name !== "close") refuse(String(name));
          return Reflect.apply(method, target, args);
        };
      },
    });
  return {
    count: () => count,
    calls: {
      open: async (...args) => {
        refuse("open");
        return wrap(await open(...args));
      },
      rename: async (...args) => {
        refuse("rename");
        await rename(...args);
      },
    },
  };
}
