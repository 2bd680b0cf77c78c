import { MdcxError } from "../errors.js";
import type { Credentials, HttpAnswer, HttpTransport } from "./http-transport.js";

/** Redirects that are followed to one file. */
const MOST_REDIRECTS = 5;
/** Times that a request is sent where the server or the network fails. */
const TRIES = 3;
/**
 * Milliseconds without a byte after which an answer is given up, and the slowest line that is waited for, in bytes a millisecond:
 * what drips is given up as soon as what keeps silent, however much was asked for.
 */
const SILENCE = 9_000;
const SLOWEST = 20;
/** Milliseconds that a try waits for after the one before, longer each time, unless the server says how long; and at most. */
const BACK_OFF = 300;
const LONGEST_WAIT = 5_000;

export interface HttpFileOptions {
  readonly credentials?: Credentials;
  /** Milliseconds without a byte after which an answer is given up. */
  readonly silence?: number;
  /** Waits so many milliseconds. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/** Bytes from `start` (inclusive) to `end` (exclusive), and what the answer said of the whole file. */
interface Part {
  readonly bytes: Uint8Array;
  /** Bytes in the whole file. */
  readonly total: number;
  readonly etag: string | undefined;
}

/**
 * A file on a web server, read in parts (RFC 9110, section 14). Length and entity tag are those of the first answer: where a
 * later one differs nothing of it is used. What the bytes are worth is for the reader of the package to find out.
 */
export class HttpFile {
  #url: URL;
  #length = 0;
  #etag: string | undefined;
  #requests = 0;
  #received = 0;

  private constructor(
    /** The file's name, without the query of its address, which may hold a signature. */
    readonly name: string,
    url: URL,
    private readonly transport: HttpTransport,
    private readonly options: HttpFileOptions,
    private readonly publicOnly: boolean,
  ) {
    this.#url = url;
  }

  /**
   * Asks for the first bytes of a file.
   *
   * @param least how many, or the whole file where it is shorter
   * @throws MdcxError `bad-input` for what is no address, `no-ranges`, `no-answer`, `no-access`, `not-found`,
   *   `unsafe-address`
   */
  static async open(
    address: string,
    least: number,
    transport: HttpTransport,
    options: HttpFileOptions = {},
  ): Promise<{ readonly file: HttpFile; readonly first: Uint8Array }> {
    const url = parseAddress(address);
    const publicOnly = !(await transport.isPrivate(url.hostname));
    const file = new HttpFile(nameOf(url), url, transport, options, publicOnly);
    const { bytes, total, etag } = await file.#part(0, least);
    file.#length = total;
    file.#etag = etag;
    return { file, first: bytes };
  }

  /** Bytes in the file. */
  get length(): number {
    return this.#length;
  }

