import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import cfb from "cfb";
import { describe, expect, it } from "vitest";
import type { Certificate } from "../../../src/convert/certificate.js";
import { certify } from "../../../src/convert/compare/certify.js";
import type { Conversion } from "../../../src/convert/engine.js";
import { engine } from "../../../src/convert/mail/engine.js";
import { reader } from "../../../src/convert/mail/reader.js";
import { sharedData } from "../../shared-data.js";

async function convert(bytes: Uint8Array, path = "a.eml"): Promise<Conversion & { certificate: Certificate }> {
  const made = await engine({ path, bytes }, { ocr: "off" });
  return { ...made, certificate: await certify(made, await reader({ path, bytes }, { ocr: "off" })) };
}

const eml = (lines: readonly string[]): Uint8Array => Buffer.from(lines.join("\r\n"), "latin1");

function expectNothingLost({ words, status }: Certificate): void {
  expect({ status, lost: words.lost, added: words.added }).toEqual({ status: "ok", lost: 0, added: 0 });
}

describe("a message", () => {
  it("gives head, text and attachments, whatever they are encoded in", async () => {
    const { markdown, certificate, title, date } = await convert(
      eml([
        "From: =?iso-8859-1?Q?J=F6rg_M=FCller?= <jm@example.org>",
        "To: Ann <ann@example.org>, =?utf-8?B?0JjQstCw0L0=?= <ivan@example.org>",
        "Cc: team@example.org",
        "Subject: =?utf-8?Q?Gr=C3=B6=C3=9Fe?=",
        " =?utf-8?Q?_und_mehr?=",
        "Date: Fri, 3 May 2024 10:20:30 +0200",
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="b1"',
        "",
        "--b1",
        'Content-Type: multipart/alternative; boundary="b2"',
        "",
        "--b2",
        "Content-Type: text/plain; charset=iso-8859-1",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "Sch=F6ne Gr=FC=",
        "=DFe",
        "",
        "> was asked",
        "> > before",
        "",
        "--b2",
        "Content-Type: text/html; charset=utf-8",
        "",
        "<p>Not this</p>",
        "--b2--",
        "--b1",
        "Content-Type: application/pdf",
        "Content-Disposition: attachment; filename*=utf-8''%C3%BCber%20uns.pdf",
        "Content-Transfer-Encoding: base64",
        "",
        Buffer.from("x".repeat(3_000)).toString("base64"),
        "--b1",
        "Content-Type: message/rfc822",
        "",
        "From: x@example.org",
        "Subject: inner one",
        "",
        "inner text",
        "--b1--",
        "",
      ]),
    );
    expect(markdown).toBe(`# Größe und mehr

**From:** Jörg Müller (jm@example.org)\\
**To:** Ann (ann@example.org), Иван (ivan@example.org)\\
**Cc:** team@example.org\\
**Date:** Fri, 3 May 2024 10:20:30 +0200

Schöne Grüße

> was asked
>
> > before

## Attachments

- über uns.pdf (application/pdf, 3 KiB)
- inner one (message)
`);
    expect({ title, date }).toEqual({ title: "Größe und mehr", date: "2024-05-03T08:20:30.000Z" });
    expectNothingLost(certificate);
  });

  it("gives its HTML where it has no text", async () => {
    const { markdown, certificate } = await convert(
      eml([
        "From: a@example.org",
        "Subject: x",
        "Content-Type: text/html; charset=windows-1252",
        "",
        '<h2>Offer</h2><p>Only \x80 5, <a href="https://example.org/">here</a></p>',
      ]),
    );
    expect(markdown).toContain("## Offer\n\nOnly € 5, [here](https://example.org/)");
    expectNothingLost(certificate);
    expect(certificate.links).toEqual({ reference: 1, lost: 0, added: 0 });
  });

  it("is refused where its sectors or its directory lead back into themselves, or a part says that it is huge", async () => {
    const file = cfb.utils.cfb_new();
    cfb.utils.cfb_add(file, "/__substg1.0_0037001F", Buffer.from("Subject", "utf16le"));
    cfb.utils.cfb_add(file, "/__properties_version1.0", Buffer.alloc(32));
    const whole = Buffer.from(cfb.write(file, { type: "buffer" }) as Uint8Array);
    expect((await convert(whole, "a.msg")).markdown).toContain("# Subject");
    const sector = (number: number): number => (number + 1) * 512;
    const table = sector(whole.readUInt32LE(76));
    const directory = whole.readUInt32LE(48);
    const damages: readonly [sentence: string, damage: (bytes: Buffer) => void][] = [
      ["sectors leads back", (bytes) => bytes.writeUInt32LE(directory, table + directory * 4)],
      ["directory leads back", (bytes) => bytes.writeUInt32LE(0, sector(directory) + 76)],
      ["longer than the file", (bytes) => bytes.writeUInt32LE(0x7fffffff, sector(directory) + 128 + 120)],
    ];
    for (const [sentence, damage] of damages) {
      const bytes = Buffer.from(whole);
      damage(bytes);
      for (const work of [engine, reader])
        await expect(work({ path: "a.msg", bytes }, { ocr: "off" })).rejects.toMatchObject({
          code: "refused",
          message: expect.stringContaining(sentence) as string,
        });
    }
  });

  it("is refused or read, never a crash, where it is damaged", async () => {
    const whole = sharedData === undefined ? [] : messages().filter((name) => name.endsWith(".msg"));
    for (const name of whole) {
      const bytes = readFileSync(join(sharedData!, "convert/other", name));
      for (const part of [0.3, 0.6, 0.9]) {
        const cut = bytes.subarray(0, Math.floor(bytes.length * part));
        await convert(cut, name).catch((error: unknown) => {
          expect(error).toMatchObject({ code: "refused" });
        });
      }
    }
    const nested = Array.from(
      { length: 3_000 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}`,
    );
    await convert(eml(["From: a@example.org", ...nested])).catch((error: unknown) => {
      expect(error).toMatchObject({ code: "refused" });
    });
  });
});

function messages(): string[] {
  return sharedData === undefined
    ? []
    : readdirSync(join(sharedData, "convert/other")).filter((name) => /\.(?:eml|msg)$/.test(name));
}

describe.skipIf(sharedData === undefined)("messages of others (not in the repository)", () => {
  it.each(messages())("lose nothing: %s", async (name) => {
    const { certificate, title, markdown } = await convert(
      readFileSync(join(sharedData!, "convert/other", name)),
      name,
    );
    expectNothingLost(certificate);
    expect(markdown).toContain(`# ${title!}`);
  });
});
