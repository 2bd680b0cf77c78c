import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { MdcxError } from "../errors.js";
import { parsePublicKey } from "./key-files.js";
import { writeFileAtomically } from "./atomic-file.js";
import { ioError } from "./io-error.js";
import { makeFolder } from "./make-folder.js";

/** An issuer whom the user trusts under a name of their own choice. */
export interface TrustedIssuer {
  readonly name: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** `$MDCX_CONFIG`, or the folder for settings that the system's users expect. */
export function configFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { MDCX_CONFIG, APPDATA, XDG_CONFIG_HOME } = environment;
  // An empty variable counts as not set, as the XDG base directory specification wants it.
  if (MDCX_CONFIG) return MDCX_CONFIG;
  if (process.platform === "win32" && APPDATA) return join(APPDATA, "mdcx");
  if (XDG_CONFIG_HOME) return join(XDG_CONFIG_HOME, "mdcx");
  return join(homedir(), ".config", "mdcx");
}

/**
 * The list of trusted issuers: `issuers.json` in the user's configuration folder, `{"issuers":[{"name","public_key"}]}`.
 * Names are unique, and so are keys: two names for one key would let a reader believe in two issuers.
 */
export class TrustStore {
  readonly path: string;

  constructor(private readonly folder: string = configFolder()) {
    this.path = join(folder, "issuers.json");
  }

  /** The issuers in the order in which they were added; none where there is no list yet. */
  async list(): Promise<readonly TrustedIssuer[]> {
    let text: string;
    try {
      text = await readFile(this.path, "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw ioError(error, "read", this.path);
    }
    return this.#parse(text);
  }

  /** @throws MdcxError `bad-input` where the name or the key is there already */
  async add(name: string, publicKey: Uint8Array): Promise<void> {
    if (name.trim() === "" || /\p{C}/u.test(name)) {
      throw new MdcxError("bad-input", "The name of an issuer must be visible text.");
    }
    const issuers = await this.list();
    const same = issuers.find((issuer) => Buffer.compare(issuer.publicKey, publicKey) === 0);
    if (same) throw new MdcxError("bad-input", `That key is trusted already, as "${same.name}".`);
    if (issuers.some((issuer) => issuer.name === name)) {
      throw new MdcxError("bad-input", `Another key is trusted as "${name}" already: remove it first.`);
    }
    await this.#save([...issuers, { name, publicKey }]);
  }

  /** @throws MdcxError `not-found` */
  async remove(name: string): Promise<void> {
    const issuers = await this.list();
    const rest = issuers.filter((issuer) => issuer.name !== name);
    if (rest.length === issuers.length) throw new MdcxError("not-found", `No issuer is trusted as "${name}".`);
    await this.#save(rest);
  }

  /** The name under which a key is trusted. */
  async nameOf(publicKey: Uint8Array): Promise<string | undefined> {
    const issuers = await this.list();
    return issuers.find((issuer) => Buffer.compare(issuer.publicKey, publicKey) === 0)?.name;
  }

  #parse(text: string): TrustedIssuer[] {
    const damaged = (cause?: unknown): MdcxError =>
      new MdcxError("bad-input", `${this.path} is damaged: repair it, or remove it and trust your issuers anew.`, {
        cause,
      });
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw damaged(cause);
    }
    const issuers = typeof value === "object" && value !== null && "issuers" in value ? value.issuers : undefined;
    if (!Array.isArray(issuers)) throw damaged();
    return issuers.map((issuer: unknown) => {
      if (typeof issuer !== "object" || issuer === null || !("name" in issuer) || !("public_key" in issuer)) {
        throw damaged();
      }
      const { name, public_key: key } = issuer;
      if (typeof name !== "string" || typeof key !== "string" || !/^[0-9a-f]{64}$/.test(key)) throw damaged();
      return { name, publicKey: parsePublicKey(key, name) };
    });
  }

  async #save(issuers: readonly TrustedIssuer[]): Promise<void> {
    const list = issuers.map(({ name, publicKey }) => ({ name, public_key: Buffer.from(publicKey).toString("hex") }));
    const bytes = new TextEncoder().encode(`${JSON.stringify({ issuers: list }, undefined, 2)}\n`);
    try {
      await makeFolder(this.folder, 0o700);
    } catch (error) {
      throw ioError(error, "write", this.folder);
    }
    await writeFileAtomically(this.path, (sink) => sink.write(0, bytes));
  }
}
