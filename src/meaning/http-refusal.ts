import { MdcxError } from "../errors.js";
import type { HttpAddress } from "./http-address.js";

/** Characters of a server's own words that an error repeats. */
const REPEATED = 200;

/** A server that finds what was sent too long: fewer or shorter texts may do. Its message: status and the server's words. */
export class TooLong extends Error {}

/**
 * Why a server gave no vectors, as one sentence that says what helps; `TooLong` where shorter texts may.
 *
 * @param body what it answered beside the status
 * @param key never repeated, though servers do in their answers
 */
export function refusalOf(
  status: number,
  body: string,
  { host, model, models }: HttpAddress,
  key: string | undefined,
): MdcxError | TooLong {
  const said = `status ${status}${ownWords(body, key)}`;
  const failed = (sentence: string) => new MdcxError("encoder-failed", sentence);
  if (status === 401 || status === 403)
    return failed(
      key === undefined
        ? `${host} wants a key (status ${status}): give it in MDCX_EMBEDDINGS_KEY.`
        : `${host} does not take the key in MDCX_EMBEDDINGS_KEY (status ${status}): correct it.`,
    );
  if (status === 413 || ([400, 422, 500].includes(status) && TOO_LONG.test(body))) return new TooLong(said);
  if ((status === 400 || status === 404 || status === 422) && NO_MODEL.test(body))
    return failed(
      `${host} has no model ${JSON.stringify(model)}: ${models} lists those it has (curl ${models}); Ollama fetches one with ollama pull.`,
    );
  if (status === 404 || status === 405)
    return failed(
      `${host} knows no embeddings at that address (status ${status}): an OpenAI-compatible server has them under /v1, as http://localhost:11434/v1#MODEL.`,
    );
  if (status >= 300 && status < 400)
    return failed(
      `${host} sends elsewhere (status ${status}), and texts follow nowhere: give the address that answers.`,
    );
  return failed(`${host} gave no vectors (${said}): its log says why.`);
}

/** vLLM, llama.cpp (status 500), Ollama, LM Studio, text-embeddings-inference and OpenAI each say it in their own words. */
const TOO_LONG =
  /context (length|size|window)|too (long|large|many tokens)|(maximum|max\w*) (input |sequence |context )?(length|tokens|size)|must have less than \d+ tokens|batch size/i;
const NO_MODEL =
  /model\b[^.]{0,300}(not (be )?(found|exist|loaded|available)|does ?n[o']t exist)|(unknown|no such|invalid) model/i;

/** What the server says of it, short, without what would move a terminal's cursor, and without the key. */
function ownWords(body: string, key: string | undefined): string {
  let words = body;
  try {
    const { error, message, detail } = JSON.parse(body) as Record<string, unknown>;
    const said = [error, (error as { message?: unknown } | null | undefined)?.message, message, detail];
    words = said.findLast((one): one is string => typeof one === "string") ?? body;
  } catch {
    // Not JSON: its text as it is.
  }
  if (key !== undefined) words = words.replaceAll(key, "…");
  const line = words.replace(/[\p{C}\s]+/gu, " ").trim();
  if (line === "" || line.startsWith("<")) return "";
  return `, ${JSON.stringify(line.length > REPEATED ? `${line.slice(0, REPEATED)}…` : line)}`;
}
