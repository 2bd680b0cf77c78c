import { MdcxError } from "../errors.js";
import type { Encoded, Encoder, EncoderDescription, Role } from "./encoder.js";
import { familyOf } from "./families.js";
import { fingerprint, FINGERPRINT_TEXTS } from "./fingerprint.js";
import { parseHttpAddress, type HttpAddress } from "./http-address.js";
import { readAnswer, toUnit, type HttpAnswer } from "./http-answer.js";
import { refusalOf, TooLong } from "./http-refusal.js";

/** Texts of one request, and their characters when each is counted as the longest: what servers pad them to. */
const MOST_TEXTS = 32;
const MOST_CHARACTERS = 32_000;
/** Requests on their way at once: while one is computed, the next one travels. */
const AT_ONCE = 2;
/** A server on processors needs some ten seconds for the largest request, and as long to load its model before the first. */
const TIMEOUT = 120_000;
/** Times that a request is sent while the server says that it is busy, and the longest that it is waited for between two. */
const ATTEMPTS = 6;
const LONGEST_WAIT = 60_000;
/** Bytes of an answer: 32 vectors of 16,384 numbers of 24 characters, and some room. */
const LONGEST_ANSWER = 16 * 2 ** 20;
/** Characters of a text below which no window is made smaller: a server that refuses that many means something else. */
const SMALLEST_WINDOW = 64;

export interface HttpEncoderOptions {
  /** Sent as `Authorization: Bearer`, to that server alone. */
  readonly key?: string;
  /** Told the host, once, before the first text leaves for it. */
  readonly onDestination?: (host: string) => void;
  /** Milliseconds that one request may take; 120,000 unless given. */
  readonly timeout?: number;
}

/**
 * An encoder behind an OpenAI-compatible `/v1/embeddings` (Ollama, vLLM, LM Studio, llama.cpp). It is used where a person
 * gives its address and never otherwise: every text that is encoded leaves for that host.
 *
 * Redirects are not followed. What the server answers is checked as strictly as a file from a stranger.
 */
export class HttpEncoder implements Encoder {
  readonly #address: HttpAddress;
  readonly #key: string | undefined;
  readonly #options: HttpEncoderOptions;
  #announced = false;
  #description: Promise<EncoderDescription> | undefined;

