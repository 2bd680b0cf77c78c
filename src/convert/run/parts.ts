import { createHash } from "node:crypto";
import { access, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ioError } from "../../node/io-error.js";
import type { PageRange } from "../engine.js";
import type { PartResult } from "../convert.js";

/** The finished parts of long documents, kept until the document is made of them: a run that is killed goes on from there. */
export class PartStore {
  private readonly kept = new Set<string>();

  constructor(private readonly folder: string) {}

  /** The parts of one document as it is now. */
  of(source: string, sha256: string, rule: string): DocumentParts {
    const name = createHash("sha256").update([source, sha256, rule].join("\0")).digest("hex").slice(0, 32);
    this.kept.add(name);
    return new DocumentParts(join(this.folder, name));
  }

  /** Removes the parts of documents that have changed since or are gone: all but those of this run. */
  async clear(): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => []))
      if (!this.kept.has(name)) await rm(join(this.folder, name), { recursive: true, force: true });
  }
}

export class DocumentParts {
  constructor(private readonly folder: string) {}

  fileOf({ from, to }: PageRange): string {
    return join(this.folder, `${from}-${to}.json`);
  }

  async has(pages: PageRange): Promise<boolean> {
    return access(this.fileOf(pages)).then(
      () => true,
      () => false,
    );
  }

  async save(pages: PageRange, result: PartResult): Promise<void> {
    const file = this.fileOf(pages);
    try {
      await mkdir(this.folder, { recursive: true });
      await writeFile(`${file}.tmp`, JSON.stringify(result), { flush: true });
      await rename(`${file}.tmp`, file);
    } catch (error) {
      throw ioError(error, "write", file);
    }
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
