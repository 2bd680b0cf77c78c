import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { MdcxError } from "../errors.js";
import { parseJson, type JsonObject, type JsonValue } from "./json.js";

/** Fewest and most bytes of the claims. */
export const CLAIMS_LIMITS = { min: 2, max: 1_048_576 } as const;

/** How `answerable_at` was obtained: from the package's own passages, from questions at packing, or from later ones. */
export type AnswerableOrigin = "estimated" | "focus" | "focus-after";
const ORIGINS: readonly string[] = ["estimated", "focus", "focus-after"] satisfies AnswerableOrigin[];

/** The facts that a package states in the clear (spec/container.md). All of it is public and none of it is secret. */
export interface ClaimedFacts {
  /** 16 random bytes as 32 hex digits: kept when the package is rewritten, new for every new package. */
  readonly packageId: string;
  /** 1 for a new package, one more at each rewrite of its image. */
  readonly revision: number;
  /** `YYYY-MM-DDThh:mm:ssZ`. */
  readonly created: string;
  /** Empty unless its maker gave one. */
  readonly title: string;
  /**
   * Who says to have issued it, or null. The name is an unproven text; `publicKey` (Ed25519, 32 bytes) is there exactly
   * when the package is signed.
   */
  readonly issuer: { readonly name: string; readonly publicKey?: Uint8Array } | null;
  /** Documents that are indexed. */
  readonly documents: number;
  readonly passages: number;
  /** Documents that are kept and exported but not indexed. */
  readonly attachments: number;
  /** BCP 47 codes ("und" where unknown) with their documents, the most frequent first. */
  readonly languages: readonly { readonly code: string; readonly documents: number }[];
  /** How many documents have a date, and the span (`YYYY`, `YYYY-MM` or `YYYY-MM-DD`); null and null when none has. */
  readonly dated: { readonly count: number; readonly from: string | null; readonly to: string | null };
  /** The embedding model, `sha256` being the digest of its file in hex; null without vectors. */
  readonly model: { readonly id: string; readonly sha256: string; readonly dimensions: number } | null;
  /** The cosine from which questions count as answerable, and how it was obtained; null without vectors. */
  readonly answerableAt: { readonly value: number; readonly origin: AnswerableOrigin } | null;
  /** Summary of the conversion, figures only; null where the documents were Markdown already. */
  readonly conversion: JsonObject | null;
}

/** Claims as read: the facts, and the object as it stands in the file with members that this version does not know. */
export interface Claims extends ClaimedFacts {
  readonly raw: JsonObject;
}

/**
 * The claims as the JSON object that is written into a package, members in the order of the specification.
 *
 * @param facts what the package states
 * @param unknown members to keep beside them, from a package that is being rewritten
 */
export function claimsObject(facts: ClaimedFacts, unknown: JsonObject = {}): JsonObject {
  const { issuer, answerableAt } = facts;
  const named: JsonObject = {
    file_format: "mdcx",
    version: 2,
    package_id: facts.packageId,
    revision: facts.revision,
    created: facts.created,
    title: facts.title,
    issuer: issuer && {
      name: issuer.name,
      ...(issuer.publicKey && { public_key: bytesToHex(issuer.publicKey) }),
    },
    documents: facts.documents,
    passages: facts.passages,
    attachments: facts.attachments,
    languages: facts.languages.map(({ code, documents }) => ({ code, documents })),
    dated: { count: facts.dated.count, from: facts.dated.from, to: facts.dated.to },
    model: facts.model && { id: facts.model.id, sha256: facts.model.sha256, dimensions: facts.model.dimensions },
    answerable_at: answerableAt && { value: answerableAt.value, origin: answerableAt.origin },
    conversion: facts.conversion,
  };
  const object = Object.assign(Object.create(null) as JsonObject, named);
  for (const [name, value] of Object.entries(unknown)) if (!(name in object)) object[name] = value;
  return object;
}

/**
 * Parses claims and checks every member that this version knows; members beside those are kept and ignored.
 *
 * @throws MdcxError `bad-json` for bytes that break the JSON rules, `bad-claims` for a member of the wrong type or value
 */
export function parseClaims(bytes: Uint8Array): Claims {
  return readClaims(parseJson(bytes, "claims"));
}

