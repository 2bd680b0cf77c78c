/**
 * The directory of an OLE2 compound file ([MS-CFB]): the container of Word, Excel and PowerPoint up to 2003, of Outlook
 * messages and of encrypted Office files. Only names are read here: which document it is stands in its top level.
 */

const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const END_OF_CHAIN = 0xfffffffe;
const NO_STREAM = 0xffffffff;
/** Entries of the directory: a document has tens, a message with attachments hundreds. A longer chain is taken for a loop. */
const MOST_ENTRIES = 65_536;

export function isCompoundFile(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[i] === byte);
}

/** Names of the streams and storages at the top level, or undefined where the directory cannot be followed. */
export function topLevelNames(bytes: Uint8Array): string[] | undefined {
  if (!isCompoundFile(bytes) || bytes.length < 512) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shift = view.getUint16(30, true);
  if (shift !== 9 && shift !== 12) return undefined;
  const directory = readChain(view, view.getUint32(48, true), 1 << shift);
  return directory === undefined ? undefined : rootChildren(directory);
}

/** The sectors of a chain, one after the other. A sector that the file does not hold ends it: truncated files keep their beginning. */
function readChain(view: DataView, first: number, size: number): DataView | undefined {
  const most = Math.ceil((MOST_ENTRIES * 128) / size);
  const sectors: number[] = [];
  for (let sector = first; sector < END_OF_CHAIN - 3 && sectors.length < most;) {
    if ((sector + 1) * size + 128 > view.byteLength) break;
    sectors.push(sector);
    const next = nextSector(view, sector, size);
    if (next === undefined) break;
    sector = next;
  }
  if (sectors.length === 0) return undefined;
  const chain = new Uint8Array(sectors.length * size);
  sectors.forEach((sector, i) => {
    const start = view.byteOffset + (sector + 1) * size;
    const length = Math.min(size, view.byteOffset + view.byteLength - start);
    chain.set(new Uint8Array(view.buffer, start, length), i * size);
  });
  return new DataView(chain.buffer);
}

/** The entry of the allocation table for a sector. The first 109 sectors of that table are named in the header, later ones in a list of their own. */
function nextSector(view: DataView, sector: number, size: number): number | undefined {
  const perSector = size / 4;
  let table = Math.floor(sector / perSector);
  let holder: number;
  if (table < 109) holder = view.getUint32(76 + table * 4, true);
  else {
    table -= 109;
    let list = view.getUint32(68, true);
    for (let hops = Math.floor(table / (perSector - 1)); hops > 0; hops--) {
      const at = (list + 2) * size - 4;
      if (at + 4 > view.byteLength) return undefined;
      list = view.getUint32(at, true);
    }
    const at = (list + 1) * size + (table % (perSector - 1)) * 4;
    if (at + 4 > view.byteLength) return undefined;
    holder = view.getUint32(at, true);
  }
  const at = (holder + 1) * size + (sector % perSector) * 4;
  return at + 4 > view.byteLength ? undefined : view.getUint32(at, true);
}

function rootChildren(directory: DataView): string[] {
  const entries = Math.min(MOST_ENTRIES, Math.floor(directory.byteLength / 128));
  const names: string[] = [];
  const seen = new Set<number>();
  const open = [directory.getUint32(76, true)];
  while (open.length > 0) {
    const entry = open.pop()!;
    if (entry === NO_STREAM || entry >= entries || seen.has(entry)) continue;
    seen.add(entry);
    const at = entry * 128;
    const length = Math.min(64, directory.getUint16(at + 64, true));
    let name = "";
    for (let i = 0; i + 2 < length; i += 2) name += String.fromCharCode(directory.getUint16(at + i, true));
    names.push(name);
    open.push(directory.getUint32(at + 68, true), directory.getUint32(at + 72, true));
  }
  return names;
}
