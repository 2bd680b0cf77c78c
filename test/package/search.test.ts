import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Package } from "../../src/index.js";
import { sharedData } from "../shared-data.js";
import { contents, found, opened } from "./in-memory.js";

const LONG = Array.from({ length: 3000 }, (_, i) => `Paragraph ${i} speaks of matter number ${i * 37}.\n\n`).join("");

let pkg: Package;
beforeAll(async () => {
  pkg = await opened({
    "cafe.md": "# Le café\n\nUn café serré, s'il vous plaît.\n",
    "cpp.md": "# Languages\n\nThe engine is written in C++ and some F#, the site in .NET.\n",
    "glued.md": "# 传感器\n\n我们使用RBR公司的logger记录水位，采样间隔为10分钟。\n",
    "japanese.md": "# 高所作業\n\n高所では必ず墜落制止用器具を着用すること。\n",
    "thai.md": "ระดับน้ำทะเลถูกวัดทุกสิบนาที\n",
    "korean.md": "# 부두\n\n부두에서는 안전모를 착용해야 합니다.\n",
    "compound.md": "# Wartung\n\nDie Hafenkranwartungsvereinbarung gilt für zwei Jahre.\n",
    "arabic.md": "# السلامة\n\nيجب ارتداء الخوذة على الرصيف دائماً.\n",
    "hindi.md": "# सुरक्षा\n\nघाट पर हेलमेट पहनना अनिवार्य है।\n",
    "greek.md": "# Ασφάλεια\n\nΤο κράνος είναι υποχρεωτικό στην προβλήτα.\n",
    "russian.md": "# Правила\n\nЯкорная стоянка запрещена ночью.\n",
    "turkish.md": "# Kurallar\n\nRıhtımda İstanbul'dan gelen gemiler beklemez.\n",
    "phrase.md": "The red buoy lies north of the green light.\n",
    "not-phrase.md": "The buoy is red, and the light beside it is green.\n",
    "sql.md": "Robert'); DROP TABLE students;-- is a name that a school once had. NEAR AND OR NOT * ^ ~ are signs.\n",
    "dash.md": "A mooring line parts under load: stand clear of the snap-back zone.\n",
    "folder/deep/inside.md": "The stilling well holds the float of the tide gauge.\n",
    "folder/other.md": "The stilling well is cleaned each spring.\n",
    "table.md": `# Tides\n\n| port | mean range |\n|---|---|\n${Array.from({ length: 120 }, (_, i) => `| Port${i} | ${i}.5 m |\n`).join("")}`,
    "long.md": LONG,
    "attachment.md": "---\nindexed: false\n---\nThe secret recipe mentions xylophones and buoys.\n",
  });
});

