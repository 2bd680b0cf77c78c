/**
 * Whether a compound file ([MS-CFB]) can be followed: the libraries that read Outlook's messages go round a chain of sectors or
 * a directory that leads back into itself for ever, and reserve what a stream says of its size.
 */

const HEADER = { shift: 30, tables: 44, directory: 48, miniTable: 60, moreTables: 72, firstTables: 76 } as const;
/** Sectors of the allocation table that the header names itself. */
const TABLES_IN_HEADER = 109;
/** Above it a number is no sector but a sign: free, end, part of the table. */
const LAST_SECTOR = 0xfffffff9;
const NO_ENTRY = 0xffffffff;
const ENTRY_SIZE = 128;

/** What is wrong with the file, as the end of a sentence; undefined where it can be read in bounded time. */
export function unsoundness(bytes: Uint8Array): string | undefined {
  if (bytes.length < 512) return "it is not complete";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shift = view.getUint16(HEADER.shift, true);
  if (shift !== 9 && shift !== 12) return "its sectors have no known size";
  const size = 1 << shift;
  const sectors = Math.ceil(bytes.length / size);
  if (view.getUint32(HEADER.moreTables, true) > sectors) return "its list of sectors is longer than the file";
  const table = numbersIn(view, tableSectors(view, size, sectors), size);
  if (hasLoop(table)) return "a chain of its sectors leads back into itself";
  const small = numbersIn(view, chain(table, view.getUint32(HEADER.miniTable, true)), size);
  if (hasLoop(small)) return "a chain of its small sectors leads back into itself";
  return directoryFault(view, chain(table, view.getUint32(HEADER.directory, true)), size);
}

/** The sectors that hold the allocation table, as the header and the list behind it name them. */
function tableSectors(view: DataView, size: number, sectors: number): number[] {
  const named: number[] = [];
  const count = Math.min(sectors, view.getUint32(HEADER.tables, true));
  for (let i = 0; i < Math.min(TABLES_IN_HEADER, count); i++)
    named.push(view.getUint32(HEADER.firstTables + i * 4, true));
  let list = view.getUint32(HEADER.moreTables - 4, true);
  for (let hops = 0; hops < sectors && named.length < count && list <= LAST_SECTOR; hops++) {
    const numbers = numbersIn(view, [list], size);
    if (numbers.length === 0) break;
    named.push(...numbers.slice(0, Math.min(size / 4 - 1, count - named.length)));
    list = numbers.at(-1)!;
  }
  return named;
}

/** The numbers in sectors, those that the file does not hold being free. */
function numbersIn(view: DataView, sectors: readonly number[], size: number): Uint32Array {
  const perSector = size / 4;
  const numbers = new Uint32Array(sectors.length * perSector).fill(NO_ENTRY);
  sectors.forEach((sector, index) => {
    const start = (sector + 1) * size;
    for (let i = 0; i < perSector && start + i * 4 + 4 <= view.byteLength; i++)
      numbers[index * perSector + i] = view.getUint32(start + i * 4, true);
  });
  return numbers;
}

function chain(table: Uint32Array, first: number): number[] {
  const found: number[] = [];
  for (let at = first; at <= LAST_SECTOR && found.length <= table.length; at = table[at] ?? NO_ENTRY) found.push(at);
  return found;
}

/** Whether following the numbers ever comes back to one: each is walked over once. */
function hasLoop(table: Uint32Array): boolean {
  const walk = new Uint32Array(table.length);
  for (let first = 0; first < table.length; first++) {
    for (let at = first; at < table.length && walk[at] !== first + 1; at = table[at]!) {
      if (walk[at] !== 0) break;
      walk[at] = first + 1;
      if (walk[table[at]!] === first + 1) return true;
    }
  }
  return false;
}

function directoryFault(view: DataView, sectors: readonly number[], size: number): string | undefined {
  const perSector = size / ENTRY_SIZE;
  const offsetOf = (entry: number): number | undefined => {
    const sector = sectors[Math.floor(entry / perSector)];
    const at = sector === undefined ? undefined : (sector + 1) * size + (entry % perSector) * ENTRY_SIZE;
    return at === undefined || at + ENTRY_SIZE > view.byteLength ? undefined : at;
  };
  const root = offsetOf(0);
  if (root === undefined) return "it has no directory";
  let total = 0;
  const seen = new Set([0]);
  const open = [view.getUint32(root + 76, true)];
  while (open.length > 0) {
    const entry = open.pop()!;
    if (entry === NO_ENTRY) continue;
    const at = offsetOf(entry);
    if (at === undefined) return "its directory leads out of the file";
    if (seen.has(entry)) return "its directory leads back into itself";
    seen.add(entry);
    total += view.getUint32(at + 120, true);
    open.push(view.getUint32(at + 68, true), view.getUint32(at + 72, true), view.getUint32(at + 76, true));
  }
  // Streams share no sector, but a damaged file may have lost its end.
  return total > 2 * view.byteLength ? "its parts are longer than the file" : undefined;
}