  /** Requests that were sent, redirected and repeated ones too, and bytes of answers that came. */
  get traffic(): { readonly requests: number; readonly bytes: number } {
    return { requests: this.#requests, bytes: this.#received };
  }

  /** The bytes from `start` (inclusive) to `end` (exclusive). @throws MdcxError `file-changed`, and as `open` */
  async read(start: number, end: number): Promise<Uint8Array> {
    const { bytes, total, etag } = await this.#part(start, end);
    if (total !== this.#length || etag !== this.#etag) throw this.#changed();
    return bytes;
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  async #part(start: number, end: number): Promise<Part> {
    const { wait = sleep } = this.options;
    for (let tried = 1; ; tried++) {
      try {
        return await this.#try(start, end);
      } catch (error) {
        // A server that keeps silent is asked once more, not twice: nobody waits for half a minute.
        if (!(error instanceof Failed) || tried >= (error.silent ? TRIES - 1 : TRIES)) throw plainly(error);
        await wait(Math.min(LONGEST_WAIT, error.retryAfter ?? BACK_OFF * 2 ** (tried - 1)));
      }
    }
  }

  async #try(start: number, end: number): Promise<Part> {
    const stopped = new AbortController();
    const { silence = SILENCE } = this.options;
    const started = performance.now();
    const isDripping = (got: number): boolean => performance.now() - started > silence + got / SLOWEST;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listen = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        stopped.abort();
      }, silence);
    };
    // A transport that does not heed the signal must not keep anyone waiting.
    const silent = new Promise<never>((_, reject) => {
      stopped.signal.addEventListener("abort", () => {
        reject(new Failed(`${this.name}: the server sent nothing for ${Math.round(silence / 1000)} seconds`, true));
      });
    });
    silent.catch(() => undefined);
    listen();
    try {
      return await Promise.race([
        silent,
        this.#read(start, end, stopped.signal, (got) => {
          listen();
          return isDripping(got);
        }),
      ]);
    } catch (error) {
      if (error instanceof Failed || error instanceof MdcxError) throw error;
      throw new Failed(`${this.name}: the server cannot be reached or broke off (${reasonOf(error)})`);
    } finally {
      clearTimeout(timer);
      stopped.abort();
    }
  }

  /** @param isDripping told of every piece that came, whether all so far came too slowly */
  async #read(start: number, end: number, signal: AbortSignal, isDripping: (got: number) => boolean): Promise<Part> {
    const answer = await this.#answer(start, end, signal);
    const total = this.#requirePart(answer, start, end);
    const bytes = new Uint8Array(Math.min(end, total) - start);
    let at = 0;
    for await (const piece of answer.body) {
      this.#received += piece.length;
      if (at + piece.length > bytes.length) throw this.#untrue("sends more bytes than it was asked for");
      bytes.set(piece, at);
      at += piece.length;
      if (isDripping(at) && at < bytes.length)
        throw new Failed(`${this.name}: the server is too slow: ${at} bytes of ${bytes.length} came`, true);
    }
    if (at < bytes.length) throw new Failed(`${this.name}: the server broke off after ${at} bytes of ${bytes.length}`);
    return { bytes, total, etag: etagOf(answer) };
  }

  /** The answer to a request for a part, redirects followed. */
  async #answer(start: number, end: number, signal: AbortSignal): Promise<HttpAnswer> {
    const origin = this.#url.origin;
    let url = this.#url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const headers = {
        "Accept-Encoding": "identity",
        Range: `bytes=${start}-${end - 1}`,
        ...(this.#etag?.startsWith('"') === true && { "If-Match": this.#etag }),
        ...(url.origin === origin && (await this.options.credentials?.(url))),
      };
      this.#requests++;
      const answer = await this.transport.get(url, { headers, publicOnly: this.publicOnly, signal });
      const location = answer.header("location");
      if (answer.status < 300 || answer.status > 399 || location === undefined) return answer;
      url = await this.#redirected(url, location);
    }
    throw new MdcxError(
      "no-answer",
      `${this.name}: the server leads from one address to the next, over ${MOST_REDIRECTS} times: ask for the last one.`,
    );
  }

  async #redirected(from: URL, location: string): Promise<URL> {
    const refuse = (where: string): never => {
      throw new MdcxError(
        "unsafe-address",
        `${this.name}: the server leads to ${where}, where nothing is read from: ask for the address of the file itself.`,
      );
    };
    let to: URL;
    try {
      to = new URL(location, from);
    } catch {
      return refuse("what is no address");
    }
    if (to.protocol !== "https:" && to.protocol !== "http:") return refuse(`a ${to.protocol} address`);
    if (from.protocol === "https:" && to.protocol === "http:") return refuse("an address without encryption");
    if (this.publicOnly && (await this.transport.isPrivate(to.hostname)))
      return refuse("this machine or a private network");
    return to;
  }

  /** @returns bytes in the whole file. @throws for an answer that is not the part which was asked for */
  #requirePart(answer: HttpAnswer, start: number, end: number): number {
    const { status } = answer;
    if (status === 206) return this.#total(answer, start, end);
    if (status === 200) {
      if (this.#length > 0) throw this.#changed();
      throw new MdcxError(
        "no-ranges",
        `${this.name}: this server sends no parts of files, and a package is read in parts: download it, or put it on a server that does.`,
      );
    }
    if (status === 412 || (status === 416 && this.#length > 0)) throw this.#changed();
    if (status === 416) throw new MdcxError("not-a-package", `${this.name} is empty: it is not a package.`);
    if (status === 401 || status === 403)
      throw new MdcxError(
        "no-access",
        `${this.name}: the server does not give it out (status ${status}): set MDCX_BEARER, or the AWS variables for an s3:// address, or let the server read the file, which mdcx writes for its owner alone.`,
      );
    if (status === 404 || status === 410)
      throw new MdcxError("not-found", `${this.name} is not on the server (status ${status}): check the address.`);
    if (status === 429 || status >= 500)
      throw new Failed(`${this.name}: the server failed (status ${status})`, false, retryAfter(answer));
    throw new MdcxError("no-answer", `${this.name}: the server answers with status ${status}: check the address.`);
  }

  #total(answer: HttpAnswer, start: number, end: number): number {
    const encoding = answer.header("content-encoding") ?? "identity";
    if (encoding.toLowerCase() !== "identity")
      throw this.#untrue(`packs the file as ${JSON.stringify(encoding.slice(0, 20))}, which nobody asked for`);
    const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(answer.header("content-range") ?? "");
    if (range === null) throw this.#untrue("does not say which part of the file it sends");
    const [first, last, total] = range.slice(1).map(Number) as [number, number, number];
    const wanted = Math.min(end, total);
    if (first !== start || last + 1 !== wanted) throw this.#untrue("sends another part of the file than was asked for");
    const length = answer.header("content-length");
    if (length !== undefined && Number(length) !== wanted - start)
      throw this.#untrue("says that a part is longer or shorter than it is");
    return total;
  }

  #changed(): MdcxError {
    return new MdcxError("file-changed", `${this.name} changed on the server, or is damaged: open it again.`);
  }

  #untrue(what: string): MdcxError {
    return new MdcxError(
      "file-changed",
      `${this.name}: the server ${what}: nothing of it is used; download the file, or put it on another server.`,
    );
  }
}

