/**
 * How likely a text is in the languages that an old encoding was made for, as bits: what it would take to write it down.
 * The wrong encoding gives letters that its languages seldom use, capitals within words, or signs without a sense, and
 * so costs more. Unlike statistics over pairs of bytes this tells encodings apart on a line of text.
 */

/** Letters of a language, most frequent first; only those beyond ASCII where it is written in Latin letters. */
interface Language {
  readonly letters: string;
  /** Bits of the most frequent letter, and of how much more the last one takes. */
  readonly first: number;
  readonly spread: number;
}

const LATIN = { first: 5, spread: 5 };
const ALPHABET = { first: 3.2, spread: 6 };

const LANGUAGES = {
  german: { letters: "üäößé", ...LATIN },
  french: { letters: "éàèêçôîûâùœïë", ...LATIN },
  spanish: { letters: "óíáéñú¿¡üº", ...LATIN },
  portuguese: { letters: "ãçéáíóêõâúàôªº", ...LATIN },
  italian: { letters: "èàùòìéóíçúï", ...LATIN },
  scandinavian: { letters: "äåöøæé", ...LATIN },
  icelandic: { letters: "ðáíþæöúóéý", ...LATIN },
  polish: { letters: "łążęśćóńź", ...LATIN },
  czech: { letters: "íáěéřčšžýůúťďňóľĺŕôä", ...LATIN },
  hungarian: { letters: "áéöóőíüúű", ...LATIN },
  romanian: { letters: "ăîâşţșț", ...LATIN },
  southSlavic: { letters: "čšžćđ", ...LATIN },
  turkish: { letters: "ışüğçöİâî", ...LATIN },
  baltic: { letters: "āīšžēėąųūčņļķģįęõäöü", ...LATIN },
  russian: { letters: "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", ...ALPHABET },
  ukrainian: { letters: "оанивіертслкдумпязьбгйчхцюжїшщєфґ", ...ALPHABET },
  serbian: { letters: "аиоенртсјкувмдплзгбчжшцњхћђљфџ", ...ALPHABET },
  bulgarian: { letters: "аоиетнрсвлкдпмзгъубяцчщжйшхфюь", ...ALPHABET },
  greek: { letters: "αοιτεσνρηςκυπμλάέόίωύγδήθχφώβξζψϊϋΐΰ", ...ALPHABET },
  arabic: { letters: "الينمورتبةعدسفهكقأحجىشصطخإذزضءثغئظؤآپچژگ", ...ALPHABET },
  hebrew: { letters: "יוהלאתמרבשנעדקחפםכטגסןצזךףץ", ...ALPHABET },
  thai: { letters: "านรก่อเ้งมยลัวดทสตีิะปบคหแจิุ็พชู์ขใไโผธณืำศซภฐถษญฤฉฝฟฮฬฎฏฆฑฒฌๆฯ", ...ALPHABET },
} satisfies Record<string, Language>;

const HANZI_SIMPLIFIED =
  "的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏文档第";
const HANZI_TRADITIONAL =
  "的一是不了在人有我他這中大來上個國到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可里後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工己話兒者向情部正名定女問力機給等幾很業最間新什打便位因重被走電四第門相次東政海口使教西再平真聽世氣信北少關並內加化由卻代軍產入先山五太水萬市眼體別處總才場師書比住員九笑性通目華報立馬命張活難神數件安表原車白應路期叫死常提感金何更反合放做系計或司利受光王果親界及今京務制解各任至清物台象記邊共風戰幹接它許八特覺望直服毛林題建南度統色字請交愛讓認算論百吃義科怎元社術結六功指思非流每青管夫連遠資隊跟帶花快條院變聯言權往展該領傳近留紅治決周保達辦運武半候七必城父強步完革深區即求品士轉量空甚眾技輕程告江語英基檔案";
