import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { preflight } from "../../../src/convert/pdf/preflight.js";
import { sharedData } from "../../shared-data.js";
import { lines, makePdf } from "./make-pdf.js";

const check = (bytes: Uint8Array) => () => {
  preflight({ path: "a.pdf", bytes });
};
const blanks = (mebibytes: number) => " ".repeat(mebibytes * 1024 * 1024);

describe("the look at a PDF before any engine opens it", () => {
  it("lets plain and compressed documents pass", () => {
    expect(check(makePdf([{ content: lines("Plain") }]))).not.toThrow();
    expect(check(makePdf([{ content: lines("Packed") }], { filters: 1 }))).not.toThrow();
    expect(check(makePdf([{ content: `${lines("Three megabytes")}${blanks(3)}` }], { filters: 1 }))).not.toThrow();
  });

  it("refuses what is empty, too short or no PDF", () => {
    expect(check(new Uint8Array())).toThrow("a.pdf is empty.");
    expect(check(Buffer.from("%PDF-1.7\n%%EOF"))).toThrow("not a PDF");
    expect(check(Buffer.from("Dear Sir or Madam, ".repeat(40)))).toThrow("not a PDF");
  });

  it("refuses streams that unpack to far more than they are, behind one filter and behind several", () => {
    expect(check(makePdf([{ content: `${lines("x")}${blanks(40)}` }], { filters: 1 }))).toThrow(/more than \d+ MiB/);
    expect(check(makePdf([{ content: `${lines("x")}${blanks(40)}` }], { filters: 3 }))).toThrow(/more than \d+ MiB/);
  });

  it("sees a filter whose name is written with escapes, and one that is named elsewhere", () => {
    const bomb = Buffer.from(makePdf([{ content: `${lines("x")}${blanks(40)}` }], { filters: 1 })).toString("latin1");
    const disguised = (filter: string) => Buffer.from(bomb.replace(/\/Filter \[[^\]]*\]/, filter), "latin1");
    expect(check(disguised("/Filter/Fl#61te#44ecode"))).toThrow(/more than \d+ MiB/);
    expect(check(disguised("/Filter 9 0 R"))).toThrow(/more than \d+ MiB/);
  });

  it("leaves pictures and attachments alone, which nobody unpacks for their text", () => {
    const file = Buffer.from(makePdf([{ content: blanks(40) }], { filters: 1 })).toString("latin1");
    const picture = Buffer.from(file.replace("/Length", "/Subtype /Image /Length"), "latin1");
    expect(check(picture)).not.toThrow();
    const attachment = Buffer.from(file.replace("/Length", "/Type /EmbeddedFile /Length"), "latin1");
    expect(check(attachment)).not.toThrow();
  });

  it("takes no longer for a file that is nothing but keywords", () => {
    const started = performance.now();
    expect(check(Buffer.from(`%PDF-1.7\n${"<</Filter/FlateDecode>>stream\n".repeat(200_000)}`))).not.toThrow();
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

const data = sharedData;
describe.skipIf(data === undefined || !existsSync(join(data, "hostile")))(
  "hostile and honest files (skipped where the shared data is not there)",
  () => {
    it("refuses the gibibyte behind two filters at once", () => {
      const started = performance.now();
      expect(check(readFileSync(join(data!, "hostile/pdf-broken/made__flate-bomb-1gib.pdf")))).toThrow("unpack");
      expect(performance.now() - started).toBeLessThan(1_000);
    });

    it("refuses a page of three million saved states, which takes readers half a gibibyte", () => {
      expect(check(readFileSync(join(data!, "hostile/pdf-broken/made__q-flood.pdf")))).toThrow("unpack");
    });

    it("refuses no document of the conversion set", () => {
      const folder = join(data!, "convert/pdf");
      for (const name of readdirSync(folder)) expect(check(readFileSync(join(folder, name))), name).not.toThrow();
    });
  },
);
