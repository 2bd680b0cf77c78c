import { strToU8, zipSync } from "fflate";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  `xmlns:r="${OFFICE}"`,
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
  'xmlns:o="urn:schemas-microsoft-com:office:office"',
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
  'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"',
].join(" ");

export interface WordFile {
  readonly body: string;
  readonly styles?: string;
  readonly numbering?: string;
  readonly footnotes?: string;
  readonly endnotes?: string;
  readonly comments?: string;
  readonly commentsExtended?: string;
  /** Parts of text by name: `header1`. */
  readonly heads?: Readonly<Record<string, string>>;
  /** Links out of the document by id. */
  readonly links?: Readonly<Record<string, string>>;
  /** Pictures by id and name. */
  readonly pictures?: Readonly<Record<string, string>>;
  /** Other parts beside the main one by name, with their type and XML. */
  readonly others?: Readonly<Record<string, { readonly type: string; readonly xml: string }>>;
  readonly core?: string;
  /** Where the main part is, and in which namespaces. */
  readonly main?: string;
  readonly strict?: boolean;
}

/** Styles as Word writes them, with their English names. */
export const STYLES = [
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>',
  ...[1, 2, 3].map(
    (level) =>
      `<w:style w:type="paragraph" w:styleId="berschrift${level}"><w:name w:val="heading ${level}"/><w:basedOn w:val="Normal"/><w:pPr><w:outlineLvl w:val="${level - 1}"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>`,
  ),
  '<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>',
  '<w:style w:type="paragraph" w:styleId="Zitat"><w:name w:val="Quote"/><w:rPr><w:i/></w:rPr></w:style>',
  '<w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Source Code"/></w:style>',
  '<w:style w:type="character" w:styleId="Fett"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>',
  '<w:style w:type="character" w:styleId="Versteckt"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>',
].join("");

/** A list of numbers, `1.` `(a)` `1.1.1`, and one of bullets. */
export const NUMBERING = [
  '<w:abstractNum w:abstractNumId="0">',
  level(0, "decimal", "%1.", 360),
  level(1, "lowerLetter", "(%2)", 720),
  level(2, "decimal", "%1.%2.%3", 1080),
  '</w:abstractNum><w:abstractNum w:abstractNumId="1">',
  level(0, "bullet", "\uF0B7", 360),
  level(1, "bullet", "o", 720),
  '</w:abstractNum><w:abstractNum w:abstractNumId="2">',
  level(0, "upperRoman", "Article %1", 0),
  level(1, "decimal", "%1.%2", 0).replace("<w:lvlText", "<w:isLgl/><w:lvlText"),
  "</w:abstractNum>",
  '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
  '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>',
  '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>',
  '<w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num>',
  '<w:num w:numId="5"><w:abstractNumId w:val="0"/></w:num>',
].join("");

function level(number: number, format: string, text: string, indent: number): string {
  return `<w:lvl w:ilvl="${number}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:pPr><w:ind w:left="${indent}"/></w:pPr></w:lvl>`;
}

export function run(text: string, properties = ""): string {
  return `<w:r>${properties === "" ? "" : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
}

export function paragraph(content: string, properties = ""): string {
  return `<w:p>${properties === "" ? "" : `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;
}

export function styled(style: string, text: string, properties = ""): string {
  return paragraph(run(text), `<w:pStyle w:val="${style}"/>${properties}`);
}

export function item(text: string, list: number, ilvl = 0): string {
  return paragraph(run(text), `<w:numPr><w:ilvl w:val="${ilvl}"/><w:numId w:val="${list}"/></w:numPr>`);
}

export function cell(content: string, properties = ""): string {
  return `<w:tc>${properties === "" ? "" : `<w:tcPr>${properties}</w:tcPr>`}${content === "" ? "<w:p/>" : content}</w:tc>`;
}

export function row(...cells: readonly string[]): string {
  return `<w:tr>${cells.join("")}</w:tr>`;
}

/** A field from its instruction and its result, runs of both. */
export function field(instruction: string, result: string): string {
  const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const words = instruction.startsWith("<")
    ? instruction
    : `<w:r><w:instrText xml:space="preserve">${instruction}</w:instrText></w:r>`;
  return mark("begin") + words + mark("separate") + result + mark("end");
}

/** A document of Word with everything in its place. */
export function wordFile(file: WordFile): Uint8Array {
  const main = file.main ?? "word/document.xml";
  const folder = main.slice(0, main.lastIndexOf("/") + 1);
  const adapt = (xml: string): string =>
    file.strict === true
      ? xml
          .replaceAll(
            "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
            "http://purl.oclc.org/ooxml/wordprocessingml/main",
          )
          .replaceAll(
            "http://schemas.openxmlformats.org/officeDocument/2006/math",
            "http://purl.oclc.org/ooxml/officeDocument/math",
          )
          .replaceAll(OFFICE, "http://purl.oclc.org/ooxml/officeDocument/relationships")
      : xml;
  const parts: Record<string, string> = {};
  const relationships: string[] = [];
  const add = (name: string, type: string, root: string, content: string | undefined, id = `part-${type}`): void => {
    if (content === undefined) return;
    parts[`${folder}${name}.xml`] = `<w:${root} ${NAMESPACES}>${content}</w:${root}>`;
    relationships.push(`<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${name}.xml"/>`);
  };
  parts[main] = `<w:document ${NAMESPACES}><w:body>${file.body}</w:body></w:document>`;
  add("styles", "styles", "styles", file.styles ?? STYLES);
  add("numbering", "numbering", "numbering", file.numbering ?? NUMBERING);
  add("footnotes", "footnotes", "footnotes", file.footnotes);
  add("endnotes", "endnotes", "endnotes", file.endnotes);
  add("comments", "comments", "comments", file.comments);
  if (file.commentsExtended !== undefined) {
    parts[`${folder}commentsExtended.xml`] = `<w15:commentsEx ${NAMESPACES}>${file.commentsExtended}</w15:commentsEx>`;
    relationships.push(
      '<Relationship Id="ex" Type="http://schemas.microsoft.com/office/2011/relationships/commentsExtended" Target="commentsExtended.xml"/>',
    );
  }
  for (const [name, content] of Object.entries(file.heads ?? {}))
    add(name, name.replace(/\d+$/, ""), name.startsWith("header") ? "hdr" : "ftr", content, name);
  for (const [id, target] of Object.entries(file.links ?? {}))
    relationships.push(
      `<Relationship Id="${id}" Type="${OFFICE}/hyperlink" Target="${target}" TargetMode="External"/>`,
    );
  for (const [id, name] of Object.entries(file.pictures ?? {}))
    relationships.push(`<Relationship Id="${id}" Type="${OFFICE}/image" Target="media/${name}"/>`);
  for (const [name, { type, xml }] of Object.entries(file.others ?? {})) {
    parts[`${folder}${name}`] = xml;
    relationships.push(`<Relationship Id="${name}" Type="${OFFICE}/${type}" Target="${name}"/>`);
  }
  const list = (content: string): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`;
  const core =
    file.core === undefined
      ? ""
      : '<Relationship Id="core" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>';
  if (file.core !== undefined)
    parts["docProps/core.xml"] =
      `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">${file.core}</cp:coreProperties>`;
  parts["_rels/.rels"] = list(`<Relationship Id="main" Type="${OFFICE}/officeDocument" Target="${main}"/>${core}`);
  parts[`${folder}_rels/${main.slice(folder.length)}.rels`] = list(relationships.join(""));
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(adapt(xml))])));
}
