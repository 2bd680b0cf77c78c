import { MdcxError } from "../errors.js";
import type { SqlValue } from "./sqlite.js";

/**
 * Columns as they are asked for and checked. SQLite keeps any type in any column, and a forged row may claim a value as
 * long as the image; so the storage class and the length are tested in SQL, which reads neither for that, before the
 * value is brought over. What does not fit comes over as a value of another type, which the checks below refuse.
 */
export const column = {
  integer: (name: string) => `CASE typeof(${name}) WHEN 'integer' THEN ${name} WHEN 'null' THEN NULL ELSE '' END`,
  real: (name: string) => `CASE typeof(${name}) WHEN 'real' THEN ${name} WHEN 'null' THEN NULL ELSE '' END`,
  text: (name: string, most: number) =>
    `CASE typeof(${name}) WHEN 'text' THEN CASE WHEN octet_length(${name})<=${most} THEN ${name} ELSE 0 END ` +
    `WHEN 'null' THEN NULL ELSE 0 END`,
  blob: (name: string, most: number) =>
    `CASE typeof(${name}) WHEN 'blob' THEN CASE WHEN octet_length(${name})<=${most} THEN ${name} ELSE 0 END ` +
    `WHEN 'null' THEN NULL ELSE 0 END`,
};

/** Refuses what a row holds. */
export function badImage(why: string, cause?: unknown): never {
  throw new MdcxError(
    "bad-image",
    `The image of this package is not in order (${why}): ask its issuer for a new copy.`,
    cause === undefined ? undefined : { cause },
  );
}

/** A whole number from `least` to `most`, both included. */
export function integer(value: SqlValue | undefined, what: string, least: number, most: number): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least || value > most) {
    return badImage(`${what} is out of range`);
  }
  return value;
}

export function integerOrNull(value: SqlValue | undefined, what: string, least: number, most: number): number | null {
  return value === null ? null : integer(value, what, least, most);
}

export function flag(value: SqlValue | undefined, what: string): boolean {
  return integer(value, what, 0, 1) === 1;
}

export function text(value: SqlValue | undefined, what: string): string {
  return typeof value === "string" ? value : badImage(`${what} is not text`);
}

export function textOrNull(value: SqlValue | undefined, what: string): string | null {
  return value === null ? null : text(value, what);
}

export function blob(value: SqlValue | undefined, what: string, length: number): Uint8Array {
  return value instanceof Uint8Array && value.length === length ? value : badImage(`${what} is not ${length} bytes`);
}
