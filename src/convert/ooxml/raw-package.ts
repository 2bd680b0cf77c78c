/**
 * How the independent readers of office documents see a package: by htmlparser2 in its XML mode, where the engines use
 * saxes, and by relationships resolved as addresses. Only the zip directory and the inflating are shared (archive.ts).
 */
import type { Handler, Parser } from "htmlparser2";
import { Archive } from "../archive.js";
import { optional } from "../../node/optional-package.js";
import { refuse } from "../refusal.js";

/** An element as the reader keeps it: names as written but for the prefix. */
export interface RawNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly nodes: (RawNode | string)[];
}

export interface RawTarget {
  readonly kind: string;
  readonly target: string;
  readonly external: boolean;
}

type MakeParser = (handler: Partial<Handler>) => Parser;

const DEEPEST = 500;
const SLICE = 1 << 16;

/** A package in the eyes of a reader. */
export class RawPackage {
  private constructor(
    readonly archive: Archive,
    readonly main: string,
    readonly parser: MakeParser,
  ) {}

  static async open(bytes: Uint8Array, usual: string): Promise<RawPackage> {
    const { Parser } = await optional("Checking office documents", () => import("htmlparser2"));
    const make: MakeParser = (handler) => new Parser(handler, { xmlMode: true, decodeEntities: true });
    const archive = Archive.open(bytes);
    const root = new RawPackage(archive, "", make).targets("");
    const main = Array.from(root.values()).find(({ kind }) => kind === "officeDocument")?.target;
    const found = [main, archive.find(usual)].find((name) => name !== undefined && archive.has(name));
    if (found === undefined) refuse(`The archive lacks its part ${usual}.`);
    return new RawPackage(archive, found, make);
  }

  /** Where the ids of a part lead. */
  targets(part: string): ReadonlyMap<string, RawTarget> {
    const [, folder, file] = /^(.*?)([^/]*)$/.exec(part)!;
    const list = this.tree(`${folder}_rels/${file}.rels`);
    const targets = new Map<string, RawTarget>();
    for (const { attributes } of list === undefined ? [] : elementsIn(list, "Relationship")) {
      const { Id: id, Type: type, Target: target, TargetMode: mode } = attributes;
      if (id === undefined || target === undefined) continue;
      const external = (mode ?? "").toLowerCase() === "external";
      targets.set(id, {
        kind: type?.split("/").at(-1) ?? "",
        target: external ? target : this.#resolve(part, target),
        external,
      });
    }
    return targets;
  }

  /** The parts that a part leads to by a kind. */
  targetsOf(part: string, kind: string): string[] {
    return [...this.targets(part).values()]
      .filter((each) => !each.external && each.kind === kind)
      .map(({ target }) => target);
  }

  #resolve(part: string, target: string): string {
    let path: string;
    try {
      path = new URL(target.replaceAll("\\", "/"), `zip://package/${part}`).pathname;
    } catch {
      return target;
    }
    return this.archive.find(path) ?? this.archive.find(percentDecoded(path)) ?? path.slice(1);
  }

  /** The tree of a part, as far as it can be read; undefined where it is missing. */
  tree(part: string): RawNode | undefined {
    const root: RawNode = { name: "", attributes: {}, nodes: [] };
    const open: RawNode[] = [root];
    const seen = this.stream(part, {
      onopentag: (name, attributes) => {
        if (open.length > DEEPEST) refuse(`${part} is nested deeper than ${DEEPEST} elements.`);
        const node: RawNode = { name: localName(name), attributes, nodes: [] };
        open.at(-1)!.nodes.push(node);
        open.push(node);
      },
      onclosetag: () => {
        if (open.length > 1) open.pop();
      },
      ontext: (text) => open.at(-1)!.nodes.push(text),
    });
    return seen ? root.nodes.find((node) => typeof node !== "string") : undefined;
  }

  /** Hands the events of a part to a handler. @returns whether the part is there */
  stream(part: string, handler: Partial<Handler>): boolean {
    const name = this.archive.find(part);
    if (name === undefined) return false;
    let bytes: Uint8Array;
    try {
      bytes = this.archive.read(name);
    } catch {
      return false;
    }
    const parser = this.parser(handler);
    const decoder = new TextDecoder(encodingOf(bytes));
    for (let at = 0; at < bytes.length; at += SLICE)
      parser.write(decoder.decode(bytes.subarray(at, at + SLICE), { stream: true }));
    parser.end(decoder.decode());
    return true;
  }
}

export function localName(name: string): string {
  const colon = name.lastIndexOf(":");
  return colon < 0 ? name : name.substring(colon + 1);
}

/** An attribute whatever its prefix: those without one first. */
export function attributeOf(attributes: Readonly<Record<string, string>>, local: string): string | undefined {
  if (Object.hasOwn(attributes, local)) return attributes[local];
  for (const [name, value] of Object.entries(attributes)) if (localName(name) === local) return value;
  return undefined;
}

/** Child elements, all or of some names. */
export function elementsIn(node: RawNode | undefined, ...names: readonly string[]): RawNode[] {
  const found: RawNode[] = [];
  for (const each of node?.nodes ?? [])
    if (typeof each !== "string" && (names.length === 0 || names.includes(each.name))) found.push(each);
  return found;
}

/** Follows child elements by name; undefined where one is missing. */
export function pathIn(node: RawNode | undefined, ...names: readonly string[]): RawNode | undefined {
  let at = node;
  for (const name of names) at = elementsIn(at, name)[0];
  return at;
}

/** Every element of some names below a node, in document order, without looking into those found. */
export function outermost(node: RawNode | undefined, ...names: readonly string[]): RawNode[] {
  const found: RawNode[] = [];
  const waiting = elementsIn(node).reverse();
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (names.includes(each.name)) found.push(each);
    else waiting.push(...elementsIn(each).reverse());
  }
  return found;
}

/** All characters below a node. */
export function charactersOf(node: RawNode | string | undefined): string {
  if (node === undefined) return "";
  return typeof node === "string" ? node : node.nodes.map(charactersOf).join("");
}

function percentDecoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff || (bytes[0] === 0x3c && bytes[1] === 0)) return "utf-16le";
  if (bytes[0] === 0xfe || (bytes[0] === 0 && bytes[1] === 0x3c)) return "utf-16be";
  const declared = /^<\?xml[^>]{0,80}encoding=["']([\w-]+)/.exec(String.fromCharCode(...bytes.subarray(0, 120)))?.[1];
  try {
    return declared === undefined || /^utf-?16/i.test(declared) ? "utf-8" : new TextDecoder(declared).encoding;
  } catch {
    return "utf-8";
  }
}
