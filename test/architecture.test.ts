import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A source file with every module that it imports, types included, static or not. */
interface Module {
  /** From the checkout: `src/format/head.ts`. */
  readonly path: string;
  /** Modules of this project, as paths like the one above. */
  readonly own: readonly string[];
  /** `node:fs`, `sql.js`, `#primitives`. */
  readonly foreign: readonly string[];
}

async function modules(): Promise<Module[]> {
  const found: Module[] = [];
  for (const folder of ["src", "cli", "mcp"])
    for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith(".ts")) continue;
      const path = relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/");
      const { importedFiles } = ts.preProcessFile(await readFile(join(root, path), "utf8"), true, true);
      const names = importedFiles.map(({ fileName }) => fileName);
      found.push({
        path,
        own: names
          .filter((name) => name.startsWith("."))
          .map((name) => posix.join(dirname(path), name).replace(/\.js$/, ".ts")),
        foreign: names.filter((name) => !name.startsWith(".")),
      });
    }
  return found;
}

const all = await modules();
const byPath = new Map(all.map((module) => [module.path, module]));

/** The part of the design a file belongs to: `format`, `node`, `package`, `cli`. */
function partOf(path: string): string {
  const [top, second] = path.split("/") as [string, string];
  return top === "src" ? second.replace(/\.ts$/, "") : top;
}

/**
 * What each part may import (DESIGN §8): cli, mcp → corpus, pack → package → ranking, words, meaning → image → format;
 * text is used by all and uses none. `node` holds what only Node has: files, its crypto, threads.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  shard: ["errors"],
  text: ["errors"],
  format: ["errors"],
  image: ["format", "text", "errors"],
  words: ["image", "format", "text", "errors"],
  meaning: ["image", "format", "text", "errors"],
  ranking: ["words", "meaning", "image", "format", "text", "errors"],
  convert: ["node", "document", "shard", "image", "text", "errors"],
};
/** Parts that run in browsers: nothing of Node is reached from them, not even by a detour. */
const PORTABLE = ["errors", "format", "image", "text", "words", "meaning", "ranking"];
/** The library as one opens or packs with it; below cli and mcp, above the parts. */
const LIBRARY = ["package", "search", "reply", "document", "pack", "shard"];
const NETWORK = /^(node:)?(http|https|http2|net|tls|dgram|dns)$|fetch|undici|axios|^ws$/;

function reachedFrom(path: string): Set<string> {
  const reached = new Set<string>([path]);
  for (const each of reached) for (const next of byPath.get(each)?.own ?? []) reached.add(next);
  return reached;
}

