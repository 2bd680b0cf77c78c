import type { Folder } from "../package/in-memory.js";

/** A small company's papers in six languages, two or three of each matter. */
export const PAPERS: Folder = {
  "en/lease.md":
    "# Lease of the warehouse\n\nThe lease of the warehouse on the east quay ends on 31 March 2027. The rent is 4,200 euros a month.\n\n" +
    "## Notice\n\nEither side may give notice in writing, six months before the end of the term.\n",
  "en/pilotage.md":
    "# Pilotage\n\nThe pilot boards two miles before the breakwater. In fog no vessel enters without one.\n",
  "en/crane.md":
    "# Crane 4\n\nError E-4711 means that the hoist brake overheated. Let it cool for twenty minutes before lifting again.\n",
  "de/brandschutz.md":
    "# Brandschutz im Lager\n\nDie Löschanlage wird jedes Jahr im Oktober geprüft. Batterien lagern getrennt hinter der Brandschutztür.\n",
  "de/urlaub.md": "# Urlaub\n\nJeder Angestellte hat dreißig Tage Urlaub im Jahr. Resttage verfallen am 31. März.\n",
  "de/gezeiten.md":
    "# Gezeitenpegel\n\nDer Pegel wird zweimal im Jahr geeicht. Der Schlüssel zum Schacht hängt im Büro des Hafenmeisters.\n",
  "es/nominas.md":
    "# Nóminas\n\nEl salario se paga el día veinticinco de cada mes. Las horas extra se abonan con un recargo del cincuenta por ciento.\n",
  "es/cocina.md": "# Comedor\n\nEl comedor abre a las doce. Los viernes hay pescado, y siempre un plato sin carne.\n",
  "fr/assurance.md":
    "# Assurance des marchandises\n\nLes marchandises sont assurées contre le vol et l'incendie jusqu'à deux millions d'euros. Tout dommage est déclaré sous trois jours.\n",
  "fr/dragage.md": "# Dragage du chenal\n\nLe chenal est dragué tous les deux ans à une profondeur de onze mètres.\n",
  "ru/okhrana.md": "# Охрана\n\nНочью территорию обходят два сторожа с собаками. Посторонним вход запрещён.\n",
  "ru/ledokol.md": "# Зима\n\nЕсли лёд толще двадцати сантиметров, вызывают ледокол из соседнего порта.\n",
  "ja/nimotsu.md": "# 荷物の検査\n\n冷凍の荷物は到着後一時間以内に検査する。温度が高いときは受け取らない。\n",
  "ja/jishin.md": "# 地震のとき\n\n地震のときはクレーンを止め、全員が高台へ避難する。\n",
};

/** Questions by the document that answers them; most are not in its language. */
export const QUESTIONS: readonly (readonly [question: string, document: string])[] = [
  ["When does the lease of the warehouse end?", "en/lease.md"],
  ["Wann endet der Mietvertrag für das Lagerhaus?", "en/lease.md"],
  ["E-4711", "en/crane.md"],
  ["¿Qué hago si se calienta el freno de la grúa?", "en/crane.md"],
  ["How many days of holiday do employees have?", "de/urlaub.md"],
  ["Wo hängt der Schlüssel zum Schacht?", "de/gezeiten.md"],
  ["Когда выплачивают зарплату?", "es/nominas.md"],
  ["How deep is the channel dredged?", "fr/dragage.md"],
  ["荷物が盗まれたら保険は出ますか。", "fr/assurance.md"],
  ["Wer bewacht das Gelände in der Nacht?", "ru/okhrana.md"],
  ["What do we do in an earthquake?", "ja/jishin.md"],
  ["冷凍の荷物はいつ検査しますか。", "ja/nimotsu.md"],
];
