/**
 * A second way from a stored number to what a sheet shows, written apart from numfmt, which the engine uses: a fault in
 * either shows as lost and added words. It knows what nearly all cells have: General, digits with grouping, percent and
 * scale, dates, times and elapsed times, in one to three sections. For fractions, exponents, conditions and other
 * calendars it gives undefined, and the reader then asks numfmt too: those cells are not checked independently.
 */

/** @returns undefined where the code says more than this knows */
export function secondFormat(code: string, value: number, date1904: boolean): string | undefined {
  if (/^(?:general|@)$/i.test(code)) return general(value);
  const sections = splitSections(code);
  const numeric =
    sections.length > 3 ? sections.slice(0, 3) : sections.at(-1)?.includes("@") ? sections.slice(0, -1) : sections;
  if (numeric.length === 0 || sections.length > 4) return undefined;
  const index = value > 0 || numeric.length === 1 ? 0 : value < 0 ? 1 : numeric.length === 3 ? 2 : 0;
  const section = numeric[index]!;
  const tokens = tokenise(section);
  if (tokens === undefined) return undefined;
  // A section of its own says how a negative number looks, its sign included.
  const shown = index === 1 ? Math.abs(value) : value;
  if (tokens.some(({ kind, text }) => kind === "date" && text.startsWith("["))) {
    const span = formatDate(tokens, Math.abs(value), false);
    return span === undefined || value >= 0 ? span : `-${span}`;
  }
  if (tokens.some(({ kind }) => kind === "date"))
    return value < 0 ? general(value) : formatDate(tokens, value, date1904);
  return formatDigits(tokens, shown);
}

interface Token {
  readonly kind: "literal" | "digits" | "percent" | "date" | "general";
  readonly text: string;
}

function splitSections(code: string): string[] {
  return (code.match(/(?:"[^"]*"|\\.|\[[^\]]*\]|[^;])+|(?<=;)(?=;|$)|^(?=;)/g) ?? []).slice(0, 5);
}

const TOKEN =
  /"([^"]*)"|\\(.)|_(.)|\*.|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]|(\[(?:h+|m+|s+)\])|(AM\/PM|A\/P)|(y+|m+|d+|h+|s+(?:[.]0+)?)|([#0?][#0?,.]*|\.[#0]+)|(%)|(general)|([-+$€£¥()!^&'~{}= :/,])/giy;

function tokenise(section: string): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < section.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(section);
    if (found === null || found[0] === "") return undefined;
    at += found[0].length;
    const [, quoted, escaped, skipped, currency, elapsed, half, date, digits, percent, plain, sign] = found;
    if (elapsed !== undefined || half !== undefined || date !== undefined)
      tokens.push({ kind: "date", text: (elapsed ?? half ?? date)!.toLowerCase() });
    else if (digits !== undefined) tokens.push({ kind: "digits", text: digits });
    else if (percent !== undefined) tokens.push({ kind: "percent", text: "%" });
    else if (plain !== undefined) tokens.push({ kind: "general", text: "" });
    // Any other language than English has names of its own, and F800 is the long date of the system.
    else if (/^\[\$-(?!0*409\])/i.test(found[0])) return undefined;
    else
      tokens.push({
        kind: "literal",
        text: quoted ?? escaped ?? (skipped === undefined ? (currency ?? sign ?? "") : " "),
      });
  }
  return tokens;
}

