import type { RequestListener, ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { MdcxError } from "../../src/errors.js";
import { FINGERPRINT_TEXTS } from "../../src/meaning/fingerprint.js";
import { HttpEncoder, type HttpEncoderOptions } from "../../src/meaning/http.js";
import { embeddingsAnswer, loopback, readRequest, type EmbeddingsRequest, type Loopback } from "./loopback.js";

const opened: Loopback[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function serve(listener: RequestListener): Promise<Loopback> {
  const server = await loopback(listener);
  opened.push(server);
  return server;
}

/** Three numbers that are made of a text, so that a vector in the wrong place is seen. */
function numbers(text: string): number[] {
  let [a, b, c] = [1, text.length % 89, 7];
  for (const character of text)
    [a, b, c] = [(31 * a + character.charCodeAt(0)) % 997, (b + a) % 991, (c * 3 + b) % 983];
  return [a + 1, b - 500, c - 500];
}

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (x) => x / length);
}

/** A server that answers properly until `hostile` answers in its place. */
async function server(
  hostile?: (response: ServerResponse, request: EmbeddingsRequest, attempt: number) => boolean,
): Promise<{ host: string; asked: EmbeddingsRequest[]; keys: (string | undefined)[]; paths: string[] }> {
  const asked: EmbeddingsRequest[] = [];
  const keys: (string | undefined)[] = [];
  const { host, asked: paths } = await serve((request, response) => {
    void readRequest(request).then((body) => {
      asked.push(body);
      keys.push(request.headers.authorization);
      if (hostile?.(response, body, asked.length) !== true)
        response.setHeader("content-type", "application/json").end(embeddingsAnswer(body.input.map(numbers), 5));
    });
  });
  return { host, asked, keys, paths };
}

const open = (host: string, options: HttpEncoderOptions = {}) =>
  new HttpEncoder(`http://${host}/v1#some/model:latest`, options);

/** The error that a server's answer becomes. */
async function refusal(answer: (response: ServerResponse) => void, options?: HttpEncoderOptions): Promise<MdcxError> {
  const { host } = await server((response) => {
    answer(response);
    return true;
  });
  return failure(open(host, options).encode(["text"], "passage"));
}

async function failure(promise: Promise<unknown>): Promise<MdcxError> {
  const error = await promise.then(
    () => undefined,
    (one: unknown) => one,
  );
  expect(error).toBeInstanceOf(MdcxError);
  return error as MdcxError;
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): true => {
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));
    return true;
  };

/** An answer with the data that are given, whatever was asked. */
const data = (...entries: unknown[]) => json(200, { data: entries });
const entry = (index: unknown, embedding: unknown) => ({ index, embedding });
/** Proper for the four texts by which a server is known, but for what `change` makes of one. */
const four = (change: (i: number) => unknown) => data(...FINGERPRINT_TEXTS.map((_, i) => change(i)));

describe("the address of a server of embeddings", () => {
  it.each([
    ["http://localhost:11434/v1#m", "/v1/embeddings", "m"],
    ["http://localhost:11434/v1/#m", "/v1/embeddings", "m"],
    ["http://localhost:11434/v1/embeddings#org/name:tag", "/v1/embeddings", "org/name:tag"],
    ["http://localhost:11434#m%20n", "/v1/embeddings", "m n"],
    ["http://localhost:11434/api/v3#m", "/api/v3/embeddings", "m"],
  ])("%s is read as its path and its model", async (address, path, model) => {
    const { host, asked, paths } = await server();
    await new HttpEncoder(address.replace("localhost:11434", host)).describe();
    expect(paths).toEqual([path]);
    expect(asked[0]!.model).toBe(model);
  });

  it.each([
    ["http://localhost:11434/v1", "names no model"],
    ["http://localhost:11434/v1?model=m", "no question mark"],
    ["https://h/v1?api_key=hidden#m", "no question mark"],
    ["https://me:hidden@h/v1#m", "MDCX_EMBEDDINGS_KEY"],
    ["https://hidden@h/v1#m", "MDCX_EMBEDDINGS_KEY"],
    ["ftp://h/v1#m", "http:// or https://"],
    ["file:///v1#m", "http:// or https://"],
    ["http://#m", "cannot be read"],
    ["http://h/v1#%zz", "escapes nothing"],
    [`http://h/v1#${"m".repeat(257)}`, "at most 256"],
    ["http://h/v1#a%00b", "control character"],
  ])("%s is refused without being repeated", (address, why) => {
    const make = () => new HttpEncoder(address);
    expect(make).toThrow(MdcxError);
    expect(make).toThrow(why);
    expect(make).not.toThrow("hidden");
  });
});

