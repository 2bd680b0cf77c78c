const ROMAN: readonly (readonly [number, string])[] = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];

const LETTERS: Readonly<Record<string, string>> = {
  lowerLetter: "abcdefghijklmnopqrstuvwxyz",
  upperLetter: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  russianLower: "абвгдежзиклмнопрстуфхцчшщыэюя",
  russianUpper: "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ",
  aiueo: "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
  iroha: "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン",
  ganada: "가나다라마바사아자차카타파하",
  chosung: "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
  arabicAlpha: "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
  arabicAbjad: "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
  ideographTraditional: "甲乙丙丁戊己庚辛壬癸",
  ideographZodiac: "子丑寅卯辰巳午未申酉戌亥",
  thaiLetters: "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
};

const CHINESE = "零一二三四五六七八九";
const DIGITS: Readonly<Record<string, string>> = {
  ideographDigital: "〇一二三四五六七八九",
  japaneseDigitalTenThousand: "〇一二三四五六七八九",
  koreanDigital: "영일이삼사오육칠팔구",
  hindiNumbers: "०१२३४५६७८९",
  thaiNumbers: "๐๑๒๓๔๕๖๗๘๙",
};

/** A number as Word shows it (ECMA-376 part 1, 17.18.59); formats that are not listed here come as decimal figures. */
export function formatNumber(value: number, format: string): string {
  const letters = LETTERS[format];
  if (letters !== undefined) return letterOf(value, Array.from(letters));
  const digits = DIGITS[format];
  if (digits !== undefined) return String(value).replace(/\d/g, (digit) => Array.from(digits)[Number(digit)]!);
  switch (format) {
    case "none":
      return "";
    case "decimalZero":
      return String(value).padStart(2, "0");
    case "lowerRoman":
      return roman(value);
    case "upperRoman":
      return roman(value).toUpperCase();
    case "ordinal":
      return `${value}${ordinalEnding(value)}`;
    case "decimalEnclosedCircle":
    case "decimalEnclosedCircleChinese":
    case "ideographEnclosedCircle":
      return value >= 1 && value <= 20 ? String.fromCodePoint(0x245f + value) : String(value);
    case "decimalEnclosedParen":
      return `(${value})`;
    case "numberInDash":
      return `- ${value} -`;
    case "chineseCounting":
    case "chineseCountingThousand":
    case "japaneseCounting":
    case "taiwaneseCounting":
    case "taiwaneseCountingThousand":
      return chinese(value);
    default:
      return String(value);
  }
}

/** a, b, … z, aa, bb, … as Word counts on. A number past some thousand would be a line of letters. */
function letterOf(value: number, letters: readonly string[]): string {
  if (value < 1 || value > 50 * letters.length) return String(value);
  return letters[(value - 1) % letters.length]!.repeat(Math.ceil(value / letters.length));
}

function roman(value: number): string {
  if (value < 1 || value > 4999) return String(value);
  let rest = value;
  let text = "";
  for (const [size, sign] of ROMAN)
    while (rest >= size) {
      text += sign;
      rest -= size;
    }
  return text;
}

function ordinalEnding(value: number): string {
  if (value % 100 >= 11 && value % 100 <= 13) return "th";
  return ["th", "st", "nd", "rd"][value % 10] ?? "th";
}

function chinese(value: number): string {
  if (value < 0 || value > 9999) return String(value);
  const signs = Array.from(CHINESE);
  if (value < 10) return signs[value]!;
  let text = "";
  let gap = false;
  for (const [size, unit] of [
    [1000, "千"],
    [100, "百"],
    [10, "十"],
    [1, ""],
  ] as const) {
    const digit = Math.floor(value / size) % 10;
    if (digit === 0) gap = text !== "";
    else {
      text += (gap ? signs[0]! : "") + signs[digit]! + unit;
      gap = false;
    }
  }
  return text.replace(/^一十/, "十");
}