  /**
   * @param address `http://localhost:11434/v1#nomic-embed-text`
   * @throws MdcxError `bad-input` for an address that cannot be one, or a key that no header takes
   */
  constructor(address: string, options: HttpEncoderOptions = {}) {
    this.#address = parseHttpAddress(address);
    this.#options = options;
    this.#key = options.key?.trim() === "" ? undefined : options.key?.trim();
    // Left to fetch, its error would repeat the key.
    if (this.#key !== undefined && !/^[\x21-\x7e]+$/.test(this.#key))
      throw new MdcxError(
        "bad-input",
        "The key in MDCX_EMBEDDINGS_KEY holds characters that cannot be sent in a header.",
      );
  }

  describe(): Promise<EncoderDescription> {
    this.#description ??= this.#describe().catch((error: unknown) => {
      this.#description = undefined;
      throw error;
    });
    return this.#description;
  }

  async encode(texts: readonly string[], role: Role, onProgress?: (done: number) => void): Promise<Encoded> {
    if (texts.length === 0) return { vectors: new Float32Array(0), windowed: 0, tokens: 0 };
    const { dimensions, prefixes } = await this.describe();
    const vectors = new Float32Array(texts.length * dimensions);
    const stop = new AbortController();
    // One iterator for all: each takes the next batch when it is free.
    const batches = batchesOf(texts).values();
    let [done, windowed, tokens] = [0, 0, 0];
    const work = async () => {
      for (const batch of batches) {
        const inputs = batch.map((i) => texts[i]!);
        const encoded = await this.#encode(inputs, prefixes[role], dimensions, stop.signal);
        for (const [at, i] of batch.entries()) vectors.set(encoded.vectors[at]!, i * dimensions);
        windowed += encoded.windowed;
        tokens += encoded.tokens;
        onProgress?.((done += batch.length));
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    } finally {
      stop.abort();
    }
    return { vectors, windowed, tokens };
  }

  /** Forgets what the server is. Its connections close by themselves. */
  close(): Promise<void> {
    this.#description = undefined;
    return Promise.resolve();
  }

  async #describe(): Promise<EncoderDescription> {
    const { model } = this.#address;
    const { pooling, prefixes } = familyOf(model);
    const { vectors } = await this.#encode(FINGERPRINT_TEXTS, prefixes.passage);
    return {
      id: model,
      revision: null,
      sha256: fingerprint(model, vectors),
      dtype: "remote",
      dimensions: vectors[0]!.length,
      pooling,
      prefixes,
      window: 0,
    };
  }

  /** One batch; in smaller ones where the server finds it too long, and in the end a text by its halves. */
  async #encode(
    texts: readonly string[],
    prefix: string,
    dimensions?: number,
    signal?: AbortSignal,
  ): Promise<HttpAnswer & { windowed: number }> {
    try {
      const answer = await this.#post(
        texts.map((text) => prefix + text),
        dimensions,
        signal,
      );
      return { ...answer, windowed: 0 };
    } catch (error) {
      if (!(error instanceof TooLong)) throw error;
      if (texts.length === 1 && texts[0]!.length < SMALLEST_WINDOW)
        throw new MdcxError(
          "encoder-failed",
          `${this.#address.host} finds even ${texts[0]!.length} characters too long (${error.message}): ask it for a model that embeds texts.`,
        );
    }
    const single = texts.length === 1;
    const [first, second] = single ? halvesOfText(texts[0]!) : halvesOf(texts);
    const a = await this.#encode(first, prefix, dimensions, signal);
    const b = await this.#encode(second, prefix, a.vectors[0]!.length, signal);
    const tokens = a.tokens + b.tokens;
    if (single) return { vectors: [meanOf(a.vectors[0]!, b.vectors[0]!)], windowed: 1, tokens };
    return { vectors: [...a.vectors, ...b.vectors], windowed: a.windowed + b.windowed, tokens };
  }

  async #post(inputs: readonly string[], dimensions?: number, signal?: AbortSignal): Promise<HttpAnswer> {
    const { host, model } = this.#address;
    if (!this.#announced) this.#options.onDestination?.(host);
    this.#announced = true;
    const body = JSON.stringify({ model, input: inputs.map(sendable), encoding_format: "float" });
    for (let attempt = 1; ; attempt++) {
      const { status, text, retryAfter } = await this.#send(body, signal);
      if (status >= 200 && status < 300) return readAnswer(text, inputs.length, dimensions, host);
      if (status !== 429 && status !== 503) throw refusalOf(status, text, this.#address, this.#key);
      const wait = retryAfter ?? 1_000 * 2 ** (attempt - 1);
      if (wait > LONGEST_WAIT)
        throw new MdcxError(
          "encoder-failed",
          `${host} is busy (status ${status}) and wants to be asked again in ${Math.ceil(wait / 1_000).toLocaleString("en")} seconds: run this again then.`,
        );
      if (attempt === ATTEMPTS)
        throw new MdcxError(
          "encoder-failed",
          `${host} was busy (status ${status}) ${ATTEMPTS} times in a row: run this again when it has less to do.`,
        );
      await pause(wait, signal);
    }
  }

  async #send(body: string, signal?: AbortSignal): Promise<{ status: number; text: string; retryAfter?: number }> {
    const { host, embeddings } = this.#address;
    const timeout = this.#options.timeout ?? TIMEOUT;
    const expired = AbortSignal.timeout(timeout);
    let answered = false;
    try {
      const response = await fetch(embeddings, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          ...(this.#key !== undefined && { authorization: `Bearer ${this.#key}` }),
        },
        body,
        // Followed, it would carry the texts to a host that nobody named.
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, expired]) : expired,
      });
      answered = true;
      // What a browser makes of a redirect that is not followed.
      const status = response.type === "opaqueredirect" ? 302 : response.status;
      const retryAfter = readRetryAfter(response.headers.get("retry-after"));
      const text = await boundedText(response, host);
      return { status, text, ...(retryAfter !== undefined && { retryAfter }) };
    } catch (cause) {
      if (cause instanceof MdcxError || signal?.aborted) throw cause;
      const { code } = ((cause as Error).cause ?? {}) as { code?: unknown };
      const reason = typeof code === "string" ? ` (${code})` : "";
      const sentence = expired.aborted
        ? `${host} gave no answer within ${timeout / 1_000} seconds: it may be loading its model or be overloaded; run this again.`
        : answered
          ? `${host} broke off its answer${reason}: see what its log says.`
          : `No server of embeddings answers at ${host}${reason}: start it, or correct its address.`;
      throw new MdcxError("encoder-failed", sentence, { cause });
    }
  }
}

