/** Which documents were sent and which received, seen from whoever packs them, by the folders they lie in (spec/facts.md §3). */
import { MdcxError } from "./errors.js";
import type { Direction } from "./image/records.js";
import { normaliseWord } from "./text/normalise.js";

/**
 * Words that say it, in their normal form: with all their inflections, for a stem would take in what is only alike
 * (*Presentations*, *Sentencing*, *Gesandtschaft*, *recibos*).
 */
const SAID: Readonly<Record<Direction, string>> = {
  sent: `
    sent
    gesendet gesendete gesendeten gesendeter gesendetes gesandt gesandte gesandten gesandter gesandtes
    versendet versendete versendeten versendeter versendetes versandt versandte versandten versandter versandtes
    verschickt verschickte verschickten verschickter verschicktes abgesendet abgesendete abgesendeten abgesandt abgesandte
    abgesandten abgeschickt abgeschickte abgeschickten
    enviado enviada enviados enviadas remitido remitida remitidos remitidas remetido remetida remetidos remetidas
    envoye envoyee envoyes envoyees expedie expediee expedies expediees
    inviato inviata inviati inviate spedito spedita spediti spedite
    expedido expedida expedidos expedidas
    verzonden verstuurd verstuurde gezonden gestuurd gestuurde`,
  received: `
    received
    empfangen empfangene empfangenen empfangener empfangenes erhalten erhaltene erhaltenen erhaltener erhaltenes
    eingegangen eingegangene eingegangenen eingegangener eingegangenes
    recibido recibida recibidos recibidas
    recu recue recus recues
    ricevuto ricevuta ricevuti ricevute
    recebido recebida recebidos recebidas
    ontvangen ontvangene ingekomen`,
};

/**
 * Names of places for post, as mail programs and offices have them. They count where no word of the first list stands:
 * `INBOX.Sent` of a mail server holds what was sent.
 */
const PLACES: Readonly<Record<Direction, readonly string[]>> = {
  sent: [
    ...["outbox", "outgoing", "postausgang", "ausgang", "ausgangspost"],
    ...[
      "bandeja de salida",
      "correo saliente",
      "caixa de saida",
      "posta in uscita",
      "postvak uit",
      "uitgaand",
      "uitgaande",
    ],
    ...["boite d envoi", "courrier depart", "courrier sortant", "courriers sortants"],
  ],
  received: [
    ...["inbox", "incoming", "posteingang", "eingang", "eingangspost"],
    ...[
      "bandeja de entrada",
      "correo entrante",
      "caixa de entrada",
      "posta in arrivo",
      "postvak in",
      "inkomend",
      "inkomende",
    ],
    ...["boite de reception", "courrier arrivee", "courrier entrant", "courriers entrants"],
  ],
};

/** What turns it round: what is *not sent* was neither. */
const NEGATIONS = new Set("not no non nicht niet nao pas".split(" "));

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));
const SENT = words(SAID.sent);
const RECEIVED = words(SAID.received);

/** What somebody says of a document or a folder; `none`: neither, whatever the folder's name says. */
export type StatedDirection = Direction | "none";

/** By folder, as `reports/2024`, or `.` for all; of several that a document lies in, the innermost counts. */
export type FolderDirections = Readonly<Record<string, StatedDirection>>;

/**
 * What the name of a document's top folder says. A folder further in says nothing: in an archive of projects, what a project
 * keeps under *sent* is part of that project. A name that says both says neither.
 *
 * @param path folders and name, `/` between them
 */
export function directionByName(path: string): Direction | null {
  const end = path.indexOf("/");
  if (end < 0) return null;
  const found = wordsOf(path.slice(0, end));
  if (found.some((word) => NEGATIONS.has(word))) return null;
  const said = one(
    found.some((word) => SENT.has(word)),
    found.some((word) => RECEIVED.has(word)),
  );
  if (said !== undefined) return said;
  const name = ` ${found.join(" ")} `;
  const names = (direction: Direction): boolean => PLACES[direction].some((place) => name.includes(` ${place} `));
  return one(names("sent"), names("received")) ?? null;
}

/** Undefined where neither is there, null where both are. */
function one(sent: boolean, received: boolean): Direction | null | undefined {
  if (sent && received) return null;
  return sent ? "sent" : received ? "received" : undefined;
}

/** The words of a name in normal form; `SentItems`, `sent_items` and `Sent2024` are written without blanks. */
function wordsOf(name: string): string[] {
  return name
    .normalize("NFKC")
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== "")
    .map(normaliseWord);
}

/** Reads directions of folders as they were given, and holds them against the documents that are packed. */
export class GivenDirections {
  /** Innermost folder first. */
  readonly #folders: readonly {
    readonly folder: string;
    readonly within: string;
    readonly direction: StatedDirection;
  }[];

  /** @throws MdcxError `bad-input` for a folder in which no document lies, or which is given twice */
  constructor(directions: FolderDirections, paths: readonly string[]) {
    this.#folders = Object.entries(directions)
      .map(([folder, direction]) => ({ folder, within: beginningOf(folder), direction }))
      .sort((a, b) => b.within.length - a.within.length);
    const known = paths.map(canonical);
    for (const { folder, within } of this.#folders) {
      if (!known.some((path) => path.startsWith(within)))
        throw new MdcxError(
          "bad-input",
          `No document lies in the folder ${JSON.stringify(folder)}, whose direction is given: name it as it stands in the folder that is packed.`,
        );
      if (this.#folders.filter((one) => one.within === within).length > 1)
        throw new MdcxError("bad-input", `The direction of the folder ${JSON.stringify(folder)} is given twice.`);
    }
  }

  /** Undefined where nothing was said of any folder that it lies in. */
  of(path: string): StatedDirection | undefined {
    const inside = canonical(path);
    return this.#folders.find(({ within }) => inside.startsWith(within))?.direction;
  }
}

/** Composed: a name typed at a keyboard is, and one that a file system gives may not be. */
function canonical(path: string): string {
  return path.normalize("NFC");
}

/** What the paths of all documents in a folder begin with. */
function beginningOf(folder: string): string {
  const path = canonical(folder)
    .replaceAll("\\", "/")
    .replace(/^(?:@\/|(?:\.\/)+)/, "")
    .replace(/\/+$/, "");
  return path === "." || path === "" ? "" : `${path}/`;
}
