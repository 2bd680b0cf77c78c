import { describe, expect, it } from "vitest";
import { child, children, descendants, parseXml, serialise, textOf } from "../../src/convert/xml.js";

const W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

describe("XML", () => {
  it("becomes a tree by local names, with namespaces and attributes as written", () => {
    const root = parseXml(`<w:p xmlns:w="${W}" w:val="1" val="2"><w:r><w:t> a &amp; b </w:t></w:r><x/>tail</w:p>`, "p");
    expect([root.name, root.prefix, root.uri]).toEqual(["p", "w", W]);
    expect(root.attributes.val).toBe("2");
    expect(root.qualified["w:val"]).toBe("1");
    expect(textOf(child(root, "r")!)).toBe(" a & b ");
    expect(children(root).map(({ name }) => name)).toEqual(["r", "x"]);
    expect([...descendants(root, "t")]).toHaveLength(1);
  });

  it("is written again with the namespaces that it needs", () => {
    const root = parseXml(`<a xmlns:m="urn:m" xmlns="urn:d"><m:x m:k="&lt;"><y/></m:x></a>`, "a");
    const written = serialise(child(root, "x")!);
    expect(written).toBe('<m:x xmlns:m="urn:m" m:k="&lt;"><y xmlns="urn:d"></y></m:x>');
    expect(parseXml(written, "again").uri).toBe("urn:m");
  });

  it.each([
    ["UTF-8 with a mark", Buffer.from("\uFEFF<a>é</a>")],
    ["UTF-16 with a mark", Buffer.from("\uFEFF<?xml version='1.0' encoding='UTF-16'?><a>é</a>", "utf16le")],
    ["UTF-16 without", Buffer.from("<a>é</a>", "utf16le")],
    ["Latin-1 as declared", Buffer.from("<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>", "latin1")],
    ["Windows-1252 as declared", Buffer.from("<?xml version='1.0' encoding='windows-1252'?><a>\xe9</a>", "latin1")],
    ["UTF-8 that calls itself UTF-16", Buffer.from("<?xml version='1.0' encoding='UTF-16'?><a>é</a>")],
  ])("in %s is read", (_, bytes) => {
    expect(textOf(parseXml(bytes, "a"))).toBe("é");
  });

  it("in Windows-1252 keeps its quotation marks", () => {
    const bytes = Buffer.from("<?xml version='1.0' encoding='windows-1252'?><a>\x93q\x94 \x80</a>", "latin1");
    expect(textOf(parseXml(bytes, "a"))).toBe("“q” €");
  });

  it.each([
    ["declares an entity", '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>', /entities of its own/],
    ["is not closed", "<a><b></a>", /not well-formed/],
    ["holds nothing", "", /not well-formed|no element/],
    ["is 100,000 elements deep", "<a>".repeat(100_000), /deeper than 500/],
  ])("that %s is refused", (_, text, reason) => {
    expect(() => parseXml(text, "part.xml")).toThrow(reason);
  });
});
