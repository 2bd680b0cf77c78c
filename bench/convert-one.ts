/** Converts the file that it is called with and prints the certificate's figures: the process whose memory is measured. */
import { readFileSync } from "node:fs";
import { convertPart } from "../src/convert/convert.js";

const path = process.argv[2]!;
const { certificate } = await convertPart({ path, bytes: new Uint8Array(readFileSync(path)) }, { ocr: "off" });
console.log(JSON.stringify({ status: certificate.status, words: certificate.words }));
