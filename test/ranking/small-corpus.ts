import type { ByteStream } from "../../src/image/streams.js";
import type { Encoder } from "../../src/meaning/encoder.js";
import { MeaningSearch } from "../../src/meaning/nearest.js";
import { VectorIndex, VectorRows } from "../../src/meaning/vectors.js";
import type { CalibrationCorpus } from "../../src/ranking/calibration.js";

/** Texts as a package has them, each its own document unless `document` says otherwise. */
export async function corpusOf(
  encoder: Encoder,
  texts: readonly string[],
  document: (passage: number) => number = (passage) => passage,
): Promise<CalibrationCorpus> {
  const { dimensions } = await encoder.describe();
  const { vectors } = await encoder.encode(texts, "passage");
  const rows = new VectorRows(dimensions, texts.length);
  texts.forEach((_, i) => {
    rows.set(i, vectors.subarray(i * dimensions, (i + 1) * dimensions));
  });
  const { codes, halves } = rows.streams();
  const index = new VectorIndex({ codes: stream(codes), halves: stream(halves) }, texts.length, dimensions);
  const search = new MeaningSearch([index]);
  return {
    passages: texts.length,
    text: (passage) => texts[passage]!,
    document,
    vector: (passage) => index.vector(passage),
    nearest: (query, limit) => search.nearest(query, { limit }),
  };
}

function stream(chunks: Iterable<Uint8Array>): ByteStream {
  const bytes = Buffer.concat([...chunks]);
  return { length: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/** A handbook of a boat hire, a passage each. */
export const HANDBOOK: readonly string[] = [
  "Opening hours\nThe office at the north pier is open from 8 to 18 from May to September. In April and October it opens at 10. During the winter all bookings are taken by telephone, and messages are answered within two days.",
  "Deposits\nA deposit of 150 pounds is taken for every sailing dinghy, and of 40 pounds for a canoe. It is paid back in cash on the day of return when nothing is missing. Cards are charged a week later.",
  "Life jackets\nEveryone under sixteen wears a life jacket on the water at all times. Jackets are tried on at the counter; the crotch strap must be closed. A jacket whose gas bottle has been fired goes into the red crate.",
  "Cancelling\nA booking may be cancelled free of charge until 48 hours before it begins. After that half of the price is due, and the whole of it for those who do not come. In a gale warning nobody pays.",
  "Towing\nWhen the lake warden has to tow a boat back, 60 pounds are charged for the first hour. Stay with the boat, drop the sails and show the orange flag. Never tie the towing line to the tiller.",
  "Weather\nThe forecast is pinned to the board at seven each morning. From wind force five canoes stay on land, and from force six everything does. Thunder means that all boats come back at once.",
  "Winter storage\nMasts are laid down in the long shed by the end of October. Sails are rinsed with fresh water, dried for two days and hung from the beams, where mice do not reach them. Batteries go into the heated cellar.",
  "Courses\nThe beginners' course takes five mornings and ends with a test on the water. Eight people are taught by one instructor. Whoever fails may come back for a sixth morning without paying again.",
  "Fuel\nThe launch burns diesel from the yellow tank behind the shed. It is filled on Mondays; the level is written into the log. Spilled fuel is bound with the granulate from the bucket, never washed into the lake.",
  "Keys\nThe spare key of the shed hangs in the office behind the tide table. Whoever takes it signs the list. Lost keys are reported the same day, for then the lock is changed.",
  "Dogs\nDogs are welcome in rowing boats but not in dinghies. They wear a vest with a handle, which is lent without charge. The owner cleans the boat with the hose at the slipway afterwards.",
  "Groups\nGroups of more than twelve people book at least two weeks ahead. They are given one guide for every ten people. A barbecue on the island can be added, wood and grill included, for 9 pounds a head.",
];

/** Questions that the handbook answers, in other words than its own. */
export const ANSWERED: readonly string[] = [
  "When can I come to your office in July?",
  "How much money do I have to leave for a canoe?",
  "Do children have to wear a life vest?",
  "What does it cost to call off my reservation the day before?",
  "What must I do while my boat is being pulled home?",
  "How strong may the wind be before canoeing is forbidden?",
  "Where are the sails kept in winter?",
  "How many days does the course for beginners take?",
  "Which fuel does the motor launch use?",
  "Can I bring my dog on a rowing boat?",
  "Where is the spare key for the shed?",
  "Can our group of twenty have a barbecue on the island?",
];

/** Questions on quite other subjects. */
export const UNANSWERED: readonly string[] = [
  "How long should bread dough rise before baking?",
  "Who won the world chess championship?",
  "What is the capital gains tax on shares?",
  "How does photosynthesis work in desert plants?",
  "Which composer wrote the opera about the barber?",
  "How do I reset my printer to factory settings?",
  "What are the side effects of this antibiotic?",
  "Why did the Roman Empire collapse?",
  "How do I knit a scarf with two colours?",
  "What is the boiling point of ethanol?",
];