describe("words that must be found are found", () => {
  it.each([
    ["cafe", "cafe.md"],
    ["CAFÉ", "cafe.md"],
    ["cafe\u0301", "cafe.md"],
    ["C++", "cpp.md"],
    ["F#", "cpp.md"],
    [".NET", "cpp.md"],
    ["RBR", "glued.md"],
    ["logger", "glued.md"],
    ["水位", "glued.md"],
    ["10分钟", "glued.md"],
    ["墜落制止用器具", "japanese.md"],
    ["ระดับน้ำ", "thai.md"],
    ["안전모", "korean.md"],
    ["Kranwartung", "compound.md"],
    ["Hafenkran Vereinbarung", "compound.md"],
    ["الخوذة", "arabic.md"],
    ["हेलमेट", "hindi.md"],
    ["κρανος", "greek.md"],
    ["стоянки", "russian.md"],
    ["istanbul", "turkish.md"],
    ["RIHTIM", "turkish.md"],
    ["snap-back", "dash.md"],
    ["Port77", "table.md"],
    ["matter number 110963", "long.md"],
  ])("%s finds %s first", async (question, path) => {
    expect((await found(pkg, question))[0]).toBe(path);
  });

  it("a question is not cut at its first full stop, nor for being long", async () => {
    const filler = "This is a long story that has nothing to do with the port. ".repeat(30);
    const question = `${filler}What of the xylophone? And the snap-back zone of a mooring line?`.slice(-2000);
    expect(await found(pkg, question)).toContain("dash.md");
    expect((await found(pkg, "Please. Tell me. What about the Hafenkranwartungsvereinbarung?"))[0]).toBe("compound.md");
  });

  it("later rows of a table are found by their row and come with its header", async () => {
    const [hit] = (await pkg.search("Port110")).passages;
    expect(hit).toMatchObject({ document: "@/table.md", kind: "table" });
    expect(hit!.header).toContain("| port | mean range |");
    expect(hit!.text).toContain("| Port110 |");
  });

  it("in eight languages, a question of XQuAD finds its paragraph first nearly always", async (context) => {
    if (sharedData === undefined) return context.skip("the XQuAD samples are not here");
    const lines = async (language: string, name: string): Promise<Record<string, string>[]> =>
      (await readFile(join(sharedData!, "retrieval", "xquad", language, name), "utf8"))
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, string>);
    const wanted = new Map(
      (await readFile(join(sharedData, "retrieval", "xquad", "en", "qrels.tsv"), "utf8"))
        .trim()
        .split("\n")
        .map((line) => line.split("\t") as [string, string]),
    );
    for (const language of ["ar", "de", "en", "es", "hi", "ru", "tr", "zh"]) {
      const documents = await lines(language, "docs.jsonl");
      const corpus = await opened(Object.fromEntries(documents.map(({ id, text }) => [`${id!}.md`, `${text!}\n`])));
      const queries = (await lines(language, "queries.jsonl")).filter((_, i) => i % 30 === 0);
      let first = 0;
      for (const { id, text } of queries) {
        const [best] = await found(corpus, text!, 1);
        if (best === `${wanted.get(id!)!}.md`) first++;
      }
      expect(first / queries.length, `${language}: ${first} of ${queries.length}`).toBeGreaterThan(0.8);
      await corpus.close();
    }
  });
});

