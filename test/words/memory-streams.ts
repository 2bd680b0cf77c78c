import type { ByteStream } from "../../src/image/streams.js";
import { FormList } from "../../src/text/forms.js";
import { WordIndexBuilder, type BuiltWordIndex } from "../../src/words/builder.js";
import { WordIndex } from "../../src/words/dictionary.js";

/** A passage to index. */
export interface TestPassage {
  readonly words: readonly string[];
  readonly language: string;
}

/** Bytes as a stream of the image. */
export function stream(bytes: Uint8Array): ByteStream {
  return {
    length: bytes.length,
    read: (start, end) => bytes.subarray(start, end),
  };
}

export async function build(passages: readonly TestPassage[]): Promise<BuiltWordIndex> {
  const builder = new WordIndexBuilder();
  passages.forEach(({ words, language }, i) => {
    const list = new FormList();
    for (const word of words) list.push(builder.forms.number(word));
    builder.add(i, [list], language);
  });
  return builder.build();
}

export function open(built: BuiltWordIndex, passages: number): WordIndex {
  return new WordIndex(
    {
      dictionary: stream(built.dictionary),
      postings: stream(built.postings),
      lengths: stream(built.lengths),
    },
    passages,
  );
}

export async function indexOf(passages: readonly TestPassage[]): Promise<WordIndex> {
  return open(await build(passages), passages.length);
}