/** Eleven characters at most, as a cell shows a number without a format. */
function general(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  const sign = value < 0 ? "-" : "";
  if (size >= 1e11 || size < 1e-9 || (size < 1e-4 && plainDigits(size) > 11)) {
    const [digits, power] = exponential(size, 5);
    return `${sign}${digits}E${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  const whole = Math.floor(size) === 0 ? 1 : String(Math.floor(size)).length;
  return sign + trimmed(roundHalfUp(size, Math.max(0, whole === 11 ? 0 : 10 - whole)));
}

/** Characters of a small number written out to its last digit of fifteen. */
function plainDigits(size: number): number {
  return trimmed(roundHalfUp(size, 20)).length;
}

function exponential(size: number, places: number): [digits: string, power: number] {
  const [mantissa, power] = Number(size.toPrecision(15)).toExponential(places).split("e");
  return [trimmed(mantissa!), Number(power)];
}

function trimmed(digits: string): string {
  return digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
}

/** Rounds as Excel does: to fifteen digits, then by those digits as people write them, halves away from zero. */
function roundHalfUp(size: number, places: number): string {
  const [mantissa, power] = size.toExponential(14).split("e");
  const digits = mantissa!.replace(".", "");
  const point = Number(power) + 1;
  const padded =
    (point <= 0 ? "0".repeat(1 - point) : "") + digits + "0".repeat(Math.max(0, point - digits.length) + places + 1);
  const whole = point <= 0 ? 1 : point;
  const kept = BigInt(padded.slice(0, whole + places)) + (padded.charCodeAt(whole + places) >= 53 ? 1n : 0n);
  const text = kept.toString().padStart(places + 1, "0");
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
}

function formatDigits(tokens: readonly Token[], value: number): string | undefined {
  const runs = tokens.filter(({ kind }) => kind === "digits");
  if (runs.length > 1 || tokens.some(({ kind, text }) => kind === "literal" && text === "/")) return undefined;
  const percents = tokens.filter(({ kind }) => kind === "percent").length;
  const run = runs[0]?.text ?? "";
  if (/[?]/.test(run)) return runs.length === 1 && /^\?+$/.test(run) && value === 0 ? literals(tokens, "") : undefined;
  const scale = /,+$/.exec(run)?.[0].length ?? 0;
  const [whole = "", fraction = ""] = run.replace(/,+$/, "").split(".");
  const places = fraction.replace(/[^0#]/g, "").length;
  const scaled = Number((Math.abs(value) * 100 ** percents).toPrecision(15)) / 1000 ** scale;
  if (scaled >= 1e15) return undefined;
  if (tokens.some(({ kind }) => kind === "general"))
    return runs.length > 0 ? undefined : sign(value) + literals(tokens, general(Math.abs(value)));
  if (runs.length === 0) return percents > 0 ? undefined : sign(value) + literals(tokens, "");
  const [digits = "", decimals = ""] = roundHalfUp(scaled, places).split(".");
  const needed = fraction.replace(/#+$/, "").length;
  const shownDecimals = decimals.replace(new RegExp(`0{0,${Math.max(0, places - needed)}}$`), "");
  // Behind a zero every place is shown: `0#` makes 01 of 1.
  const least = whole.replaceAll(",", "").replace(/^#+/, "").length;
  let integer = digits === "0" && least === 0 ? "" : digits.padStart(least, "0");
  if (whole.includes(",")) integer = integer.replace(/\B(?=(?:\d{3})+$)/g, ",");
  const number = integer + (fraction === "" && !run.includes(".") ? "" : `.${shownDecimals}`);
  const zero = /^[0,.]*$/.test(number);
  return (zero ? "" : sign(value)) + literals(tokens, number);
}

function sign(value: number): string {
  return value < 0 ? "-" : "";
}

function literals(tokens: readonly Token[], number: string): string {
  return tokens.map(({ kind, text }) => (kind === "digits" || kind === "general" ? number : text)).join("");
}

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

function formatDate(tokens: readonly Token[], value: number, date1904: boolean): string | undefined {
  if (tokens.some(({ kind }) => kind === "percent" || kind === "general")) return undefined;
  const serial = value + (date1904 ? 1462 : 0);
  if (serial >= 2_958_466) return undefined;
  const smallest = tokens.reduce(
    (most, { kind, text }) => (kind === "date" ? Math.max(most, /\.(0+)$/.exec(text)?.[1]!.length ?? 0) : most),
    0,
  );
  const showsSeconds = tokens.some(({ kind, text }) => kind === "date" && text.includes("s"));
  // Seconds are rounded to what is shown of them; without seconds Excel cuts the minute off.
  const unit = 10 ** smallest;
  const ticks = showsSeconds ? Math.round(serial * 86_400 * unit) : Math.floor(serial * 86_400 * unit + 0.5);
  const total = Math.floor(ticks / unit);
  const day = Math.floor(total / 86_400);
  const clock = total - day * 86_400;
  // Excel counts a 29 February 1900, so days before March of that year are one off.
  const date = new Date(Date.UTC(1899, 11, 30) + (day < 60 ? day + 1 : day) * 86_400_000);
  const halves = tokens.some(({ text, kind }) => kind === "date" && text.includes("/"));
  const hour = Math.floor(clock / 3600);
  let text = "";
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "literal") text += token.text;
    else if (token.kind === "digits") return undefined;
    else if (token.kind === "date") {
      const part = datePart(token.text, {
        day,
        date,
        hour,
        halves,
        clock,
        total,
        minutes: isMinutes(tokens, index),
        fraction: ticks % unit,
      });
      if (part === undefined) return undefined;
      text += part;
    }
  }
  return text;
}

