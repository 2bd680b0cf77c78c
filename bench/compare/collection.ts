import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Passages, Question } from "./engine.js";

/** Dimensions of the vectors: those of the model that ships. */
const DIMENSIONS = 384;

/**
 * One collection, as collection-make.ts wrote it into a folder: `documents/` of Markdown, `passages.jsonl` with the same
 * cut into passages, `questions.json`, and where meaning is asked `passages.f32` and `questions.f32`.
 */
export class Collection {
  readonly documents: string;
  readonly lines: string;
  readonly questionFile: string;

  constructor(readonly folder: string) {
    this.documents = join(folder, "documents");
    this.lines = join(folder, "passages.jsonl");
    this.questionFile = join(folder, "questions.json");
  }

  /** Whether it is whole: its facts are written last. */
  get here(): boolean {
    return existsSync(this.#facts);
  }

  get facts(): { readonly markdownBytes: number; readonly passages: number } {
    return JSON.parse(readFileSync(this.#facts, "utf8")) as { markdownBytes: number; passages: number };
  }

  get #facts(): string {
    return join(this.folder, "facts.json");
  }

  passages(meaning: boolean): Passages {
    return {
      lines: readLines(this.lines),
      ...(meaning && { vectors: readVectors(join(this.folder, "passages.f32")) }),
    };
  }

  questions(meaning: boolean): Question[] {
    const texts = JSON.parse(readFileSync(this.questionFile, "utf8")) as string[];
    if (!meaning) return texts.map((text) => ({ text }));
    const vectors = floats(readFileSync(join(this.folder, "questions.f32")));
    return texts.map((text, i) => ({ text, vector: vectors.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS) }));
  }

  /** A question of three words, which is the first that anybody asks. */
  shortQuestion(meaning: boolean): Question {
    return this.questions(meaning).find(({ text }) => text.split(" ").length === 3)!;
  }
}

async function* readLines(file: string): AsyncGenerator<readonly [string, string]> {
  for await (const line of createInterface({ input: createReadStream(file) }))
    yield JSON.parse(line) as [string, string];
}

async function* readVectors(file: string): AsyncGenerator<Float32Array> {
  const width = DIMENSIONS * Float32Array.BYTES_PER_ELEMENT;
  // The length of a piece is a multiple of a vector's: none is cut in two.
  for await (const piece of createReadStream(file, { highWaterMark: 512 * width }))
    for (let at = 0; at < (piece as Buffer).length; at += width)
      yield floats((piece as Buffer).subarray(at, at + width));
}

function floats(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
