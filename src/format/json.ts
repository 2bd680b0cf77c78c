import { MdcxError } from "../errors.js";

/** What the JSON of a package may hold. Objects have no prototype, so `__proto__` and `constructor` are plain members. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [name: string]: JsonValue;
}

/** Which JSON of the head is read: the envelope allows integers only. */
export type JsonPart = "claims" | "envelope";

/** Nesting allowed; the outermost object is 1. */
export const JSON_DEPTH = 8;
/** Objects, arrays, strings, numbers and literals allowed together; names do not count. */
export const JSON_VALUES = 10_000;

const SPACE = /[\t\n\r ]*/y;
const NUMBER = /(-?)(0|[1-9][0-9]{0,15})(\.[0-9]{1,17})?/y;
/** A run of characters that stand for themselves: no quote, no backslash, none of U+0000–001F and U+007F–009F. */
const PLAIN = /[^"\\\u0000-\u001f\u007f-\u009f]*/y;
const HEX4 = /[0-9a-fA-F]{4}/y;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
/** In `u` mode a surrogate matches only where it has no partner. */
const UNPAIRED = /[\ud800-\udfff]/u;

/**
 * Parses the claims or the envelope by the JSON rules of spec/container.md: RFC 8259 without what lets two readers
 * understand the same signed bytes differently (repeated names, unpaired surrogates, numbers that a double does not hold)
 * and without what a terminal would obey (control characters, also escaped).
 *
 * `JSON.parse` cannot serve: it keeps the last of two equal names, silently.
 *
 * @throws MdcxError `bad-json`
 */
export function parseJson(bytes: Uint8Array, what: JsonPart): JsonObject {
  let text: string;
  try {
    // ignoreBOM keeps a BOM in the text, where the rule on the first byte refuses it.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new MdcxError("bad-json", `${sentence(what)}: it is not well-formed UTF-8.`, { cause });
  }
  return new Parser(text, what).document();
}

/**
 * Compact UTF-8 that {@link parseJson} reads back as the same value, by the rules of the claims.
 *
 * @throws MdcxError `bad-input` for what the rules do not allow: a control character in a title, a number written with
 * an exponent, more than 8 levels.
 */
export function writeJson(value: JsonObject): Uint8Array {
  const text = JSON.stringify(value, (name, member: unknown) => {
    // JSON.stringify would leave these out or write `null` and `0` for them.
    const lost =
      typeof member === "number"
        ? !Number.isFinite(member) || Object.is(member, -0)
        : member !== null && !["boolean", "string", "object"].includes(typeof member);
    if (lost) throw new MdcxError("bad-input", `The value of "${name}" cannot be written as JSON: ${String(member)}.`);
    return member;
  });
  try {
    new Parser(text, "claims").document();
  } catch (error) {
    if (!(error instanceof MdcxError)) throw error;
    throw new MdcxError("bad-input", `This cannot be written into a package. ${error.message}`, { cause: error });
  }
  return new TextEncoder().encode(text);
}

function sentence(what: JsonPart): string {
  return `The ${what === "claims" ? "statement" : "envelope"} of the package breaks the JSON rules`;
}

/** A recursive descent over the text; its depth is bounded by {@link JSON_DEPTH}. */
class Parser {
  private at = 0;
  private values = 0;

  constructor(
    private readonly text: string,
    private readonly what: JsonPart,
  ) {}

  document(): JsonObject {
    if (!this.text.startsWith("{")) this.fail("the first byte is not {");
    const object = this.object(1);
    if (this.at !== this.text.length) this.fail("something follows the last }");
    return object;
  }

  private value(depth: number): JsonValue {
    const first = this.text[this.at];
    if (first === "{") return this.object(depth);
    if (first === "[") return this.array(depth);
    this.count();
    if (first === '"') return this.string();
    for (const [literal, value] of LITERALS) {
      if (this.text.startsWith(literal, this.at)) {
        this.at += literal.length;
        return value;
      }
    }
    return this.number();
  }

  private object(depth: number): JsonObject {
    this.enter(depth);
    const object = Object.create(null) as JsonObject;
    if (this.next("}")) return object;
    do {
      this.space();
      if (this.text[this.at] !== '"') this.fail("a name is missing");
      const start = this.at;
      const name = this.string();
      if (Object.hasOwn(object, name)) this.fail(`the name ${JSON.stringify(name)} occurs twice in an object`, start);
      if (!this.next(":")) this.fail("a colon is missing");
      this.space();
      object[name] = this.value(depth + 1);
    } while (this.next(","));
    if (!this.next("}")) this.fail("a comma or } is missing");
    return object;
  }

  private array(depth: number): JsonValue[] {
    this.enter(depth);
    const array: JsonValue[] = [];
    if (this.next("]")) return array;
    do {
      this.space();
      array.push(this.value(depth + 1));
    } while (this.next(","));
    if (!this.next("]")) this.fail("a comma or ] is missing");
    return array;
  }

  private enter(depth: number): void {
    if (depth > JSON_DEPTH) this.fail(`there are more than ${JSON_DEPTH} levels`);
    this.count();
    this.at++;
  }

  private string(): string {
    const start = this.at++;
    let value = "";
    for (;;) {
      value += this.match(PLAIN)![0];
      const stop = this.text[this.at];
      if (stop === '"') break;
      if (stop !== "\\") this.fail(stop === undefined ? "a string does not end" : "a string holds a control character");
      value += this.escape();
    }
    this.at++;
    if (UNPAIRED.test(value)) this.fail("a string holds half of a surrogate pair", start);
    return value;
  }

  private escape(): string {
    const start = this.at;
    const kind = this.text[start + 1];
    this.at += 2;
    if (kind === '"' || kind === "\\" || kind === "/") return kind;
    // \b \f \n \r \t are control characters as much as \u0008 is.
    if (kind !== undefined && "bfnrt".includes(kind)) this.fail("a string holds an escaped control character", start);
    if (kind !== "u") this.fail("an escape is not known", start);
    const hex = this.match(HEX4);
    if (hex === null) this.fail("an escape is not four hexadecimal digits", start);
    const unit = String.fromCharCode(Number.parseInt(hex[0], 16));
    if (CONTROL.test(unit)) this.fail("a string holds an escaped control character", start);
    return unit;
  }

  private number(): number {
    const start = this.at;
    const match = this.match(NUMBER);
    if (match === null) this.fail("a value is missing or not known");
    const [text, sign, whole, fraction] = match;
    const value = Number(text);
    if (sign === "-" && value === 0) this.fail("a number is minus zero", start);
    if (Number(whole) > Number.MAX_SAFE_INTEGER) this.fail("a number reaches 2^53", start);
    if (fraction !== undefined && this.what === "envelope") this.fail("a number is not an integer", start);
    // What the pattern leaves over (an exponent, one digit more) is refused where a comma or bracket is expected.
    return value;
  }

  private count(): void {
    if (++this.values > JSON_VALUES) this.fail(`there are more than ${JSON_VALUES} values`);
  }

  /** Skips white space, and the character where it comes next. */
  private next(character: string): boolean {
    this.space();
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private space(): void {
    this.match(SPACE);
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match !== null) this.at += match[0].length;
    return match;
  }

  private fail(why: string, at = this.at): never {
    throw new MdcxError("bad-json", `${sentence(this.what)}: ${why} (at character ${at}).`);
  }
}

const LITERALS: readonly [string, JsonValue][] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
