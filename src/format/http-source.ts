import { MdcxError } from "../errors.js";
import { HttpFile, type HttpFileOptions } from "./http-file.js";
import type { HttpTransport } from "./http-transport.js";
import type { Source } from "./source.js";

/**
 * Bytes that the first request asks for: head, leaf table and first leaves of a package of 100,000 passages (2,800 leaves
 * of 32 bytes), so that opening it is one journey.
 */
const FIRST = 2 ** 18;
/** Bytes between two parts that are rather fetched than asked for apart: a request costs about as long as they take. */
const GAP = 2 ** 16;
/** Bytes that one request asks for at most, so that several travel side by side. */
const LONGEST = 2 ** 22;
/** Requests on their way at the same time. */
const ABREAST = 6;

interface Wanted {
  readonly start: number;
  readonly end: number;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/** What went over the line so far. */
export interface Traffic {
  /** Requests, redirected and repeated ones too. */
  readonly requests: number;
  /** Times that something was waited for: requests side by side are one. */
  readonly journeys: number;
  /** Bytes of the file that came. */
  readonly bytes: number;
}

/**
 * A package on a web server. What is asked for in one go, before anything is awaited, travels together: parts that lie near one
 * another in one request, the others side by side.
 */
export class HttpSource implements Source {
  #waiting: Wanted[] = [];
  #journeys = 1;

  private constructor(
    private readonly file: HttpFile,
    private readonly first: Uint8Array,
  ) {}

  /** @throws MdcxError as `HttpFile.open` */
  static async open(address: string, transport: HttpTransport, options: HttpFileOptions = {}): Promise<HttpSource> {
    const { file, first } = await HttpFile.open(address, FIRST, transport, options);
    return new HttpSource(file, first);
  }

  get name(): string {
    return this.file.name;
  }

  get length(): number {
    return this.file.length;
  }

  get traffic(): Traffic {
    return { ...this.file.traffic, journeys: this.#journeys };
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    const end = offset + length;
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < 0 || length < 0 || end > this.length)
      return Promise.reject(new MdcxError("io", `${this.name} has no bytes ${offset} to ${end}.`));
    if (end <= this.first.length) return Promise.resolve(this.first.subarray(offset, end));
    return new Promise((resolve, reject) => {
      // Whatever else is asked for before this turn ends goes along.
      if (this.#waiting.length === 0) setTimeout(() => void this.#travel(), 0);
      this.#waiting.push({ start: offset, end, resolve, reject });
    });
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  async #travel(): Promise<void> {
    const wanted = this.#waiting.sort((a, b) => a.start - b.start);
    this.#waiting = [];
    this.#journeys++;
    const groups = groupsOf(wanted);
    const next = groups.values();
    const carry = async (): Promise<void> => {
      for (const group of next) await this.#fetch(group);
    };
    await Promise.all(Array.from({ length: Math.min(ABREAST, groups.length) }, carry));
  }

  async #fetch(group: readonly Wanted[]): Promise<void> {
    const start = group[0]!.start;
    const end = Math.max(...group.map((one) => one.end));
    try {
      const bytes = await this.file.read(start, end);
      // Copies, so that one leaf that is kept does not keep all that came with it.
      for (const one of group) one.resolve(bytes.slice(one.start - start, one.end - start));
    } catch (error) {
      for (const one of group) one.reject(error);
    }
  }
}

/** Parts in ascending order, those near one another in one group. */
function groupsOf(parts: readonly Wanted[]): Wanted[][] {
  const groups: Wanted[][] = [];
  let end = 0;
  for (const part of parts) {
    const group = groups.at(-1);
    if (group !== undefined && part.start - end <= GAP && Math.max(end, part.end) - group[0]!.start <= LONGEST)
      group.push(part);
    else groups.push([part]);
    end = group === groups.at(-1) ? Math.max(end, part.end) : part.end;
  }
  return groups;
}