/** Checks claims that were parsed. @throws MdcxError `bad-claims` */
export function readClaims(raw: JsonObject): Claims {
  if (raw.file_format !== "mdcx") throw bad("file_format", 'must be "mdcx"');
  if (raw.version !== 2) throw bad("version", "must be 2 in a package of format version 2");
  const packageId = text(raw, "package_id");
  if (!/^[0-9a-f]{32}$/.test(packageId)) throw bad("package_id", "must be 32 lower-case hex digits");
  const created = text(raw, "created");
  if (!isInstant(created)) throw bad("created", "must be a time like 2026-01-31T23:59:59Z");
  return {
    raw,
    packageId,
    revision: count(raw, "revision", 1),
    created,
    title: text(raw, "title"),
    issuer: readIssuer(raw),
    documents: count(raw, "documents"),
    passages: count(raw, "passages"),
    attachments: count(raw, "attachments"),
    languages: readLanguages(raw),
    dated: readDated(raw),
    model: readModel(raw),
    answerableAt: readAnswerableAt(raw),
    conversion: objectOrNull(raw, "conversion"),
  };
}

function readIssuer(raw: JsonObject): Claims["issuer"] {
  const issuer = objectOrNull(raw, "issuer");
  if (issuer === null) return null;
  const name = text(issuer, "name", "issuer.name");
  if (issuer.public_key === undefined) return { name };
  const key = text(issuer, "public_key", "issuer.public_key");
  if (!/^[0-9a-f]{64}$/.test(key)) throw bad("issuer.public_key", "must be 64 lower-case hex digits");
  return { name, publicKey: hexToBytes(key) };
}

function readLanguages(raw: JsonObject): Claims["languages"] {
  const { languages } = raw;
  if (!Array.isArray(languages)) throw bad("languages", "must be a list");
  return languages.map((entry) => {
    if (!isObject(entry)) throw bad("languages", "must be a list of objects");
    const code = text(entry, "code", "languages.code");
    if (!/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(code)) throw bad("languages.code", "must be a language code");
    return { code, documents: count(entry, "documents", 0, "languages.documents") };
  });
}

function readDated(raw: JsonObject): Claims["dated"] {
  const dated = objectOrNull(raw, "dated");
  if (dated === null) throw bad("dated", "must be an object");
  const total = count(dated, "count", 0, "dated.count");
  const [from, to] = [dated.from ?? null, dated.to ?? null];
  for (const [name, value] of Object.entries({ from, to })) {
    const fits = total === 0 ? value === null : typeof value === "string" && /^\d{4}(-\d\d(-\d\d)?)?$/.test(value);
    if (!fits) throw bad(`dated.${name}`, "must be a date, or null when no document is dated");
  }
  return { count: total, from: from as string | null, to: to as string | null };
}

function readModel(raw: JsonObject): Claims["model"] {
  const model = objectOrNull(raw, "model");
  if (model === null) return null;
  const sha256 = text(model, "sha256", "model.sha256");
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw bad("model.sha256", "must be 64 lower-case hex digits");
  return { id: text(model, "id", "model.id"), sha256, dimensions: count(model, "dimensions", 1, "model.dimensions") };
}

function readAnswerableAt(raw: JsonObject): Claims["answerableAt"] {
  const stated = objectOrNull(raw, "answerable_at");
  if (stated === null) return null;
  const { value } = stated;
  if (typeof value !== "number" || Math.abs(value) > 1) throw bad("answerable_at.value", "must be a cosine");
  const origin = text(stated, "origin", "answerable_at.origin");
  if (!ORIGINS.includes(origin)) throw bad("answerable_at.origin", `must be one of ${ORIGINS.join(", ")}`);
  return { value, origin: origin as AnswerableOrigin };
}

function text(object: JsonObject, name: string, path = name): string {
  const value = object[name];
  if (typeof value !== "string") throw bad(path, "must be a string");
  return value;
}

function count(object: JsonObject, name: string, min = 0, path = name): number {
  const value = object[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < min) {
    throw bad(path, `must be a whole number of at least ${min}`);
  }
  return value;
}

function objectOrNull(object: JsonObject, name: string): JsonObject | null {
  const value = object[name];
  if (value === null || (value !== undefined && isObject(value))) return value;
  throw bad(name, "must be an object or null");
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isInstant(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)) return false;
  const time = new Date(value);
  // Date moves 30 February into March, so a day that does not exist comes back as another.
  return !Number.isNaN(time.getTime()) && time.toISOString() === value.replace("Z", ".000Z");
}

function bad(path: string, rule: string): MdcxError {
  return new MdcxError("bad-claims", `The claim ${path} ${rule}.`);
}