describe("imports point one way", () => {
  it.each(Object.keys(MAY_IMPORT))("%s imports only what lies below it", (part) => {
    const wrong = all
      .filter(({ path }) => path.startsWith("src/") && partOf(path) === part)
      .flatMap(({ path, own }) =>
        own
          .filter((to) => partOf(to) !== part && !MAY_IMPORT[part]!.includes(partOf(to)))
          .map((to) => `${path} imports ${to}`),
      );
    expect(wrong).toEqual([]);
  });

  it("nothing of the library imports the command line or the server", () => {
    const wrong = all.filter(({ path, own }) => path.startsWith("src/") && own.some((to) => !to.startsWith("src/")));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it("the server imports nothing of the command line", () => {
    const wrong = all.filter(({ path, own }) => path.startsWith("mcp/") && own.some((to) => to.startsWith("cli/")));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it("every import leads to a file, and none in a circle through another part", () => {
    for (const { path, own } of all)
      for (const to of own) expect(existsSync(join(root, to)), `${path} imports ${to}`).toBe(true);
    const circles = all
      .filter(({ path }) => path.startsWith("src/"))
      .filter(({ path, own }) => own.some((to) => partOf(to) !== partOf(path) && reachedFrom(to).has(path)));
    expect(circles.map(({ path }) => path)).toEqual([]);
  });
});

describe("what runs in browsers", () => {
  it.each([...PORTABLE, ...LIBRARY])("%s reaches nothing of Node", (part) => {
    const wrong = all
      .filter(({ path }) => path.startsWith("src/") && partOf(path) === part)
      .flatMap(({ path }) => [...reachedFrom(path)])
      .filter(
        (path) => path.startsWith("src/node/") || byPath.get(path)!.foreign.some((name) => name.startsWith("node:")),
      );
    expect([...new Set(wrong)]).toEqual([]);
  });

  it("uses no global of Node's", async () => {
    const wrong: string[] = [];
    for (const { path } of all) {
      if (!path.startsWith("src/") || ![...PORTABLE, ...LIBRARY].includes(partOf(path))) continue;
      const code = (await readFile(join(root, path), "utf8")).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
      if (/\bprocess\.|\bBuffer\b|\b__dirname\b|\bsetImmediate\b|\brequire\(/.test(code)) wrong.push(path);
    }
    expect(wrong).toEqual([]);
  });
});

describe("mdcx has no network of its own", () => {
  /** What reads packages at addresses that a person names, loaded for an address alone. */
  const reads = ["src/node/http-transport.ts", "src/node/address-guard.ts", "src/node/remote-credentials.ts"];

  it.each(["src/index.ts", "src/pack-entry.ts", "cli/main.ts"])(
    "%s reaches no other module of the network",
    (entry) => {
      expect(byPath.has(entry)).toBe(true);
      const others = [...reachedFrom(entry)].filter((path) => !reads.includes(path));
      const wrong = others.flatMap((path) =>
        byPath
          .get(path)!
          .foreign.filter((name) => NETWORK.test(name))
          .map((name) => `${path} imports ${name}`),
      );
      expect(wrong).toEqual([]);
    },
  );

  it("fetches only the WebAssembly of SQLite, models and vectors, each from where the caller says", async () => {
    const fetching: string[] = [];
    for (const { path } of all)
      if (
        /(await|return|=>|[=(]) fetch\(|\.fetch\(|XMLHttpRequest|WebSocket/.test(
          await readFile(join(root, path), "utf8"),
        )
      )
        fetching.push(path);
    expect(fetching.sort()).toEqual([
      "src/image/sqlite.ts",
      "src/meaning/http.ts",
      "src/meaning/served-model.ts",
      "src/node/encoder/download-thread.ts",
    ]);
  });
});

describe("what is imported from outside", () => {
  it("is a dependency that reading installs, or Node itself; in converters, encoders and lists of dates, an optional one too", async () => {
    const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
      optionalDependencies: Record<string, string>;
    };
    const known = new Set([...Object.keys(dependencies), "mdcx", "#primitives"]);
    const optional = new Set(Object.keys(optionalDependencies));
    const takesOptional = (path: string) =>
      /^src\/(?:convert|meaning|node\/encoder)\/|^src\/node\/date-sidecar\.ts$/.test(path);
    const packageOf = (name: string): string => name.split("/", name.startsWith("@") ? 2 : 1).join("/");
    const wrong = all.flatMap(({ path, foreign }) =>
      foreign
        .filter((name) => !name.startsWith("node:") && !known.has(packageOf(name)))
        .filter((name) => !takesOptional(path) || !optional.has(packageOf(name)))
        .map((name) => `${path} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each(["src/index.ts", "src/node/corpus-thread.ts", "mcp/stdio.ts", "cli/search.ts", "cli/serve.ts"])(
    "%s reads without any converter",
    (entry) => {
      expect(byPath.has(entry)).toBe(true);
      expect([...reachedFrom(entry)].filter((path) => partOf(path) === "convert")).toEqual([]);
    },
  );

  it.each(["src/index.ts", "src/node/corpus-thread.ts", "mcp/stdio.ts", "cli/search.ts", "cli/serve.ts"])(
    "%s loads no optional package before it is needed: words are found without any",
    async (entry) => {
      const { optionalDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
        optionalDependencies: Record<string, string>;
      };
      const reached = new Set([entry]);
      const loaded: string[] = [];
      for (const path of reached)
        for (const name of loadedAtOnce(await readFile(join(root, path), "utf8"), path))
          if (name.startsWith(".")) reached.add(posix.join(dirname(path), name).replace(/\.js$/, ".ts"));
          else loaded.push(name);
      expect(reached.size).toBeGreaterThan(5);
      expect(loaded.filter((name) => Object.keys(optionalDependencies).some((each) => name.startsWith(each)))).toEqual(
        [],
      );
    },
  );
});

/** What a module loads when it is loaded: neither types nor what it imports while it runs. */
function loadedAtOnce(code: string, path: string): string[] {
  const { statements } = ts.createSourceFile(path, code, ts.ScriptTarget.ES2022);
  return statements.flatMap((each) => {
    const from =
      (ts.isImportDeclaration(each) && each.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword) ||
      (ts.isExportDeclaration(each) && !each.isTypeOnly)
        ? each.moduleSpecifier
        : undefined;
    return from !== undefined && ts.isStringLiteral(from) ? [from.text] : [];
  });
}