describe("what is sent to a server", () => {
  it("goes to the host that was announced once before, in bounded batches of texts of like length", async () => {
    const events: string[] = [];
    const { host, asked } = await server(() => {
      events.push("request");
      return false;
    });
    const encoder = open(host, { onDestination: (to) => events.push(to) });
    expect(events).toEqual([]);
    const texts = Array.from({ length: 150 }, (_, i) => `${"long ".repeat(i * 10)}${i}`);
    const { vectors, tokens } = await encoder.encode(texts, "passage");
    await encoder.encode(["question"], "query");
    expect(events.filter((event) => event !== "request")).toEqual([host]);
    expect(events[0]).toBe(host);
    for (const [i, text] of texts.entries()) expect(vectors.slice(3 * i, 3 * i + 3)).toEqual(unit(numbers(text)));
    const batches = asked.slice(1, -1).map(({ input }) => input.map(({ length }) => length));
    expect(batches.flat().length).toBe(150);
    expect(tokens).toBe(5 * batches.length);
    for (const lengths of batches) {
      expect(lengths.length).toBeLessThanOrEqual(32);
      expect(lengths.length * Math.max(...lengths)).toBeLessThanOrEqual(32_000);
    }
    expect(batches.length).toBeLessThan(30);
    expect(asked.every(({ encoding_format: format }) => format === "float")).toBe(true);
  });

  it("carries the key as a header, and none where there is none", async () => {
    const { host, keys } = await server();
    await open(host, { key: "sk-1\n" }).describe();
    await open(host).describe();
    await open(host, { key: "" }).describe();
    expect(keys).toEqual(["Bearer sk-1", undefined, undefined]);
  });

  it("is never a key that no header takes, nor is such a key shown", () => {
    expect(() => open("h", { key: "sk-1\r\nx: y" })).toThrow(/MDCX_EMBEDDINGS_KEY/);
    expect(() => open("h", { key: "sk-1\r\nx: y" })).not.toThrow(/sk-1/);
  });

  it("has the prefixes of the model's family, which its description states", async () => {
    const { host, asked } = await server();
    const encoder = new HttpEncoder(`http://${host}/v1#intfloat/multilingual-e5-large`);
    await encoder.encode(["a"], "passage");
    await encoder.encode(["b"], "query");
    expect(asked.slice(1).map(({ input }) => input)).toEqual([["passage: a"], ["query: b"]]);
    expect(await encoder.describe()).toMatchObject({
      id: "intfloat/multilingual-e5-large",
      revision: null,
      dtype: "remote",
      dimensions: 3,
      prefixes: { query: "query: ", passage: "passage: " },
      window: 0,
    });
  });

  it("is never an empty text or half a character, which servers refuse", async () => {
    const { host, asked } = await server();
    await open(host).encode(["", "a\ud83db"], "passage");
    expect(asked[1]!.input).toEqual(["a\ufffdb", " "]);
  });

  it("follows no redirect, to another host or the same one", async () => {
    const other = await server();
    for (const status of [301, 302, 307, 308]) {
      const error = await refusal(json(status, "", { location: `http://${other.host}/v1/embeddings` }), {
        key: "sk-1",
      });
      expect(error.message).toContain("sends elsewhere");
    }
    expect(other.asked).toEqual([]);
  });
});

