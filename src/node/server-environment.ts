import { delimiter } from "node:path";
import { MdcxError } from "../errors.js";
import { nearestPaths } from "../nearest-names.js";
import { isAddress } from "./open-source.js";

/** What a server takes from environment variables (spec/serve.md), beside secrets. */
export interface ServerEnvironment {
  /** `MDCX_FILE`: the packages. */
  readonly files: readonly string[];
  /** `MDCX_ISSUER_KEY`: hex digits or a file. */
  readonly issuerKey: string | undefined;
  /** `MDCX_PINS`: a file, a line a package. */
  readonly pinFile: string | undefined;
  readonly model: string | undefined;
  /** `MDCX_IDLE_UNLOAD_MINUTES`, in milliseconds; 0: never. */
  readonly idleUnload: number;
  readonly log: LogFormat;
  /** `MDCX_AUDIT`: a file. */
  readonly audit: string | undefined;
  readonly auditQueries: boolean;
  readonly debug: boolean;
  /** A sentence for each variable that begins like ours and is none. */
  readonly unknown: readonly string[];
}

const LOG_FORMATS = ["text", "json", "off"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

const KNOWN = [
  "MDCX_FILE",
  "MDCX_KEY",
  "MDCX_KEY_FILE",
  "MDCX_ISSUER_KEY",
  "MDCX_PINS",
  "MDCX_MODEL",
  "MDCX_EMBEDDINGS_KEY",
  "MDCX_BEARER",
  "MDCX_CACHE",
  "MDCX_IDLE_UNLOAD_MINUTES",
  "MDCX_LOG",
  "MDCX_AUDIT",
  "MDCX_AUDIT_QUERIES",
  "MDCX_DEBUG",
  "MDCX_CONFIG",
] as const;
type Variable = (typeof KNOWN)[number];

const IDLE_MINUTES = 10;
/** A week; timers take no more than three. */
const MOST_IDLE_MINUTES = 10_080;

/**
 * Reads the variables. An empty one counts as not set: programs that start servers pass on what nobody filled in.
 *
 * @throws MdcxError `bad-input` for a value that is none of its variable's
 */
export function readServerEnvironment(environment: NodeJS.ProcessEnv): ServerEnvironment {
  const given = (name: Variable): string | undefined => {
    const value = environment[name];
    return value === "" ? undefined : value;
  };
  const one = <T extends string>(name: Variable, allowed: readonly T[], otherwise: T): T => {
    const value = given(name) ?? otherwise;
    const found = allowed.find((each) => each === value);
    if (found === undefined)
      throw new MdcxError("bad-input", `${name} is ${quoted(value)}: it can be ${allowed.join(", ")}.`);
    return found;
  };
  return {
    files: filesOf(given("MDCX_FILE") ?? ""),
    issuerKey: given("MDCX_ISSUER_KEY"),
    pinFile: given("MDCX_PINS"),
    model: given("MDCX_MODEL"),
    idleUnload: 60_000 * idleMinutes(given("MDCX_IDLE_UNLOAD_MINUTES")),
    log: one("MDCX_LOG", LOG_FORMATS, "text"),
    audit: given("MDCX_AUDIT"),
    auditQueries: one("MDCX_AUDIT_QUERIES", ["on", "off"], "off") === "on",
    debug: one("MDCX_DEBUG", ["1", "0"], "0") === "1",
    unknown: unknownVariables(environment),
  };
}

/** A sentence for each variable that begins like ours and is none, with the one that was meant. */
export function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("MDCX_") && !KNOWN.some((known) => known === name))
    .map(unknown);
}

/** The packages of `MDCX_FILE`: one a line, or between the system's separators of paths where none is an address. */
function filesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  const items = lines.some((line) => isAddress(line.trim()))
    ? lines.map(addressOrPath)
    : lines.flatMap((line) => line.split(delimiter));
  return items.filter((item) => item.trim() !== "");
}

/** Blanks around an address belong to nobody; a path may begin with one. */
function addressOrPath(line: string): string {
  return isAddress(line.trim()) ? line.trim() : line;
}

/**
 * The packages to serve: those that are named, else those of `MDCX_FILE`.
 *
 * @throws MdcxError `bad-input` where there is none
 */
export function packagesToServe(named: readonly string[], { files }: ServerEnvironment): readonly string[] {
  const chosen = named.length > 0 ? named : files;
  if (chosen.length === 0)
    throw new MdcxError("bad-input", "No package is named: give mdcx serve FILE.mdcx…, or set MDCX_FILE.");
  return chosen;
}

function idleMinutes(value: string | undefined): number {
  if (value === undefined) return IDLE_MINUTES;
  const minutes = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
  if (!(minutes <= MOST_IDLE_MINUTES))
    throw new MdcxError(
      "bad-input",
      `MDCX_IDLE_UNLOAD_MINUTES is ${quoted(value)}: it can be a number of minutes up to ${MOST_IDLE_MINUTES.toLocaleString("en")}, or 0 for never.`,
    );
  return minutes;
}

function unknown(name: string): string {
  const [nearest] = nearestPaths(
    name.slice("MDCX_".length),
    KNOWN.map((known) => known.slice("MDCX_".length)),
  );
  const meant = nearest === undefined ? "" : `: did you mean MDCX_${nearest}?`;
  return `There is no variable ${name}${meant === "" ? "." : meant}`;
}

/** A value in a message. Secrets have variables of their own, but may be put into the wrong one: only its beginning is shown. */
function quoted(value: string): string {
  return JSON.stringify(value.length > 12 ? `${value.slice(0, 12)}…` : value);
}
