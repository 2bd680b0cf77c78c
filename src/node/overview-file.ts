/** A JSON Lines file of overviews (spec/jsonl.md §3), for the documents of a package in the making. */
import { MdcxError } from "../errors.js";
import { OVERVIEW_FIELDS, overviewRecord } from "../jsonl.js";
import type { OverviewSource } from "../overviews.js";
import type { LeftOut } from "../pack.js";
import { readLine } from "./jsonl.js";
import { LineFile, type LinePlace } from "./line-file.js";
import { UnknownKeys, type UnknownKey } from "./unknown-keys.js";

/** Overviews by the documents that they are about; their texts stay in the file until they are asked for. */
export class OverviewFile implements OverviewSource {
  readonly #file: LineFile;
  readonly #places: ReadonlyMap<string, readonly LinePlace[]>;
  readonly #taken = new Set<string>();
  /** Reasons by line. */
  readonly #unreadable: ReadonlyMap<number, string>;

  private constructor(
    file: LineFile,
    places: ReadonlyMap<string, readonly LinePlace[]>,
    unreadable: ReadonlyMap<number, string>,
    /** Fields that no overview has, in the order in which they come. */
    readonly unknownKeys: readonly UnknownKey[],
  ) {
    this.#file = file;
    this.#places = places;
    this.#unreadable = unreadable;
  }

  /** @throws MdcxError as `LineFile.open` */
  static async open(path: string): Promise<OverviewFile> {
    const file = await LineFile.open(path);
    try {
      const places = new Map<string, LinePlace[]>();
      const unreadable = new Map<number, string>();
      const unknown = new UnknownKeys("overviews", OVERVIEW_FIELDS);
      for await (const line of file.lines()) {
        const record = readLine(line, overviewRecord);
        const { number, start, length } = line;
        if (record instanceof MdcxError) unreadable.set(number, record.message);
        else {
          places.set(record.path, [...(places.get(record.path) ?? []), { number, start, length }]);
          unknown.note(record.unknown, number);
        }
      }
      return new OverviewFile(file, places, unreadable, unknown.list());
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  of(path: string): readonly string[] {
    this.#taken.add(path);
    return (this.#places.get(path) ?? []).map((place) => {
      const record = readLine({ ...place, bytes: this.#file.read(place) }, overviewRecord);
      if (record instanceof MdcxError || record.path !== path) throw this.#file.changed();
      return record.text;
    });
  }

  elsewhere(names: readonly string[]): void {
    for (const name of names) this.#taken.add(name);
  }

  /** Lines that nothing was made of, by their numbers, once the package is made. */
  leftOut(): LeftOut[] {
    const reasons = new Map(this.#unreadable);
    for (const [path, places] of this.#places)
      if (!this.#taken.has(path))
        for (const { number } of places) reasons.set(number, `there is no document @/${path} that can be found`);
    return [...reasons]
      .sort(([a], [b]) => a - b)
      .map(([number, reason]) => ({ document: `overview on line ${number}`, reason }));
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