/** `m` is minutes behind hours and before seconds. */
function isMinutes(tokens: readonly Token[], index: number): boolean {
  const dates = tokens
    .map((token, at) => ({ ...token, at }))
    .filter(({ kind, text }) => kind === "date" && !text.includes("/"));
  const place = dates.findIndex(({ at }) => at === index);
  return /^\[?h/.test(dates[place - 1]?.text ?? "") || /^\[?s/.test(dates[place + 1]?.text ?? "");
}

interface Moment {
  readonly day: number;
  readonly date: Date;
  readonly hour: number;
  readonly halves: boolean;
  readonly clock: number;
  readonly total: number;
  readonly minutes: boolean;
  readonly fraction: number;
}

function datePart(token: string, moment: Moment): string | undefined {
  const { day, date, hour, halves, clock, total, minutes, fraction } = moment;
  const padded = (number: number, width: number): string => String(number).padStart(width, "0");
  if (token === "am/pm") return hour < 12 ? "AM" : "PM";
  if (token === "a/p") return hour < 12 ? "A" : "P";
  const elapsed = /^\[([hms])(\1*)\]$/.exec(token);
  if (elapsed !== null)
    return padded(Math.floor(total / { h: 3600, m: 60, s: 1 }[elapsed[1] as "h" | "m" | "s"]), elapsed[2]!.length + 1);
  const width = token.replace(/\..*/, "").length;
  switch (token[0]) {
    case "y":
      return day === 0
        ? width <= 2
          ? "00"
          : "1900"
        : width <= 2
          ? padded(date.getUTCFullYear() % 100, 2)
          : String(date.getUTCFullYear());
    case "d":
      if (day < 61 && width < 3)
        return day === 60 ? padded(29, width) : day === 0 ? padded(0, width) : padded(date.getUTCDate(), width);
      return width <= 2
        ? padded(date.getUTCDate(), width)
        : day < 61
          ? undefined
          : width === 3
            ? DAYS[date.getUTCDay()]!.slice(0, 3)
            : DAYS[date.getUTCDay()];
    case "h":
      return padded(halves ? ((hour + 11) % 12) + 1 : hour, Math.min(2, width));
    case "s": {
      const digits = /\.(0+)$/.exec(token)?.[1]!.length ?? 0;
      return padded(clock % 60, Math.min(2, width)) + (digits === 0 ? "" : `.${padded(fraction, digits)}`);
    }
    case "m": {
      if (minutes && width <= 2) return padded(Math.floor(clock / 60) % 60, width);
      const month = day === 0 ? 0 : day === 60 ? 1 : date.getUTCMonth();
      return width <= 2
        ? padded(month + 1, width)
        : width === 3
          ? MONTHS[month]!.slice(0, 3)
          : width === 4
            ? MONTHS[month]
            : MONTHS[month]![0];
    }
    default:
      return undefined;
  }
}
