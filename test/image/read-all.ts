import { Image, type ImageOptions } from "../../src/image/reader.js";
import { STREAMS, type StreamName } from "../../src/image/streams.js";
import type { PageReader } from "../../src/format/pages.js";

/** Opens an image and asks it for everything it has, in every way there is. */
export async function readAll(pages: PageReader, options: ImageOptions = {}): Promise<void> {
  const image = await Image.open(pages, options);
  try {
    for (const document of image.documents()) {
      image.document(document.number);
      image.documentByPath(document.path);
      image.documentBytes(document);
      const passages = image.passagesOf(document);
      image.passages(passages.map(({ number }) => number));
      for (const passage of passages) {
        image.headingPath(passage);
        image.place(passage);
        image.passageBytes(passage);
        image.headerBytes(passage);
      }
    }
    image.documentByPath("no such document");
    image.probes();
    image.calibration();
    for (const name of Object.keys(STREAMS) as StreamName[]) {
      const stream = image.stream(name);
      stream.read(0, stream.length);
      for (let at = 0; at < stream.length; at += 10_000) stream.read(at, Math.min(at + 10, stream.length));
    }
  } finally {
    image.close();
  }
}