const HANGUL =
  "이다는에의을가고로하한을지도사대기를인스어자리정시나라아서해있그일부제으상전안만수여장은주보들것원과조구성니유트관공게세경마오용소비면화적방선계문내동발되위된거무와실지우학할분진당요국명생중치간연회재신단물모통법년차체호영업교터때불후권약식행작더말설규물미양결입복배레별역개크심제직키처본민산김박최름길홍람뜻";
const KANA = "のにはをたがでてとしれさいるなもかこまっすくらりあうきせそけどつおよめだわみえんじろへば";

/** What the high bytes of an encoding stand for. */
export type Family =
  | "latin1"
  | "latin2"
  | "turkish"
  | "baltic"
  | "cyrillic"
  | "greek"
  | "arabic"
  | "hebrew"
  | "thai"
  | "simplified"
  | "traditional"
  | "japanese"
  | "korean";

const OF_FAMILY: Readonly<Record<string, readonly Language[]>> = {
  latin1: [
    LANGUAGES.german,
    LANGUAGES.french,
    LANGUAGES.spanish,
    LANGUAGES.portuguese,
    LANGUAGES.italian,
    LANGUAGES.scandinavian,
    LANGUAGES.icelandic,
  ],
  latin2: [LANGUAGES.polish, LANGUAGES.czech, LANGUAGES.hungarian, LANGUAGES.romanian, LANGUAGES.southSlavic],
  turkish: [LANGUAGES.turkish],
  baltic: [LANGUAGES.baltic],
  cyrillic: [LANGUAGES.russian, LANGUAGES.ukrainian, LANGUAGES.serbian, LANGUAGES.bulgarian],
  greek: [LANGUAGES.greek],
  arabic: [LANGUAGES.arabic],
  hebrew: [LANGUAGES.hebrew],
  thai: [LANGUAGES.thai],
};

/** Bits for coming across a family at all: where a line could be of two, it is of the more widespread one. */
const PRIOR: Readonly<Partial<Record<Family, number>>> = {
  latin1: 0,
  latin2: 3,
  cyrillic: 2,
  greek: 4,
  arabic: 3,
  hebrew: 4,
  thai: 4,
  turkish: 3,
  baltic: 6,
};

/** Bits of what stands in texts of every language. */
const ASCII = 4.5;
const TYPOGRAPHY = 8;
const RARE = 16;
const IMPOSSIBLE = 40;
const CAPITAL_AT_START = 3;
const CAPITAL_WITHIN = 9;
/** Two letters beyond ASCII side by side are seldom in Latin scripts, a foreign letter inside a word in the others. */
const NEIGHBOURS = 4;
/** A word in another script than Latin amid ASCII: a single letter there is rather an accented one of a Latin script. */
const NEW_RUN = 1.5;

const TYPOGRAPHIC = new Set("“”„‘’‚–—…«»‹›•°§©®™€£\u00a0·×، ؛؟");
const CJK_PUNCTUATION = new Set("，。、：；！？“”‘’（）《》「」『』【】〈〉・—…～　％");

/** Bits that it takes to write the text in the likeliest language of a family. */
export function bitsOf(text: string, family: Family): number {
  const languages = OF_FAMILY[family];
  if (languages === undefined) return bitsOfEastAsian(text, family);
  return Math.min(...languages.map((language) => bitsInAlphabet(text, language, family)));
}

const tables = new Map<string, ReadonlyMap<string, number>>();

function letterBits({ letters, first, spread }: Language): ReadonlyMap<string, number> {
  let table = tables.get(letters);
  if (table === undefined) {
    const signs = Array.from(letters);
    table = new Map(
      signs.map((sign, i) => [sign, first + (spread * i) / Math.max(1, signs.length - 1)] as const).reverse(),
    );
    tables.set(letters, table);
  }
  return table;
}

