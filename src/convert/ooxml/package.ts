import { Archive } from "../archive.js";
import type { Finding } from "../engine.js";
import { refuse } from "../refusal.js";
import { child, parseXml, textOf, type XmlElement } from "../xml.js";

/** What a part of a package points to (Open Packaging Conventions, ISO 29500-2, §6.5). */
export interface Relationship {
  /** The last word of its type, which Strict and Transitional share: `slide`, `sharedStrings`, `hyperlink`. */
  readonly kind: string;
  /** A part's name as the archive has it, or the address where it is external. */
  readonly target: string;
  readonly external: boolean;
}

/** What the author states about the document in its core properties. */
export interface Properties {
  readonly title?: string;
  readonly language?: string;
}

/** Nobody reads more, and a hostile file could make one of each of its parts. */
const MOST_FINDINGS = 500;

/** An office document: parts found by what points to them, never by the names that programs are used to give. */
export class OfficePackage {
  readonly findings: Finding[] = [];
  readonly #relationships = new Map<string, ReadonlyMap<string, Relationship>>();

  private constructor(
    readonly archive: Archive,
    /** The part that everything hangs on. */
    readonly main: string,
  ) {}

  /** @param usual the name that the main part has where nothing points to it: `xl/workbook.xml` */
  static open(bytes: Uint8Array, usual: string): OfficePackage {
    const archive = Archive.open(bytes);
    const pointed = [...readRelationships(archive, "").values()].find(({ kind }) => kind === "officeDocument");
    const main = [pointed?.target, archive.find(usual)].find((name) => name !== undefined && archive.has(name));
    if (main === undefined)
      refuse(`The archive lacks its part ${usual}: it is damaged or another kind of document, open and save it again.`);
    return new OfficePackage(archive, main);
  }

  note(severity: Finding["severity"], kind: string, text: string): void {
    if (this.findings.length < MOST_FINDINGS && !this.findings.some((known) => known.text === text))
      this.findings.push({ severity, kind, text });
  }

  /** What a part points to, by the id that it uses for it. Damaged lists count as empty, with a finding. */
  relationships(part: string): ReadonlyMap<string, Relationship> {
    let known = this.#relationships.get(part);
    if (known === undefined) {
      known = this.#attempt(part, () => readRelationships(this.archive, part)) ?? new Map<string, Relationship>();
      this.#relationships.set(part, known);
    }
    return known;
  }

  /** The parts that a part points to by a kind, in the order of its list. */
  related(part: string, kind: string): string[] {
    return [...this.relationships(part).values()]
      .filter((each) => each.kind === kind && !each.external)
      .map(({ target }) => target);
  }

  /** The bytes of a part; undefined, with a finding, where it is missing or cannot be read. */
  bytes(part: string): Uint8Array | undefined {
    if (!this.archive.has(part)) {
      this.note("warn", "missing part", `The part ${part} is referred to and not there: what it held is lost.`);
      return undefined;
    }
    return this.#attempt(part, () => this.archive.read(part));
  }

  /** The tree of a part; undefined, with a finding, where it is missing or no XML. */
  tree(part: string): XmlElement | undefined {
    const bytes = this.bytes(part);
    return bytes === undefined ? undefined : this.#attempt(part, () => parseXml(bytes, part));
  }

  properties(): Properties {
    const part = [...this.relationships("").values()].find(({ kind }) => kind === "core-properties")?.target;
    const core = part !== undefined && this.archive.has(part) ? this.tree(part) : undefined;
    const value = (name: string): string | undefined => {
      const element = core && child(core, name);
      const text = element && textOf(element).replace(/\s+/g, " ").trim();
      return text === "" ? undefined : text;
    };
    const title = value("title");
    const language = value("language");
    // No date: when a program saved or made the file says nothing of when its text was published.
    return {
      ...(title !== undefined && !/^(?:PowerPoint Presentation|Slide 1|Untitled|Book\d*)$/i.test(title) && { title }),
      ...(language !== undefined && /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(language) && { language }),
    };
  }

  /** One damaged part costs its own contents, not the document's. */
  #attempt<T>(part: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (cause) {
      this.note("warn", "damaged part", `The part ${part} could not be read: ${(cause as Error).message}`);
      return undefined;
    }
  }
}

function readRelationships(archive: Archive, part: string): ReadonlyMap<string, Relationship> {
  const slash = part.lastIndexOf("/") + 1;
  const list = archive.find(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`);
  const found = new Map<string, Relationship>();
  if (list === undefined) return found;
  for (const node of parseXml(archive.read(list), list).children) {
    if (typeof node === "string" || node.name !== "Relationship") continue;
    const { Id: id, Type: type = "", Target: target, TargetMode: mode } = node.attributes;
    if (id === undefined || target === undefined) continue;
    const external = mode?.toLowerCase() === "external";
    const kind = type.slice(type.lastIndexOf("/") + 1);
    found.set(id, { kind, target: external ? target : partName(archive, part.slice(0, slash), target), external });
  }
  return found;
}

/** A target as the name of a part: from the root where it begins with a slash, else from the folder of what points to it. */
function partName(archive: Archive, folder: string, target: string): string {
  const steps: string[] = [];
  for (const step of (target.startsWith("/") ? target : folder + target).split(/[/\\]/)) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  const name = steps.join("/");
  return archive.find(name) ?? archive.find(unescapeName(name)) ?? name;
}

function unescapeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