/** What may go better at the next try. */
class Failed extends Error {
  constructor(
    message: string,
    readonly silent = false,
    /** Milliseconds that the server wants to be left alone. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

function plainly(error: unknown): unknown {
  if (!(error instanceof Failed)) return error;
  return new MdcxError("no-answer", `${error.message}: try again later, or download the file.`, { cause: error });
}

function retryAfter(answer: HttpAnswer): number | undefined {
  const seconds = answer.header("retry-after");
  return seconds !== undefined && /^\d{1,6}$/.test(seconds) ? 1000 * Number(seconds) : undefined;
}

/** The tag of the file's present state, weak ones included: a file that changes them has changed. */
function etagOf(answer: HttpAnswer): string | undefined {
  const etag = answer.header("etag");
  return etag === undefined || etag === "" ? undefined : etag;
}

/** @throws MdcxError `bad-input`; its message never repeats what may be a password */
function parseAddress(address: string): URL {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new MdcxError("bad-input", "The address of the package cannot be read: write it as https://host/name.mdcx.");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new MdcxError("bad-input", "The address of a package begins with https:// or http://.");
  if (url.username !== "" || url.password !== "")
    throw new MdcxError(
      "bad-input",
      "The address of the package holds a user name or password: leave it out, and give a token in MDCX_BEARER.",
    );
  url.hash = "";
  return url;
}

function nameOf(url: URL): string {
  const last = url.pathname.split("/").at(-1)!;
  try {
    return decodeURIComponent(last) || url.host;
  } catch {
    return last;
  }
}

/** What codes of networks mean (errno of connect, getaddrinfo and TLS), for people. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, "nothing listens at that address"],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "its name is not known"],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "it closed the connection"],
  [/TIMEOUT|ETIMEDOUT/, "it did not answer in time"],
  [/CERT|SELF_SIGNED|LEAF_SIGNATURE/, "its certificate is not trusted here; NODE_EXTRA_CA_CERTS names a file of more"],
];

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code } = Object(cause) as { readonly code?: unknown };
  const known = REASONS.find(([codes]) => typeof code === "string" && codes.test(code));
  return known?.[1] ?? "the connection failed";
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