function bitsInAlphabet(text: string, language: Language, family: Family): number {
  const table = letterBits(language);
  const latin = language.first === LATIN.first;
  let bits = 0;
  let before: "none" | "ascii" | "lower" | "upper" = "none";
  for (const sign of text) {
    if (sign < "\u0080") {
      bits += sign < " " && !/[\t\n\r\f]/.test(sign) ? RARE : ASCII;
      const letter = /[A-Za-z]/.test(sign);
      if (letter && !latin && (before === "lower" || before === "upper")) bits += NEIGHBOURS;
      if (letter && latin) before = sign < "a" ? "upper" : "lower";
      else before = letter || /\d/.test(sign) ? "ascii" : "none";
      continue;
    }
    const lower = sign.toLowerCase();
    const known = /[¿¡]/.test(sign) && before !== "none" ? undefined : (table.get(sign) ?? table.get(lower));
    if (known === undefined) {
      bits += /[\uFFFD\p{Cc}\p{Cn}\p{Co}]/u.test(sign) ? IMPOSSIBLE : TYPOGRAPHIC.has(sign) ? TYPOGRAPHY : RARE;
      before = "none";
      continue;
    }
    bits += known;
    const upper = sign !== lower && table.get(sign) === undefined;
    if (upper) bits += before === "lower" ? CAPITAL_WITHIN : before === "upper" ? 1 : CAPITAL_AT_START;
    if (before === "ascii") bits += NEIGHBOURS;
    else if (before === "none" && !latin) bits += NEW_RUN;
    before = upper ? "upper" : "lower";
  }
  // The more letters a family has to choose among, the easier it explains anything.
  return bits + PRIOR[family]!;
}

const HALF_WIDTH_KANA = /[\uFF61-\uFF9F]/;

function bitsOfEastAsian(text: string, family: Family): number {
  const frequent = family === "korean" ? HANGUL : family === "traditional" ? HANZI_TRADITIONAL : HANZI_SIMPLIFIED;
  const ranks = rankBits(frequent, family === "korean" ? 3.5 : 3.5);
  const kana = rankBits(KANA, 4);
  let bits = 2;
  let before = "none";
  for (const sign of text) {
    if (sign < "\u0080") {
      bits += sign < " " && !/[\t\n\r\f]/.test(sign) ? RARE : ASCII;
      const letter = /[A-Za-z]/.test(sign);
      if (letter && before === "wide") bits += NEIGHBOURS;
      before = letter ? "ascii" : "none";
      continue;
    }
    if (before === "ascii") bits += NEIGHBOURS;
    else if (before === "none") bits += NEW_RUN;
    before = "wide";
    if (CJK_PUNCTUATION.has(sign)) bits += 6;
    else if (/\p{Script=Hangul}/u.test(sign)) bits += family === "korean" ? (ranks.get(sign) ?? 13) : 30;
    else if (HALF_WIDTH_KANA.test(sign)) bits += 14;
    else if (/[\u3041-\u30FF]/.test(sign)) bits += family === "japanese" ? (kana.get(sign) ?? 8) : 22;
    else if (/\p{Script=Han}/u.test(sign)) bits += bitsOfHan(sign, family, ranks);
    else if (/[\uFF01-\uFF5E\u2500-\u257F]/.test(sign)) bits += 10;
    else bits += /[\uFFFD\p{Cc}\p{Cn}\p{Co}]/u.test(sign) ? IMPOSSIBLE : 20;
  }
  return bits;
}

function bitsOfHan(sign: string, family: Family, ranks: ReadonlyMap<string, number>): number {
  if (family === "korean") return 20;
  // Japanese shares the frequent signs of Chinese only in part, and puts kana between them.
  const rank = ranks.get(sign);
  if (rank !== undefined) return family === "japanese" ? Math.min(12, rank + 2) : rank;
  // Beyond the basic block stand signs that nobody writes and everybody's decoder knows.
  return /[\u4E00-\u9FA5]/.test(sign) ? 14.5 : 26;
}

function rankBits(signs: string, first: number): ReadonlyMap<string, number> {
  let table = tables.get(signs);
  if (table === undefined) {
    table = new Map(
      Array.from(signs)
        .map((sign, i) => [sign, first + Math.log2(i + 1)] as const)
        .reverse(),
    );
    tables.set(signs, table);
  }
  return table;
}