describe("a question", () => {
  it("with a phrase in quotation marks finds only passages that hold it", async () => {
    for (const question of ['"red buoy"', "“red buoy”", "«red buoy»", 'where is the "red buoy"', '"RED  Buoy"'])
      expect(await found(pkg, question), question).toEqual(["phrase.md"]);
    expect(await found(pkg, "red buoy")).toEqual(expect.arrayContaining(["phrase.md", "not-phrase.md"]) as string[]);
    const none = await pkg.search('"buoy red light"');
    expect(none).toMatchObject({ found: 0, passages: [], hint: expect.stringMatching(/quotation marks/) as string });
  });

  it("may hold any sign of SQL, full text search or regular expressions: they are ordinary text", async () => {
    const questions = [
      "Robert'); DROP TABLE students;--",
      "'; DELETE FROM documents; --",
      "buoy OR 1=1",
      "buoy NEAR/3 light",
      "NOT buoy",
      "buo*",
      "^buoy$",
      "(buoy",
      "[buoy",
      "buoy\\",
      "buoy{1,99999999}",
      '"buoy',
      "path:buoy",
      "-buoy +light",
      "%buoy%",
      "buoy\n\tlight",
      "$(buoy) `buoy`",
      "__proto__ constructor toString buoy",
    ];
    for (const question of questions) {
      const reply = await pkg.search(question);
      expect(reply.passages.length, question).toBeGreaterThan(0);
      expect(reply.query).toBe(question);
    }
    expect((await found(pkg, questions[0]!))[0]).toBe("sql.md");
    expect([...contents(pkg).keys()]).toHaveLength(21);
  });

  it("made of words of JavaScript's objects finds nothing and does no harm", async () => {
    for (const word of ["__proto__", "constructor", "hasOwnProperty", "valueOf"]) {
      const reply = await pkg.search(word);
      expect(reply.passages.length).toBe(reply.found);
    }
  });

  it("is refused when it is blank, has no word or is over 2,000 characters, and the limit when it is out of bounds", async () => {
    for (const question of ["", "   ", "\n\t", "?!…", "—", "\u0000"])
      await expect(pkg.search(question), JSON.stringify(question)).rejects.toMatchObject({ code: "bad-input" });
    await expect(pkg.search("x".repeat(2001))).rejects.toMatchObject({ code: "bad-input" });
    await pkg.search("buoy ".repeat(400));
    for (const limit of [0, 51, -1, 1.5, NaN, Infinity])
      await expect(pkg.search("buoy", { limit }), String(limit)).rejects.toMatchObject({ code: "bad-input" });
    await pkg.search("buoy", { limit: 50 });
  });

  it("has the same answer in the same order, always, and less of it with a smaller limit", async () => {
    for (const question of ["the stilling well", "matter number", "light", "水位", "gilt für zwei Jahre"]) {
      const first = await pkg.search(question, { limit: 20 });
      expect(await pkg.search(question, { limit: 20 })).toEqual(first);
      const again = await opened(Object.fromEntries([...contents(pkg)].reverse().map(([k, v]) => [k, v])));
      const ids = (reply: typeof first): string[] => reply.passages.map(({ id }) => id.slice(8));
      expect(ids(await again.search(question, { limit: 20 }))).toEqual(ids(first));
      await again.close();
      for (const limit of [1, 3])
        expect(ids(await pkg.search(question, { limit }))).toEqual(ids(first).slice(0, limit));
      expect((await pkg.search(question, { limit: 1 })).found).toBe(first.found);
      expect(first.passages.map(({ rank }) => rank)).toEqual(first.passages.map((_, i) => i + 1));
      for (const hit of first.passages) expect(Object.keys(hit)).not.toContain("score");
    }
  });

  it("can be put to a part of the folder", async () => {
    const under = async (glob: string): Promise<string[]> =>
      (await pkg.search("stilling well float", { in: glob })).passages.map(({ document }) => document);
    expect(await under("folder/**")).toEqual(["@/folder/deep/inside.md", "@/folder/other.md"]);
    expect(await under("@/folder/*.md")).toEqual(["@/folder/other.md"]);
    expect(await under("inside.md")).toEqual(["@/folder/deep/inside.md"]);
    const none = await pkg.search("stilling well", { in: "nowhere/**" });
    expect(none).toMatchObject({
      found: 0,
      passages: [],
      hint: expect.stringMatching(/^No document under nowhere\/\*\* is there/) as string,
    });
    expect((await pkg.search("qqqqqqq", { in: "folder/**" })).hint).toMatch(
      /^No passage under folder\/\*\* holds a word/,
    );
  });

  it("whose words are nowhere has no passages, a hint, and the words that are unknown", async () => {
    const reply = await pkg.search("qqqqqqq zzzzzzz");
    expect(reply).toMatchObject({ found: 0, passages: [] });
    expect(reply.hint).toMatch(/No passage/);
    expect(reply.unknownTerms).toEqual({ [pkg.id]: ["qqqqqqq", "zzzzzzz"] });
  });
});

describe("a document in any language", () => {
  it("is packed and found, also where a stemmer of that language fails on ordinary words", async () => {
    // Words on which the Bulgarian stemmer of @orama/stemmers 3.1 throws.
    const bulgarian = await opened({ "bg.md": "---\nlanguage: bg\n---\nрастяжения абдивели котва\n" });
    expect(await found(bulgarian, "котва растяжения")).toEqual(["bg.md"]);
    await bulgarian.close();
    const tags = ["ar", "cy", "el", "ga", "hy", "id", "ne", "sr", "ta", "tlh", "xx", "zh-Hant", "not a tag", ""];
    const many = await opened(
      Object.fromEntries(tags.map((tag, i) => [`${i}.md`, `---\nlanguage: "${tag}"\n---\nBuoy ${i} mooring.\n`])),
    );
    expect(await found(many, "mooring", 50)).toHaveLength(tags.length);
    await many.search("qqqqqqqq");
    await many.close();
  });
});

