/** What a file is by its first bytes, where it is something that is not converted. */

/** What it is, as it follows "…is", and what can be done. */
export interface Foreign {
  readonly is: string;
  readonly wayOut?: string;
}

const UNPACK = "unpack it and convert what is inside";
const DESCRIBE = "a picture holds no text that could be read without recognition; put it into a PDF";
const AS_DOCX = "open it in Word or LibreOffice and save it as .docx";

/** Bytes as Latin-1 at an offset, what they mean, and the way out. The more particular comes first. */
const SIGNATURES: readonly (readonly [number, string, string, string?])[] = [
  [0, "\x89PNG\r\n\x1a\n", "a PNG picture", DESCRIBE],
  [0, "\xff\xd8\xff", "a JPEG picture", DESCRIBE],
  [0, "GIF87a", "a GIF picture", DESCRIBE],
  [0, "GIF89a", "a GIF picture", DESCRIBE],
  [0, "II*\0", "a TIFF picture", DESCRIBE],
  [0, "MM\0*", "a TIFF picture", DESCRIBE],
  [0, "8BPS", "a Photoshop picture", DESCRIBE],
  [0, "\0\0\x01\0", "an icon"],
  [0, "\xd7\xcd\xc6\x9a", "a Windows metafile", DESCRIBE],
  [0, "AT&TFORM", "a DjVu document", "convert it to PDF"],
  [0, "\x1f\x8b", "a gzip archive", UNPACK],
  [0, "BZh", "a bzip2 archive", UNPACK],
  [0, "\xfd7zXZ\0", "an xz archive", UNPACK],
  [0, "\x28\xb5\x2f\xfd", "a Zstandard archive", UNPACK],
  [0, "7z\xbc\xaf\x27\x1c", "a 7-Zip archive", UNPACK],
  [0, "Rar!\x1a\x07", "a RAR archive", UNPACK],
  [0, "MSCF\0\0\0\0", "a cabinet archive", UNPACK],
  [0, "!<arch>\n", "a Unix archive", UNPACK],
  [257, "ustar", "a tar archive", UNPACK],
  [0, "\x7fELF", "a program"],
  [0, "\xca\xfe\xba\xbe", "a program"],
  [0, "\xcf\xfa\xed\xfe", "a program"],
  [0, "\xfe\xed\xfa\xce", "a program"],
  [0, "\xfe\xed\xfa\xcf", "a program"],
  [0, "\0asm", "a WebAssembly program"],
  [0, "OggS", "an Ogg recording"],
  [0, "fLaC", "a FLAC recording"],
  [0, "\xff\xfb", "an MP3 recording"],
  [0, "ID3\x02", "an MP3 recording"],
  [0, "ID3\x03", "an MP3 recording"],
  [0, "ID3\x04", "an MP3 recording"],
  [0, "\x1a\x45\xdf\xa3", "a Matroska or WebM video"],
  [0, "\0\0\x01\xba", "an MPEG video"],
  [0, "FLV\x01", "a Flash video"],
  [0, "FWS", "a Flash animation"],
  [0, "SQLite format 3\0", "an SQLite database", "export its tables as .csv"],
  [4, "Standard Jet DB", "an Access database", "export its tables as .csv"],
  [4, "Standard ACE DB", "an Access database", "export its tables as .csv"],
  [0, "PAR1", "a Parquet table", "export it as .csv"],
  [0, "!BDN", "an Outlook mailbox (.pst)", "save its messages as .msg or .eml"],
  [60, "BOOKMOBI", "a Mobipocket or Kindle book", "convert it to EPUB"],
  [60, "TEXtREAd", "a Palm book", "convert it to EPUB"],
  [0, "ITOLITLS", "a Microsoft Reader book", "convert it to EPUB"],
  [0, "ITSF", "a compiled help file (.chm)", "save its pages as .html"],
  [0, "%!PS", "a PostScript document", "convert it to PDF"],
  [0, "\xc5\xd0\xd3\xc6", "an encapsulated PostScript picture", "convert it to PDF"],
  [0, "\xffWPC", "a WordPerfect document", "open it in LibreOffice and save it as .docx"],
  [0, "\xdb\xa5", "a Word document from before 1997", AS_DOCX],
  [0, "\x31\xbe\0\0", "a Word document for DOS", AS_DOCX],
  [0, "\x09\x00\x04\x00", "an Excel sheet from before 1993", "open it in Excel or LibreOffice and save it as .xlsx"],
  [0, "\x09\x02\x06\x00", "an Excel sheet from before 1993", "open it in Excel or LibreOffice and save it as .xlsx"],
  [0, "\x09\x04\x06\x00", "an Excel sheet from before 1993", "open it in Excel or LibreOffice and save it as .xlsx"],
  [0, "AC10", "an AutoCAD drawing", "export it as PDF"],
  [0, "bplist00", "an Apple property list"],
  [0, "wOFF", "a font"],
  [0, "wOF2", "a font"],
  [0, "OTTO\0", "a font"],
  [0, "\0\x01\0\0\0", "a font"],
  [0, "\xde\x12\x04\x95", "a catalogue of translations (.mo)"],
  [0, "-----BEGIN PGP MESSAGE", "a message encrypted by PGP", "decrypt it first"],
  [0, "age-encryption.org/", "a file encrypted by age", "decrypt it first"],
  [0, "Salted__", "a file encrypted by OpenSSL", "decrypt it first"],
];

const RIFF: Readonly<Record<string, Foreign>> = {
  WEBP: { is: "a WebP picture", wayOut: DESCRIBE },
  WAVE: { is: "a WAV recording" },
  "AVI ": { is: "an AVI video" },
};

/** Names what the first bytes say, or undefined where they say nothing. */
export function foreignBySignature(bytes: Uint8Array): Foreign | undefined {
  for (const [offset, signature, is, wayOut] of SIGNATURES) {
    if (startsWith(bytes, signature, offset)) return wayOut === undefined ? { is } : { is, wayOut };
  }
  if (startsWith(bytes, "RIFF")) return RIFF[latin1(bytes, 8, 12)] ?? { is: "a RIFF media file" };
  if (startsWith(bytes, "ftyp", 4)) return mediaContainer(latin1(bytes, 8, 12));
  // Two letters alone are no signature: text begins with them as well.
  if (startsWith(bytes, "BM") && bytes.length >= 26 && [6, 7, 8, 9].every((i) => bytes[i] === 0))
    return { is: "a BMP picture", wayOut: DESCRIBE };
  if (startsWith(bytes, "MZ") && bytes.length >= 64 && bytes.subarray(0, 64).includes(0))
    return { is: "a Windows program" };
  return undefined;
}

function mediaContainer(brand: string): Foreign {
  if (/^(?:heic|heix|hevc|mif1|msf1|avif)$/.test(brand)) return { is: "a HEIC or AVIF picture", wayOut: DESCRIBE };
  if (/^M4[AB] $/.test(brand)) return { is: "an audio recording" };
  return { is: "a video or recording" };
}

export function startsWith(bytes: Uint8Array, latin: string, offset = 0): boolean {
  if (bytes.length < offset + latin.length) return false;
  for (let i = 0; i < latin.length; i++) if (bytes[offset + i] !== latin.charCodeAt(i)) return false;
  return true;
}

/** Bytes as Latin-1. */
export function latin1(bytes: Uint8Array, from: number, to: number): string {
  const part = bytes.subarray(from, to);
  return Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString("latin1");
}
