import { statSync } from "node:fs";
import { basename } from "node:path";
import { MdcxError } from "../errors.js";
import { readHead } from "../format/head.js";
import type { Secret } from "../format/secret.js";
import { openPackage } from "../index.js";
import type { Package } from "../package.js";
import { isAddress, openSource, shownName } from "./open-source.js";
import { pinsFor, type Pinning } from "./pinning.js";
import { primitives } from "./primitives.js";

/** A package that is to be read for a long time, and the secrets that are tried on it. It can be cloned. */
export interface Mount {
  /** A path or an address. */
  readonly path: string;
  readonly secrets: readonly Secret[];
}

/** How all packages of a corpus are opened. */
export interface MountOptions {
  readonly pinning: Pinning;
  /** The model for questions, where it is not the one that ships. */
  readonly model?: string | undefined;
  readonly onDestination?: (what: string) => void;
}

/** A file that could not be opened is tried again when it changes, and after so many milliseconds: permissions are mended, too. */
const RETRY = 10_000;

/**
 * A package and the file that it came from. The opened file answers for as long as it is held, whatever lies at its path
 * meanwhile; before each call the path is looked at, which takes some microseconds. What lies at an address is not looked at
 * before each call: that it changed shows when a part of it is asked for.
 */
export class MountedPackage {
  #package: Package;
  #identity: string | undefined;
  /** What could not be opened in its place, and when. */
  #refused: { readonly identity: string | undefined; readonly at: number } | undefined;
  #trouble: MdcxError | undefined;
  /** Times that what lies at the address was found to have changed. */
  #changes = 0;

  private constructor(
    private readonly mount: Mount,
    private readonly options: MountOptions,
    opened: Package,
    identity: string | undefined,
  ) {
    this.#package = opened;
    this.#identity = identity;
  }

  /** @throws MdcxError that names the file, whatever was refused */
  static async open(mount: Mount, options: MountOptions): Promise<MountedPackage> {
    // Looked at before it is opened: a file that is replaced in between is only opened once more than it had to be.
    const identity = identityOf(mount.path, 0);
    return new MountedPackage(mount, options, await open(mount, options), identity);
  }

  get package(): Package {
    return this.#package;
  }

  /** The name of its file. */
  get file(): string {
    return basename(shownName(this.mount.path));
  }

  /** Notes that a part of what lies at an address could not be had as it was: something else may lie there now. */
  doubt(): void {
    if (isAddress(this.mount.path)) this.#changes++;
  }

  /** What everybody who asks should know for as long as it lasts: the file at the path is not the one that answers. */
  get trouble(): MdcxError | undefined {
    return this.#trouble;
  }

  /** Whether another file lies at the path than the one that answers. */
  isReplaced(): boolean {
    return this.#identityNow() !== this.#identity;
  }

  /** Whether what lies at the path now should be opened in place of what answers; what was refused a moment ago need not be. */
  awaitsOpening(): boolean {
    const now = this.#identityNow();
    if (now === this.#identity) {
      this.#refused = this.#trouble = undefined;
      return false;
    }
    return this.#refused === undefined || this.#refused.identity !== now || Date.now() - this.#refused.at > RETRY;
  }

  /** Opens what lies at the path now, beside what answers. @returns what makes it answer; undefined where it cannot */
  async openAnew(): Promise<Replacement | undefined> {
    const identity = this.#identityNow();
    if (identity === undefined) {
      this.#refuse(
        identity,
        new MdcxError(
          "not-found",
          `${this.file} is no longer on disk: the file that was opened before goes on answering.`,
        ),
      );
      return undefined;
    }
    try {
      const opened = await open(this.mount, this.options, this.#package);
      return { opened, identity };
    } catch (error) {
      this.#refuse(identity, this.#cannotOpen(error));
      return undefined;
    }
  }

  /** Keeps what answers, because the replacement cannot be read together with the other packages. */
  keep({ identity }: Replacement, error: unknown): void {
    this.#refuse(identity, this.#cannotOpen(error));
  }

  /** Lets the replacement answer. @returns what answered before, for closing */
  replace({ opened, identity }: Replacement): Package {
    const before = this.#package;
    this.#package = opened;
    this.#identity = identity;
    this.#refused = this.#trouble = undefined;
    return before;
  }

  #identityNow(): string | undefined {
    return identityOf(this.mount.path, this.#changes);
  }

  #refuse(identity: string | undefined, trouble: MdcxError): void {
    this.#refused = { identity, at: Date.now() };
    this.#trouble = trouble;
  }

  #cannotOpen(error: unknown): MdcxError {
    const why = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
    return new MdcxError(
      error instanceof MdcxError ? error.code : "internal",
      `${this.file} was replaced, and the new file cannot be read (${why}): the one that was opened before goes on answering.`,
      { cause: error },
    );
  }
}

/** A package that was opened to take the place of another. */
export interface Replacement {
  readonly opened: Package;
  readonly identity: string;
}

async function open({ path, secrets }: Mount, options: MountOptions, before?: Package): Promise<Package> {
  const { pinning, model, onDestination } = options;
  try {
    // Held while its head is read twice, so that pins are chosen for the file that is opened.
    const source = await openSource(path);
    try {
      const head = await readHead(source, primitives);
      const { packageId, revision } = head.claims;
      if (packageId === before?.id && revision < before.claims.revision)
        throw new MdcxError(
          "older-revision",
          `${head.name} is revision ${revision}, older than revision ${before.claims.revision} that was opened before: start anew to read it.`,
        );
      return await openPackage(source, {
        ...(await pinsFor(head, pinning)),
        secret: secrets,
        ...(model !== undefined && { model }),
        ...(onDestination && { onDestination }),
      });
    } catch (error) {
      await source.close();
      throw error;
    }
  } catch (error) {
    throw named(error, path);
  }
}

/** The error with the path in it: of several packages, one was refused, and two files may have the same name. */
function named(error: unknown, mounted: string): unknown {
  const path = shownName(mounted);
  if (!(error instanceof MdcxError) || error.message.includes(path)) return error;
  const name = basename(path);
  const { message } = error;
  const sentence = message.startsWith(name) ? `${path}${message.slice(name.length)}` : `${path}: ${message}`;
  return new MdcxError(error.code, sentence, { cause: error });
}

/**
 * Device, inode, size and time of the last change; undefined where there is no file.
 *
 * @param changes of what lies at an address, which has no other identity
 */
function identityOf(path: string, changes: number): string | undefined {
  if (isAddress(path)) return String(changes);
  try {
    const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
    return `${dev} ${ino} ${size} ${mtimeNs}`;
  } catch {
    return undefined;
  }
}
