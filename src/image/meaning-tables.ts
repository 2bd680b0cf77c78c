import { MdcxError } from "../errors.js";
import { badImage, column, text } from "./cells.js";
import type { ImageDatabase } from "./database.js";
import type { CalibrationRow, Probe } from "./records.js";
import { LIMITS, OPTIONAL_SCHEMA } from "./schema.js";
import type { Database, SqlValue } from "./sqlite.js";

/** The tables that only a package with meaning has. */
export type MeaningTable = "probes" | "calibration";

const PROBES =
  `SELECT number, ${column.text("text", LIMITS.probe)}, ${column.blob("vector", LIMITS.halves)} ` +
  "FROM probes ORDER BY number";

const CALIBRATION =
  `SELECT number, ${column.text("question", LIMITS.question)}, ${column.real("similarity")} ` +
  "FROM calibration ORDER BY number";

/** @throws MdcxError "internal" for rows that no reader would take */
export function writeProbes(database: Database, rows: readonly Probe[]): void {
  limitRows(rows.length, LIMITS.probes, "probes");
  const { length } = rows[0]!.halves;
  for (const { text, halves } of rows) {
    if (!isVector(halves.length) || halves.length !== length) {
      throw new MdcxError("internal", "The vectors of the probes must be of one length, two bytes a dimension.");
    }
    if (byteLength(text) > LIMITS.probe) throw new MdcxError("internal", "A probe is too long to be stored.");
  }
  const values = rows.map(({ text, halves }, number) => [number, text, halves]);
  writeRows(database, "probes", values);
}

/** @throws MdcxError "bad-input" for a question that is too long, "internal" for a number that is no cosine */
export function writeCalibration(database: Database, rows: readonly CalibrationRow[]): void {
  limitRows(rows.length, LIMITS.questions, "questions of calibration");
  for (const { question, similarity } of rows) {
    if (!isCosine(similarity)) throw new MdcxError("internal", `${similarity} is no similarity of a question.`);
    if (byteLength(question) > LIMITS.question) {
      throw new MdcxError(
        "bad-input",
        `A question of calibration is longer than ${LIMITS.question} bytes: shorten ${JSON.stringify(`${question.slice(0, 60)}…`)}.`,
      );
    }
  }
  const values = rows.map(({ question, similarity }, number) => [number, question, similarity]);
  writeRows(database, "calibration", values);
}

/** The probes of an image that has them. @throws MdcxError "bad-image" */
export function readProbes(database: ImageDatabase): Probe[] {
  const probes: Probe[] = [];
  readRows(database, PROBES, LIMITS.probes, "probe", (row, what) => {
    const halves = row[2];
    if (!(halves instanceof Uint8Array) || !isVector(halves.length)) return badImage(`the vector of ${what} is none`);
    if (halves.length !== (probes[0]?.halves ?? halves).length) badImage(`${what} is of another length than the first`);
    probes.push({ text: text(row[1], what), halves });
  });
  return probes;
}

/** The questions of calibration of an image that has them. @throws MdcxError "bad-image" */
export function readCalibration(database: ImageDatabase): CalibrationRow[] {
  const rows: CalibrationRow[] = [];
  readRows(database, CALIBRATION, LIMITS.questions, "question", (row, what) => {
    const similarity = row[2];
    if (typeof similarity !== "number" || !isCosine(similarity)) return badImage(`the similarity of ${what} is none`);
    rows.push({ question: text(row[1], what), similarity });
  });
  return rows;
}

/** Every row has the number that follows the one before, so that pages which lead in circles end here. */
function readRows(
  database: ImageDatabase,
  sql: string,
  most: number,
  name: string,
  take: (row: readonly SqlValue[], what: string) => void,
): void {
  let next = 0;
  database.each(sql, [], (row) => {
    if (row[0] !== next) badImage(`${name} ${next} is missing`);
    if (next >= most) badImage(`it holds more than ${most} rows for its ${name}s`);
    take(row, `${name} ${next}`);
    next++;
    return true;
  });
}

function writeRows(database: Database, name: MeaningTable, rows: readonly SqlValue[][]): void {
  database.run(OPTIONAL_SCHEMA.find((row) => row.name === name)!.sql!);
  const insert = database.prepare(`INSERT INTO ${name} VALUES(?,?,?)`);
  for (const row of rows) insert.run(row);
}

function limitRows(count: number, most: number, what: string): void {
  if (count > most) throw new MdcxError("bad-input", `${count} ${what} are more than the ${most} that can be stored.`);
}

function isVector(bytes: number): boolean {
  return bytes > 0 && bytes % 2 === 0 && bytes <= LIMITS.halves;
}

function isCosine(value: number): boolean {
  return value >= -1 && value <= 1;
}

function byteLength(value: string): number {
  return new TextEncoder().encode(value).length;
}
