import { MdcxError } from "../errors.js";

/** Characters of the longest model name that is sent. */
const LONGEST_NAME = 256;
const AS_IN = "write it as http://localhost:11434/v1#MODEL, the model's name as the server knows it after the #";

/** A server of embeddings and the model that is asked of it. */
export interface HttpAddress {
  /** Where texts are posted: `http://localhost:11434/v1/embeddings`. */
  readonly embeddings: string;
  /** Where an OpenAI-compatible server lists its models: `http://localhost:11434/v1/models`. */
  readonly models: string;
  /** `localhost:11434`. */
  readonly host: string;
  /** `nomic-embed-text`. */
  readonly model: string;
}

/**
 * Reads `http://host:port/v1#model`. The path may end with `/embeddings` or leave it out, and is `/v1` where there is
 * none. The name stands in the fragment because names hold `/` and `:`, which need no escaping there, because shells leave
 * a `#` within a word alone, and because no client sends a fragment anywhere.
 *
 * @throws MdcxError `bad-input`; its message never repeats the address, which may hold a password by mistake
 */
export function parseHttpAddress(address: string): HttpAddress {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new MdcxError("bad-input", `The address of the embeddings server cannot be read: ${AS_IN}.`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new MdcxError(
      "bad-input",
      `The address of the embeddings server must begin with http:// or https://: ${AS_IN}.`,
    );
  if (url.username !== "" || url.password !== "")
    throw new MdcxError(
      "bad-input",
      "The address of the embeddings server holds a user name or password: leave it out, and give the key in MDCX_EMBEDDINGS_KEY.",
    );
  // Keys are given there too (`?api_key=`), and what is in an address ends up in logs.
  if (url.search !== "")
    throw new MdcxError("bad-input", `The address of the embeddings server may hold no question mark: ${AS_IN}.`);
  const model = modelName(url.hash.slice(1));
  const path = url.pathname.replace(/\/+$/, "").replace(/\/embeddings$/, "") || "/v1";
  const base = `${url.origin}${path}`;
  return { embeddings: `${base}/embeddings`, models: `${base}/models`, host: url.host, model };
}

function modelName(fragment: string): string {
  let name: string;
  try {
    name = decodeURIComponent(fragment);
  } catch {
    throw new MdcxError("bad-input", `The model's name after the # holds a % that escapes nothing: ${AS_IN}.`);
  }
  if (name.trim() === "")
    throw new MdcxError("bad-input", `The address of the embeddings server names no model: ${AS_IN}.`);
  if (name.length > LONGEST_NAME || /\p{Cc}/u.test(name))
    throw new MdcxError(
      "bad-input",
      `The model's name after the # may have at most ${LONGEST_NAME} characters and no control character.`,
    );
  return name;
}
