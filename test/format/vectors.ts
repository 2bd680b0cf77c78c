import { readFileSync } from "node:fs";
import { primitives as node } from "../../src/node/primitives.js";
import { primitives as portable } from "../../src/format/portable.js";

/** Both implementations, for `describe.each`: what one does the other must do. */
export const implementations = [node, portable];

/** A JSON file of test/vectors, by its path there. The caller states the shape that it relies on. */
export function readVectors(path: string): unknown {
  return JSON.parse(readFileSync(new URL(`../vectors/${path}`, import.meta.url), "utf8"));
}

/** The tests of a Wycheproof file, each with what its group says. */
export function wycheproof<Group, Test>(file: string): (Group & Test & WycheproofTest)[] {
  const { testGroups } = readVectors(`wycheproof/${file}`) as { testGroups: (Group & { tests: Test[] })[] };
  return testGroups.flatMap(({ tests, ...group }) =>
    tests.map((test) => ({ ...group, ...test }) as Group & Test & WycheproofTest),
  );
}

export interface WycheproofTest {
  tcId: number;
  comment: string;
  flags: string[];
  result: "valid" | "invalid";
}

export function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}

export function hex(value: Uint8Array): string {
  return Buffer.from(value).toString("hex");
}
