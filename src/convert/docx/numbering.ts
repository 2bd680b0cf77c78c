import { child, children, type XmlElement } from "../xml.js";
import { formatNumber } from "./number-formats.js";
import { numberOf, switchOf, valueOf } from "./properties.js";

/** Word knows nine levels of a list. */
const LEVELS = 9;

interface Level {
  readonly start: number;
  readonly format: string;
  /** `%1.%2)`: a percent sign and a level's number stand for the number of that level. */
  readonly text: string;
  /** The level that starts this one again, from 1; 0: none does; undefined: every higher one. */
  readonly restart: number | undefined;
  /** All numbers in it are shown in decimal figures. */
  readonly legal: boolean;
  /** The paragraph style that stands for this level. */
  readonly style: string | undefined;
  /** How far the text is set in, in twentieths of a point. */
  readonly indent: number;
}

interface List {
  /** Lists of one definition count on together. */
  readonly definition: string;
  readonly levels: ReadonlyMap<number, Level>;
  readonly restarts: ReadonlyMap<number, number>;
}

/** What stands before a paragraph of a list. */
export interface Numbered {
  readonly list: string;
  readonly level: number;
  readonly bullet: boolean;
  /** As Word shows it: `1.2.`, `(a)`; empty where it shows nothing, or a bullet. */
  readonly label: string;
  readonly indent: number;
}

/** The numbers that Word computes for paragraphs (ECMA-376 part 1, 17.9). Paragraphs must be asked for in document order. */
export class Numbering {
  readonly #lists = new Map<string, List>();
  readonly #counters = new Map<string, (number | undefined)[]>();
  /** `list level` pairs whose restart has been used up. */
  readonly #restarted = new Set<string>();

  constructor(root: XmlElement | undefined) {
    if (root === undefined) return;
    const definitions = new Map<string, XmlElement>();
    const byStyle = new Map<string, string>();
    for (const each of children(root, "abstractNum")) {
      const id = each.attributes.abstractNumId ?? "";
      definitions.set(id, each);
      const style = valueOf(each, "styleLink");
      if (style !== undefined) byStyle.set(style, id);
    }
    for (const num of children(root, "num")) {
      const id = num.attributes.numId;
      let definition = valueOf(num, "abstractNumId") ?? "";
      if (id === undefined) continue;
      // A definition may only point to the list style that holds the levels.
      const linked = valueOf(definitions.get(definition), "numStyleLink");
      if (linked !== undefined) definition = byStyle.get(linked) ?? definition;
      const levels = new Map<number, Level>();
      const restarts = new Map<number, number>();
      readLevels(definitions.get(definition), levels);
      for (const override of children(num, "lvlOverride")) {
        const level = numberOf(override.attributes.ilvl);
        if (level === undefined) continue;
        readLevels(override, levels);
        const start = numberOf(valueOf(override, "startOverride"));
        if (start !== undefined) restarts.set(level, start);
      }
      this.#lists.set(id, { definition, levels, restarts });
    }
  }

  /** The level that a paragraph style stands for in a list. */
  levelOfStyle(list: string, style: string): number | undefined {
    for (const [number, level] of this.#lists.get(list)?.levels ?? []) if (level.style === style) return number;
    return undefined;
  }

  /** Counts a paragraph and says what stands before it; undefined where the list or its level is not defined. */
  next(listId: string, level: number): Numbered | undefined {
    const list = this.#lists.get(listId);
    const here = list?.levels.get(level);
    if (list === undefined || here === undefined) return undefined;
    let counters = this.#counters.get(list.definition);
    if (counters === undefined) this.#counters.set(list.definition, (counters = []));

    // A higher level that was skipped counts as begun, as Word shows it in `1.1`.
    for (let above = 0; above < level; above++)
      counters[above] ??= list.restarts.get(above) ?? list.levels.get(above)?.start ?? 1;
    const restart = list.restarts.get(level);
    const key = `${listId} ${level}`;
    if (restart !== undefined && !this.#restarted.has(key)) {
      this.#restarted.add(key);
      counters[level] = restart;
    } else counters[level] = counters[level] === undefined ? (restart ?? here.start) : counters[level] + 1;
    for (let below = level + 1; below < LEVELS; below++) {
      const after = list.levels.get(below)?.restart;
      if (after === undefined || (after !== 0 && level < after)) counters[below] = undefined;
    }

    const bullet = here.format === "bullet";
    const current = counters;
    const label = bullet
      ? ""
      : here.text.replace(/%([1-9])/g, (_, digit: string) => {
          const number = Number(digit) - 1;
          const shown = list.levels.get(number);
          const format = here.legal && shown?.format !== "none" ? "decimal" : (shown?.format ?? "decimal");
          return formatNumber(current[number] ?? shown?.start ?? 1, format);
        });
    return { list: listId, level, bullet, label: label.trim(), indent: here.indent };
  }
}

function readLevels(container: XmlElement | undefined, levels: Map<number, Level>): void {
  if (container === undefined) return;
  for (const each of children(container, "lvl")) {
    const number = numberOf(each.attributes.ilvl);
    if (number === undefined || number < 0 || number >= LEVELS) continue;
    const properties = child(each, "pPr");
    const indent = properties === undefined ? undefined : child(properties, "ind");
    levels.set(number, {
      start: numberOf(valueOf(each, "start")) ?? 0,
      format: valueOf(each, "numFmt") ?? "decimal",
      text: valueOf(each, "lvlText") ?? "",
      restart: numberOf(valueOf(each, "lvlRestart")),
      legal: switchOf(each, "isLgl") ?? false,
      style: valueOf(each, "pStyle"),
      indent: numberOf(indent?.attributes.left ?? indent?.attributes.start) ?? 0,
    });
  }
}