describe("what a server answers is checked:", () => {
  it("vectors come as base64 too", async () => {
    const values = Float32Array.of(3, -4, 0.5);
    const { host } = await server((response, { input }) => {
      const text = Buffer.from(values.buffer).toString("base64");
      response.end(embeddingsAnswer(input.map(() => text)));
      return true;
    });
    expect((await open(host).encode(["a"], "passage")).vectors).toEqual(unit([3, -4, 0.5]));
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ["a web page", (response) => response.setHeader("content-type", "text/html").end("<!doctype html>"), "web page"],
    ["no JSON", json(200, "OK"), "not JSON"],
    ["cut JSON", json(200, '{"data": ['), "not JSON"],
    ["no data", json(200, { error: "out of memory" }), "without a list of vectors"],
    ["null", json(200, "null"), "without a list of vectors"],
    ["a vector less", data(entry(0, [1]), entry(1, [1]), entry(2, [1])), "3 vectors for 4 texts"],
    ["none", data(), "0 vectors for 4 texts"],
    ["an index twice", four((i) => entry(i % 3, [1, 2])), "which vector belongs"],
    ["an index too high", four((i) => entry(i + 1, [1, 2])), "which vector belongs"],
    ["an index below zero", four((i) => entry(i - 1, [1, 2])), "which vector belongs"],
    ["no index", four(() => ({ embedding: [1, 2] })), "which vector belongs"],
    ["an index as text", four((i) => entry(String(i), [1, 2])), "which vector belongs"],
    ["null for an entry", four(() => null), "which vector belongs"],
    ["unequal lengths", four((i) => entry(i, i === 2 ? [1, 2, 3] : [1, 2])), "3 numbers after others of 2"],
    ["an empty vector", four((i) => entry(i, [])), "0 numbers"],
    ["far too long a vector", four((i) => entry(i, new Array(70_000).fill(1))), "70000 numbers"],
    ["words in a vector", four((i) => entry(i, [1, "2"])), "neither a list of numbers nor base64"],
    ["null in a vector", four((i) => entry(i, [1, null])), "neither a list of numbers nor base64"],
    [
      "a number too large",
      json(
        200,
        '{"data":[1,2,3,4]}'.replace(/\d/g, (i) => `{"index":${+i - 1},"embedding":[1e999,1]}`),
      ),
      "no direction",
    ],
    ["zeros", four((i) => entry(i, [0, 0])), "no direction"],
    ["no base64", four((i) => entry(i, "?!")), "neither a list of numbers nor base64"],
    ["cut base64", four((i) => entry(i, "AAAA")), "neither a list of numbers nor base64"],
    [
      "base64 of NaN",
      four((i) => entry(i, Buffer.from(Float32Array.of(NaN, 1).buffer).toString("base64"))),
      "no direction",
    ],
    ["a nested vector", four((i) => entry(i, [[1, 2]])), "neither a list of numbers nor base64"],
  ])("%s is refused", async (_, answer, why) => {
    const error = await refusal(answer);
    expect(error.code).toBe("encoder-failed");
    expect(error.message).toContain(why);
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ /);
  });

  it("a model that changes its dimensions between two calls is refused", async () => {
    const { host } = await server((response, { input }, attempt) => {
      response.end(embeddingsAnswer(input.map(() => (attempt === 1 ? [1, 2] : [1, 2, 3]))));
      return true;
    });
    expect((await failure(open(host).encode(["a"], "query"))).message).toContain("its model must have changed");
  });

  it("an answer that never ends is given up", async () => {
    const error = await refusal((response) => {
      const more = () => {
        while (!response.destroyed && response.write(" ".repeat(65_536)));
        response.once("drain", more);
      };
      more();
    });
    expect(error.message).toContain("more than vectors could be");
  });
});

