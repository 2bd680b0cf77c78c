import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeCommand, type Command } from "../whole-process.js";
import type { Collection } from "./collection.js";
import { hasPeer, nodeWithSqlite, PYTHON_PEERS, pythonWith } from "./peers-here.js";

/** What is asked: words alone, or words and meaning with the encoder's time left out everywhere. */
export type Asked = "words" | "words and meaning";

/** One line of the table: how each step of it is run. */
export interface Contender {
  /** In files and ledgers. */
  readonly id: string;
  readonly name: string;
  readonly asked: Asked;
  readonly encrypted: boolean;
  /** Why it cannot run here, and what would help. */
  readonly missing?: string;
  /** Makes its index of a collection. */
  readonly build: (collection: Collection, target: string) => Command;
  /** Opens, asks once, ends. */
  readonly first: (collection: Collection, target: string) => Command;
  /** The same as a library, where `first` is a program that does not say how long it took to open. */
  readonly inside?: (collection: Collection, target: string) => Command;
  /** Asks one question after another, for some seconds at most. */
  readonly warm: (collection: Collection, target: string, seconds: number) => Command;
}

/** Of this run: the mdcx packages' key, and where vectors of questions are kept. */
export interface Settings {
  readonly data: string;
  readonly key: string;
  readonly cache: string;
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const CLI = here("../../cli/main.js");
const INSTALL = "npm install --ignore-scripts --no-package-lock --prefix bench/peers";

export function contenders({ data, key, cache }: Settings): Contender[] {
  const environment = { MDCX_KEY: key, MDCX_BENCH_CACHE: cache };
  const sqlite = nodeWithSqlite();
  return [
    {
      ...ownSteps("mdcx", environment),
      name: "mdcx",
      asked: "words",
      encrypted: true,
      build: (collection, target) =>
        nodeCommand([CLI, "pack", collection.documents, "--target", target, "--json"], { environment }),
    },
    {
      ...childSteps("sqlite", sqlite),
      name: "SQLite FTS5",
      asked: "words",
      encrypted: false,
      ...(sqlite === undefined && { missing: `needs Node 24: ${INSTALL}` }),
    },
    sqlCipher(),
    peer("minisearch", "MiniSearch", "words", undefined),
    peer("wink", "wink", "words", undefined),
    peer("orama", "Orama", "words", "@orama/orama"),
    peer("lancedb", "LanceDB", "words", "@lancedb/lancedb"),
    pythonMdcx(environment),
    {
      ...ownSteps("mdcx-meaning", environment),
      name: "mdcx",
      asked: "words and meaning",
      encrypted: true,
      build: (collection, target) =>
        nodeCommand([here("../meaning-scale-make.js"), "likely", data, String(collection.facts.passages), target], {
          environment,
        }),
    },
    {
      ...childSteps("sqlite-meaning", sqlite),
      name: "SQLite FTS5 + sqlite-vec",
      asked: "words and meaning",
      encrypted: false,
      ...((sqlite === undefined || !hasPeer("sqlite-vec")) && { missing: `not installed: ${INSTALL}` }),
    },
    peer("lancedb-meaning", "LanceDB", "words and meaning", "@lancedb/lancedb"),
  ];
}

type Steps = Pick<Contender, "id" | "build" | "first" | "warm">;

/** The steps of an engine that child.ts knows by this name. */
function childSteps(id: string, node = process.execPath, environment: Readonly<Record<string, string>> = {}): Steps {
  const child = (...args: readonly string[]): Command =>
    nodeCommand([here("./child.js"), id, ...args], { node, environment });
  return {
    id,
    build: ({ folder }, target) => child("build", folder, target),
    first: ({ folder }, target) => child("first", folder, target),
    warm: ({ folder }, target, seconds) => child("warm", folder, target, String(seconds)),
  };
}

/** mdcx: asked first through its command line, as a person does, and warm through its library. */
function ownSteps(
  id: string,
  environment: Readonly<Record<string, string>>,
): Omit<Steps, "build"> & Pick<Contender, "inside"> {
  const { first, warm } = childSteps(id, undefined, environment);
  const mode = id === "mdcx" ? "words" : "auto";
  return {
    id,
    first: (collection, target) =>
      nodeCommand(
        [CLI, "search", target, collection.shortQuestion(false).text, "--mode", mode, "--limit", "10", "--json"],
        {
          environment,
        },
      ),
    inside: first,
    warm,
  };
}

function peer(id: string, name: string, asked: Asked, module: string | undefined): Contender {
  const missing = module !== undefined && !hasPeer(module);
  return { ...childSteps(id), name, asked, encrypted: false, ...(missing && { missing: `not installed: ${INSTALL}` }) };
}

/** SQLCipher with a random key. */
function sqlCipher(): Contender {
  const python = pythonWith("sqlcipher3");
  const run = (...args: readonly string[]): Command => ({
    program: python ?? "python3",
    args: [PYTHON_PEERS, "sqlcipher", ...args],
    environment: { BENCH_KEY: "5e".repeat(32) },
  });
  return {
    id: "sqlcipher",
    name: "SQLCipher, FTS5",
    asked: "words",
    encrypted: true,
    ...(python === undefined && {
      missing: `not installed: pip install -r ${join("bench/peers", "requirements.txt")}`,
    }),
    build: ({ lines }, target) => run("build", lines, target),
    first: (collection, target) => run("first", target, collection.shortQuestion(false).text),
    warm: ({ questionFile }, target, seconds) => run("warm", target, questionFile, String(seconds)),
  };
}

/** The mdcx written in Python. Its keys are passphrases: it stretches whatever it is given. */
function pythonMdcx(environment: Readonly<Record<string, string>>): Contender {
  const python = pythonWith("mdcx");
  const run = (...args: readonly string[]): Command => ({
    program: python ?? "python3",
    args: [PYTHON_PEERS, ...args],
    environment,
  });
  return {
    id: "python-mdcx",
    name: "mdcx 1, Python",
    asked: "words",
    encrypted: true,
    ...(python === undefined && { missing: "not on the path: pip install mdcx" }),
    build: ({ documents }, target) => run("mdcx-cli", "pack", "--output", documents, "--target", target),
    first: (collection, target) => run("mdcx", "first", target, collection.shortQuestion(false).text),
    warm: ({ questionFile }, target, seconds) => run("mdcx", "warm", target, questionFile, String(seconds)),
  };
}