/** Numbers of the texts in batches, the longest first: what a server pads is little, and the end comes as foreseen. */
function batchesOf(texts: readonly string[]): number[][] {
  const order = texts.map((_, i) => i).sort((a, b) => texts[b]!.length - texts[a]!.length || a - b);
  const batches: number[][] = [];
  for (let at = 0; at < order.length;) {
    const longest = Math.max(1, texts[order[at]!]!.length);
    const count = Math.max(1, Math.min(MOST_TEXTS, Math.floor(MOST_CHARACTERS / longest)));
    batches.push(order.slice(at, at + count));
    at += count;
  }
  return batches;
}

function halvesOf(texts: readonly string[]): [readonly string[], readonly string[]] {
  const half = texts.length >> 1;
  return [texts.slice(0, half), texts.slice(half)];
}

/** A text in two, cut at the blank nearest to its middle; where there is none, between two characters. */
function halvesOfText(text: string): [readonly string[], readonly string[]] {
  const middle = text.length >> 1;
  const blanks = [text.lastIndexOf(" ", middle), text.indexOf(" ", middle)].filter((at) => at > 0);
  const [blank] = blanks.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  // Far from the middle the halves would not weigh alike; and a pair of surrogates is one character.
  const near = blank !== undefined && Math.abs(blank - middle) < middle / 2;
  const cut = near ? blank : middle + (/[\uDC00-\uDFFF]/.test(text[middle]!) ? 1 : 0);
  return [[text.slice(0, cut)], [text.slice(cut)]];
}

/** The unit vector between two; the first of two that are opposite. */
function meanOf(a: Float32Array, b: Float32Array): Float32Array {
  return toUnit(a.map((x, i) => x + b[i]!)) ?? a;
}

/** A text as every server takes it: half a surrogate pair cannot be written in UTF-8, and many refuse an empty text. */
function sendable(text: string): string {
  return text === "" ? " " : text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

/** Milliseconds of a Retry-After, in seconds or as a date; undefined where it is neither. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return 1_000 * Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The body as text, up to LONGEST_ANSWER bytes: a server that never ends must not fill the memory. */
async function boundedText(response: Response, host: string): Promise<string> {
  const reader = response.body?.getReader() as { read(): Promise<{ value?: Uint8Array }> } | undefined;
  const decoder = new TextDecoder();
  let [text, length] = ["", 0];
  for (let bytes = (await reader?.read())?.value; bytes !== undefined; bytes = (await reader?.read())?.value) {
    length += bytes.length;
    if (length > LONGEST_ANSWER)
      throw new MdcxError(
        "encoder-failed",
        `${host} answers with more than vectors could be: is it a server of embeddings?`,
      );
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}