describe("a server that refuses is reported in one sentence:", () => {
  it.each<[string, number, unknown, HttpEncoderOptions, string]>([
    ["no key", 401, { error: { message: "no" } }, {}, "give it in MDCX_EMBEDDINGS_KEY"],
    ["a wrong key", 401, { error: { message: "bad key sk-1" } }, { key: "sk-1" }, "correct it"],
    ["a key without the right", 403, "", { key: "sk-1" }, "does not take the key"],
    [
      "Ollama without the model",
      404,
      { error: { message: 'model "some/model:latest" not found, try pulling it first', type: "api_error" } },
      {},
      "/v1/models",
    ],
    ["vLLM without the model", 404, { object: "error", message: "The model `m` does not exist." }, {}, "/v1/models"],
    ["a wrong path", 404, "404 page not found", {}, "knows no embeddings at that address"],
    ["a web server", 405, "<html>", {}, "knows no embeddings at that address"],
    ["a failure of its own", 500, { error: { message: "out of memory" } }, {}, 'status 500, "out of memory"'],
    ["a failure that shows the key", 500, { error: "got sk-1" }, { key: "sk-1" }, 'status 500, "got …"'],
    ["escape sequences", 502, "\u001b[2J\u202ebad\u0007", {}, 'status 502, "[2J bad"'],
    ["pages of words", 500, "word ".repeat(10_000), {}, "word …"],
  ])("%s", async (_, status, body, options, why) => {
    const error = await refusal(json(status, body), options);
    expect(error.code).toBe("encoder-failed");
    expect(error.message).toContain(why);
    expect(error.message).not.toContain("sk-1");
    expect(error.message.length).toBeLessThan(400);
    expect(error.message).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it("nobody at that address", async () => {
    const server = await loopback(() => undefined);
    await server.close();
    const { host } = server;
    const error = await failure(open(host).describe());
    expect(error.message).toBe(
      `No server of embeddings answers at ${host} (ECONNREFUSED): start it, or correct its address.`,
    );
  });

  it("one that says nothing", async () => {
    const { host } = await serve(() => undefined);
    const error = await failure(open(host, { timeout: 100 }).describe());
    expect(error.message).toContain("gave no answer within 0.1 seconds");
  });

  it("one that begins to answer and stops", async () => {
    const { host } = await serve((_, response) => response.write('{"data":'));
    expect((await failure(open(host, { timeout: 100 }).describe())).message).toContain("gave no answer within");
  });

  it("one that hangs up in the middle", async () => {
    const error = await refusal((response) => {
      response.writeHead(200, { "content-length": "1000" }).write("{");
      setTimeout(() => response.destroy(), 20);
    });
    expect(error.message).toContain("broke off its answer");
  });

  it("and can be asked again", async () => {
    const { host } = await server((response, _, attempt) => attempt === 1 && json(500, "")(response));
    const encoder = open(host);
    await failure(encoder.describe());
    expect((await encoder.describe()).dimensions).toBe(3);
  });
});

describe("a busy server", () => {
  it("is asked again after the time that it names", async () => {
    const times: number[] = [];
    const { host } = await server((response, _, attempt) => {
      times.push(performance.now());
      return attempt <= 2 && json(attempt === 1 ? 429 : 503, "", { "retry-after": String(attempt - 1) })(response);
    });
    expect((await open(host).describe()).dimensions).toBe(3);
    expect(times).toHaveLength(3);
    expect(times[2]! - times[1]!).toBeGreaterThan(990);
  });

  it("is not waited for longer than a minute", async () => {
    const { host, asked } = await server((response) => json(503, "", { "retry-after": "3600" })(response));
    expect((await failure(open(host).describe())).message).toContain("in 3,600 seconds: run this again then");
    expect(asked).toHaveLength(1);
  });

  it("is not waited for until a date after that", async () => {
    const later = new Date(Date.now() + 86_400_000).toUTCString();
    const error = await refusal(json(429, "", { "retry-after": later }));
    expect(error.message).toMatch(/in 86,[34]\d\d seconds/);
  });

  it("is given up after six times", async () => {
    const { host, asked } = await server((response) => json(429, "", { "retry-after": "0" })(response));
    expect((await failure(open(host).describe())).message).toContain("6 times in a row");
    expect(asked).toHaveLength(6);
  });

  it("is not asked again for any other refusal", async () => {
    const { host, asked } = await server((response) => json(500, "")(response));
    await failure(open(host).describe());
    expect(asked).toHaveLength(1);
  });
});

describe("a text that a server finds too long", () => {
  const long = "word ".repeat(100).trim();
  /** Refuses requests with a text over 200 characters, as `status` with `message`. */
  const short = (status: number, message: string) =>
    server((response, { input }) =>
      input.some((text) => text.length > 200) ? json(status, { error: { message } })(response) : false,
    );

  it.each([
    [413, ""],
    [400, "This model's maximum context length is 512 tokens. However, you requested 600 tokens."],
    [400, "the input length exceeds the context length"],
    [500, "input is too large to process. increase the physical batch size"],
    [422, "Input validation error: `inputs` must have less than 512 tokens. Given: 600"],
  ])("is encoded in windows, and the others as ever (status %i: %s)", async (status, message) => {
    const { host } = await short(status, message);
    const encoder = open(host);
    const texts = ["a", long, "b", "c"];
    const { vectors, windowed } = await encoder.encode(texts, "passage");
    expect(windowed).toBe(1);
    for (const i of [0, 2, 3]) expect(vectors.slice(3 * i, 3 * i + 3)).toEqual(unit(numbers(texts[i]!)));
    expect(Math.hypot(...vectors.slice(3, 6))).toBeCloseTo(1, 6);
    // Its windows are those of the text alone: what stands beside it in a batch changes nothing.
    expect(vectors.slice(3, 6)).toEqual((await encoder.encode([long], "passage")).vectors);
  });

  it("is refused where no window is short enough", async () => {
    const { host, asked } = await server(
      (response, { input }) => input.includes(long.slice(0, 1)) || (input.length !== 4 && json(413, "")(response)),
    );
    const error = await failure(open(host).encode([long], "passage"));
    expect(error.message).toMatch(/finds even \d\d characters too long/);
    expect(asked.length).toBeLessThan(10);
  });

  it("is reported where even the first, short ones are, with the server's words", async () => {
    const error = await refusal(json(500, { error: "the model is too large for this machine" }));
    expect(error.message).toMatch(/finds even \d\d characters too long \(status 500, "the model is too large/);
  });

  it("is cut at blanks, and between whole characters where there is none", async () => {
    const { host, asked } = await short(413, "");
    await open(host).encode([long, "🦆".repeat(125)], "passage");
    const pieces = asked.flatMap(({ input }) => input).filter((text) => text.length <= 200);
    expect(pieces.filter((text) => /\bwor?$|^(?!word)[ord]+ word/.test(text))).toEqual([]);
    expect(pieces.filter((text) => text.includes("\ufffd"))).toEqual([]);
  });
});

describe("the digest of a server's model", () => {
  it("is the same when the last bits differ, and another for other weights or another name", async () => {
    const noisy = async (noise: number, model: string, other = 0) => {
      const { host } = await server((response, { input }) => {
        const vectors = input.map((text, i) =>
          Array.from({ length: 384 }, (_, k) => {
            const value = Math.sin((i + 1) * 12.9898 + k * 78.233 + text.length * other) * 43758.5453;
            return value - Math.floor(value) - 0.5 + noise * (Math.random() - 0.5);
          }),
        );
        response.end(embeddingsAnswer(vectors));
        return true;
      });
      return (await new HttpEncoder(`http://${host}/v1#${model}`).describe()).sha256;
    };
    const first = await noisy(0, "m");
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    for (let i = 0; i < 3; i++) expect(await noisy(1e-6, "m")).toBe(first);
    expect(await noisy(0, "n")).not.toBe(first);
    expect(await noisy(0, "m", 1)).not.toBe(first);
  });
});