describe("passages", () => {
  it("hold text that stands in the exported document as it is, on the line that is named", async () => {
    const files = contents(pkg);
    for (const question of ["matter number 37", "Port77", "buoy", "水位", "well"]) {
      for (const { document, text, line } of (await pkg.search(question)).passages) {
        const whole = new TextDecoder().decode(files.get(document.slice(2)));
        const at = whole.indexOf(text);
        expect(at, `${document} holds its passage`).toBeGreaterThanOrEqual(0);
        expect(line, document).toBe(whole.slice(0, at).split("\n").length);
      }
    }
  });

  it("are named by an id that cites them, with neighbours up to the edges of the document", async () => {
    const [hit] = (await pkg.search("matter number 55500")).passages;
    const alone = pkg.document(hit!.id);
    expect(alone).toMatchObject({ document: "@/long.md", text: hit!.text, first: alone.last });
    const around = pkg.document(hit!.id, { before: 1, after: 1 });
    expect(around.text).toContain(hit!.text);
    expect(around).toMatchObject({ first: alone.first! - 1, last: alone.last! + 1 });
    const start = pkg.document(hit!.id.replace(/\d+$/, "0"), { before: 10, after: 0 });
    expect(start).toMatchObject({ first: 0, last: 0 });
    const end = pkg.document(hit!.id.replace(/\d+$/, String(alone.passages - 1)), { after: 10 });
    expect(end).toMatchObject({ first: alone.passages - 1, last: alone.passages - 1 });
    expect(LONG).toContain(around.text);
    for (const before of [-1, 11, 0.5, NaN]) expect(() => pkg.document(hit!.id, { before })).toThrow(/from 0 to 10/);
  });

  it("have no id of another package and none behind the last", async () => {
    const [hit] = (await pkg.search("buoy")).passages;
    expect(() => pkg.document(hit!.id.replace(/\d+$/, "999"))).toThrow(/There is no document/);
    expect(() => pkg.document(`00000000${hit!.id.slice(8)}`)).toThrow(/There is no document/);
  });

  it("keep the document's part of their id when the folder is packed again", async () => {
    const again = await opened({
      "phrase.md": "The red buoy lies north of the green light.\n",
      "new.md": "A red buoy.\n",
    });
    const id = async (from: Package): Promise<string> =>
      (await from.search('"red buoy lies"')).passages[0]!.id.split("/").slice(1).join("/");
    expect(await id(again)).toBe(await id(pkg));
    await again.close();
  });
});

describe("a document with `indexed: false`", () => {
  it("is exported and given by name, never found, and has no passages", async () => {
    expect(await found(pkg, "xylophones")).not.toContain("attachment.md");
    for (const question of ["secret recipe", "buoys", "attachment"])
      expect(await found(pkg, question, 50)).not.toContain("attachment.md");
    const text = "---\nindexed: false\n---\nThe secret recipe mentions xylophones and buoys.\n";
    expect(pkg.document("@/attachment.md")).toMatchObject({ indexed: false, passages: 0, text });
    expect(new TextDecoder().decode(contents(pkg).get("attachment.md"))).toBe(text);
    expect(pkg.claims.attachments).toBe(1);
    expect(pkg.documents(0, 1000).reduce((sum, { passages }) => sum + passages, 0)).toBe(pkg.image.passageCount);
  });

  it("may be written as people write it", async () => {
    const spellings = ["false", "no", "off", '"false"', "'no'", "False"];
    const files = Object.fromEntries(spellings.map((no, i) => [`${i}.md`, `---\nindexed: ${no}\n---\nHidden text.\n`]));
    const some = await opened({ ...files, "seen.md": "---\nindexed: yes\n---\nSeen text.\n" });
    expect(some.claims).toMatchObject({ attachments: spellings.length, documents: 1 });
    expect(await found(some, "text")).toEqual(["seen.md"]);
    await some.close();
  });

  it("may be all that there is: every question has an answer, the empty one", async () => {
    const only = await opened({ "a.md": "---\nindexed: false\n---\nText.\n", "b.md": "---\nindexed: false\n---\n" });
    expect(only.image.passageCount).toBe(0);
    expect(await only.search("text")).toMatchObject({ found: 0, passages: [] });
    expect(contents(only).size).toBe(2);
    await only.close();
  });

  it("may be among empty documents, which crash nothing", async () => {
    const empty = await opened({ "a.md": "", "b.md": "\n" });
    expect(await empty.search("text")).toMatchObject({ found: 0, passages: [] });
    await empty.close();
  });
});
