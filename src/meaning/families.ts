import type { Pooling, Role } from "./encoder.js";

/** How a model wants to be used, beside its weights. */
export interface Usage {
  readonly prefixes: Readonly<Record<Role, string>>;
  readonly pooling: Pooling;
  /** Tokens at once, special tokens and prefix included. */
  readonly window: number;
}

/** The files of a model that say how it is used, each parsed; undefined where the model has none. */
export interface UsageFiles {
  /** `config.json` */
  readonly config: Readonly<Record<string, unknown>>;
  /** `tokenizer_config.json` */
  readonly tokeniser?: Readonly<Record<string, unknown>> | undefined;
  /** `1_Pooling/config.json` of sentence-transformers */
  readonly pooling?: Readonly<Record<string, unknown>> | undefined;
  /** `config_sentence_transformers.json` */
  readonly sentences?: Readonly<Record<string, unknown>> | undefined;
  /** `sentence_bert_config.json` */
  readonly length?: Readonly<Record<string, unknown>> | undefined;
}

interface Family extends Usage {
  /** Tested against the model's id, or its folder's name, in lower case. */
  readonly name: RegExp;
}

const NONE = { query: "", passage: "" };
const INSTRUCTION = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ";

/** The known families, as their model cards tell; the first that matches counts. */
const FAMILIES: readonly Family[] = [
  { name: /e5-mistral/, prefixes: { query: INSTRUCTION, passage: "" }, pooling: "last", window: 4096 },
  { name: /e5.*instruct/, prefixes: { query: INSTRUCTION, passage: "" }, pooling: "mean", window: 512 },
  { name: /\be5\b/, prefixes: { query: "query: ", passage: "passage: " }, pooling: "mean", window: 512 },
  { name: /bge-m3/, prefixes: NONE, pooling: "cls", window: 8192 },
  {
    name: /bge-.*-zh/,
    prefixes: { query: "为这个句子生成表示以用于检索相关文章：", passage: "" },
    pooling: "cls",
    window: 512,
  },
  {
    name: /\bbge-/,
    prefixes: { query: "Represent this sentence for searching relevant passages: ", passage: "" },
    pooling: "cls",
    window: 512,
  },
  { name: /gte-qwen/, prefixes: { query: INSTRUCTION, passage: "" }, pooling: "last", window: 8192 },
  { name: /gte-(multilingual|modernbert|.*-v1\.5)/, prefixes: NONE, pooling: "cls", window: 8192 },
  { name: /\bgte-/, prefixes: NONE, pooling: "mean", window: 512 },
  { name: /multi-qa-minilm/, prefixes: NONE, pooling: "mean", window: 512 },
  { name: /minilm-l12/, prefixes: NONE, pooling: "mean", window: 128 },
  { name: /minilm/, prefixes: NONE, pooling: "mean", window: 256 },
  { name: /\blabse\b/, prefixes: NONE, pooling: "cls", window: 256 },
  {
    name: /nomic-embed/,
    prefixes: { query: "search_query: ", passage: "search_document: " },
    pooling: "mean",
    window: 8192,
  },
  {
    name: /jina-embeddings-v3/,
    prefixes: {
      query: "Represent the query for retrieving evidence documents: ",
      passage: "Represent the document for retrieval: ",
    },
    pooling: "mean",
    window: 8192,
  },
  { name: /jina-embeddings-v2/, prefixes: NONE, pooling: "mean", window: 8192 },
  {
    name: /embeddinggemma|embedding-gemma/,
    prefixes: { query: "task: search result | query: ", passage: "title: none | text: " },
    pooling: "mean",
    window: 2048,
  },
];

/** Models whose first two positions are taken, so that of 514 a text has 512. */
const OFFSET_POSITIONS = new Set(["roberta", "xlm-roberta", "camembert", "mpnet"]);
/** Where nothing tells: what BERT and its children read. */
const WINDOW = 512;

/**
 * How a model is to be used: by its own files where they say it, else by its family, else plainly (no prefix, mean). The
 * window is the least that files and family allow: a model reads past none of them, or does it badly.
 *
 * @param names what the model may be known by, the best first: its id, the name of its folder
 */
export function usage(names: readonly string[], files: UsageFiles): Usage {
  const { config } = files;
  const origin = typeof config._name_or_path === "string" ? [config._name_or_path] : [];
  const family = [...names, ...origin].map(find).find((each) => each !== undefined);
  return {
    prefixes: statedPrefixes(files.sentences) ?? family?.prefixes ?? NONE,
    pooling: statedPooling(files.pooling) ?? family?.pooling ?? "mean",
    window: leastWindow(files, family?.window),
  };
}

/** How a model is to be used of which only the name is known: plainly where its family is not. */
export function familyOf(name: string): Usage {
  return find(name) ?? { prefixes: NONE, pooling: "mean", window: WINDOW };
}

function find(name: string): Family | undefined {
  return FAMILIES.find((each) => each.name.test(name.toLowerCase()));
}

/** Numbers that a model's vectors have, by its configuration; undefined where it does not say. */
export function statedDimensions(config: Readonly<Record<string, unknown>>): number | undefined {
  for (const key of ["hidden_size", "dim", "n_embd", "d_model"]) {
    const value = config[key];
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  }
  return undefined;
}

function statedPrefixes(sentences: UsageFiles["sentences"]): Usage["prefixes"] | undefined {
  const prompts = sentences?.prompts;
  if (typeof prompts !== "object" || prompts === null) return undefined;
  const named = prompts as Record<string, unknown>;
  const query = named.query;
  const passage = named.document ?? named.passage;
  // One alone is how some models say that the other has none; two empty ones are the library's default, and say nothing.
  const stated = (value: unknown): string => (typeof value === "string" ? value : "");
  return stated(query) === "" && stated(passage) === ""
    ? undefined
    : { query: stated(query), passage: stated(passage) };
}

function statedPooling(pooling: UsageFiles["pooling"]): Pooling | undefined {
  if (pooling?.pooling_mode_cls_token === true) return "cls";
  if (pooling?.pooling_mode_mean_tokens === true) return "mean";
  if (pooling?.pooling_mode_lasttoken === true) return "last";
  return undefined;
}

function leastWindow({ config, tokeniser, length }: UsageFiles, family: number | undefined): number {
  const positions = config.max_position_embeddings;
  const known = [
    family,
    typeof positions === "number" && OFFSET_POSITIONS.has(String(config.model_type)) ? positions - 2 : positions,
    tokeniser?.model_max_length,
    length?.max_seq_length,
  ].filter((each): each is number => typeof each === "number" && Number.isFinite(each) && each >= 8);
  // A tokeniser without a limit states 10^30.
  const least = Math.min(...known);
  return least < 1e9 ? Math.trunc(least) : WINDOW;
}
