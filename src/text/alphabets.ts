/**
 * The letters that languages write, as far as they tell neighbours apart: `ş` and `ı` rule out Spanish, `ы` Bulgarian. Of
 * Latin alphabets, what goes beyond a to z, and what their own words of foreign origin keep.
 */
const LATIN: Readonly<Record<string, string>> = {
  en: "é", de: "äöüß", fr: "àâæçéèêëîïôœùûüÿ", es: "áéíñóúü", it: "àèéìíîòóùú", pt: "áâãàçéêíóôõúü", nl: "éëïóöüèê",
  sv: "åäöé", da: "æøåé", no: "æøåéòô", fi: "äöåšž", hu: "áéíóöőúüű", ro: "ăâîșțşţ", tr: "çğıöşüâîû", pl: "ąćęłńóśźż",
  cs: "áčďéěíňóřšťúůýž", sk: "áäčďéíĺľňóôŕšťúýž", sl: "čšž", hr: "čćđšž", sr: "čćđšž", ca: "àçèéíïòóúü", gl: "áéíñóúü",
  id: "é", et: "äöõüšž", lt: "ąčęėįšųūž", lv: "āčēģīķļņšūž", sw: "", af: "êëéèôûîïö", tl: "ñ",
}; // prettier-ignore

const CYRILLIC: Readonly<Record<string, string>> = {
  ru: "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
  uk: "абвгдежзийклмнопрстуфхцчшщьюяіїєґ",
  be: "абвгдежзйклмнопрстуфхцчшыьэюяёіў",
  bg: "абвгдежзийклмнопрстуфхцчшщъьюя",
  sr: "абвгдежзиклмнопрстуфхцчшјљњћђџ",
  mk: "абвгдежзиклмнопрстуфхцчшјљњѓќѕџ",
  kk: "абвгдежзийклмнопрстуфхцчшщъыьэюяёәғқңөұүһі",
};

const ARABIC: Readonly<Record<string, string>> = {
  ar: "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي",
  fa: "ءآأؤئابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی",
  ur: "ءآأؤئابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوہھیے",
};

const LETTER = /\p{L}/u;

/**
 * Share of the letters of a text that a language does not write, 0 to 1; 0 for a language whose alphabet is not known here.
 * A foreign name leads astray by little, an alphabet of another language by every word.
 */
export function foreignLetters(text: string, language: string): number {
  const letters = Array.from(text.toLowerCase()).filter((character) => LETTER.test(character));
  const foreign = letters.filter((letter) => !writes(language, letter));
  return letters.length === 0 ? 0 : foreign.length / letters.length;
}

function writes(language: string, letter: string): boolean {
  if (letter <= "z") return true;
  const alphabets = [LATIN[language], CYRILLIC[language], ARABIC[language]].filter(
    (alphabet) => alphabet !== undefined,
  );
  return alphabets.length === 0 || alphabets.some((alphabet) => alphabet.includes(letter));
}
