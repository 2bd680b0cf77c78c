import { describe, expect, it } from "vitest";
import { familyOf, statedDimensions, usage } from "../../src/meaning/families.js";

const BERT = { model_type: "bert", max_position_embeddings: 512, hidden_size: 384 };

describe("how a model is used", () => {
  it.each([
    ["intfloat/multilingual-e5-small", "query: ", "passage: ", "mean", 512],
    ["intfloat/multilingual-e5-large-instruct", /^Instruct: .*\nQuery: $/, "", "mean", 512],
    ["Xenova/bge-small-en-v1.5", /^Represent this sentence/, "", "cls", 512],
    ["BAAI/bge-m3", "", "", "cls", 8192],
    ["Xenova/bge-base-zh-v1.5", /^为这个句子/, "", "cls", 512],
    ["Supabase/gte-small", "", "", "mean", 512],
    ["Alibaba-NLP/gte-multilingual-base", "", "", "cls", 8192],
    ["Xenova/all-MiniLM-L6-v2", "", "", "mean", 256],
    ["Xenova/paraphrase-multilingual-MiniLM-L12-v2", "", "", "mean", 128],
    ["Xenova/LaBSE", "", "", "cls", 256],
    ["nomic-ai/nomic-embed-text-v1.5", "search_query: ", "search_document: ", "mean", 8192],
    ["jinaai/jina-embeddings-v2-base-de", "", "", "mean", 8192],
    ["onnx-community/embeddinggemma-300m-ONNX", /query: $/, "title: none | text: ", "mean", 2048],
  ] as const)("follows its family: %s", (id, query, passage, pooling, window) => {
    const family = familyOf(id);
    expect(family.prefixes.query).toMatch(typeof query === "string" ? new RegExp(`^${query}$`) : query);
    expect(family).toMatchObject({ prefixes: { passage }, pooling, window });
  });

  it("is plain where nothing tells: no prefix, the mean, the positions that the model has", () => {
    expect(usage(["acme/thing"], { config: { ...BERT, max_position_embeddings: 384 } })).toEqual({
      prefixes: { query: "", passage: "" },
      pooling: "mean",
      window: 384,
    });
  });

  it("is told by the model's own files before its name", () => {
    const files = {
      config: BERT,
      pooling: { pooling_mode_cls_token: false, pooling_mode_mean_tokens: false, pooling_mode_lasttoken: true },
      sentences: { prompts: { query: "ask: ", document: "tell: " } },
    };
    expect(usage(["acme/e5-like"], files)).toMatchObject({
      prefixes: { query: "ask: ", passage: "tell: " },
      pooling: "last",
    });
  });

  it("keeps to the family's prefixes where the files hold the library's empty ones", () => {
    const files = { config: BERT, sentences: { prompts: { query: "", document: "" } } };
    expect(usage(["acme/my-e5-copy"], files).prefixes).toEqual({ query: "query: ", passage: "passage: " });
  });

  it("is known by where it comes from when its folder has another name", () => {
    expect(usage(["model"], { config: { ...BERT, _name_or_path: "intfloat/multilingual-e5-small" } })).toMatchObject({
      prefixes: { query: "query: " },
    });
  });

  it("has the least window that any file states, special positions of RoBERTa left out", () => {
    const config = { model_type: "xlm-roberta", max_position_embeddings: 514 };
    expect(usage(["x"], { config, tokeniser: { model_max_length: 1e30 } }).window).toBe(512);
    expect(usage(["x"], { config, tokeniser: { model_max_length: 512 }, length: { max_seq_length: 128 } }).window).toBe(
      128,
    );
    expect(usage(["x"], { config: {}, tokeniser: { model_max_length: 1e30 } }).window).toBe(512);
  });

  it("knows how many numbers a vector has, whatever the configuration calls it", () => {
    expect(statedDimensions(BERT)).toBe(384);
    expect(statedDimensions({ dim: 768 })).toBe(768);
    expect(statedDimensions({ hidden_size: "384" })).toBeUndefined();
  });
});
