import { escape, packed, relationships, type MadeRelationship } from "../office.js";

/** A slide of known content: shapes as written. */
export interface MadeSlide {
  readonly shapes: string;
  readonly hidden?: boolean;
  /** Paragraphs of the speaker. */
  readonly notes?: string;
  readonly relationships?: readonly MadeRelationship[];
}

export interface MadePresentation {
  readonly slides: readonly MadeSlide[];
  readonly parts?: Readonly<Record<string, string>>;
  readonly relationships?: readonly MadeRelationship[];
}

const NAMES =
  'xmlns:a="urn:a" xmlns:p="urn:p" xmlns:r="urn:r" xmlns:m="urn:m" xmlns:c="urn:c" xmlns:dgm="urn:dgm" xmlns:a14="urn:a14" xmlns:mc="urn:mc"';

/** A layout whose body has bullets at the first level and none at the second; the master numbers the third. */
const LAYOUT = `<p:sldLayout ${NAMES}><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:txBody><a:lstStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buNone/></a:lvl2pPr></a:lstStyle><a:p><a:r><a:t>Words of the layout</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sldLayout>`;
const MASTER = `<p:sldMaster ${NAMES}><p:cSld><p:spTree/></p:cSld><p:txStyles><p:titleStyle/><p:bodyStyle><a:lvl3pPr><a:buAutoNum type="arabicPeriod" startAt="4"/></a:lvl3pPr></p:bodyStyle><p:otherStyle/></p:txStyles></p:sldMaster>`;

export function madePresentation({ slides, parts = {}, relationships: more = [] }: MadePresentation): Uint8Array {
  const all: Record<string, string> = {
    "_rels/.rels": relationships([{ id: "r", kind: "officeDocument", target: "ppt/show.xml" }]),
    // The list is the other way round than the names of the parts.
    "ppt/show.xml": `<p:presentation ${NAMES}><p:sldIdLst>${slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="s${i}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/show.xml.rels": relationships([
      ...slides.map((_, i) => ({ id: `s${i}`, kind: "slide", target: `slides/page${slides.length - i}.xml` })),
      ...more,
    ]),
    "ppt/layout.xml": LAYOUT,
    "ppt/_rels/layout.xml.rels": relationships([{ id: "m", kind: "slideMaster", target: "master.xml" }]),
    "ppt/master.xml": MASTER,
    ...parts,
  };
  for (const [i, slide] of slides.entries()) {
    const name = `page${slides.length - i}`;
    all[`ppt/slides/${name}.xml`] =
      `<p:sld ${NAMES}${slide.hidden === true ? ' show="0"' : ""}><p:cSld><p:spTree>${slide.shapes}</p:spTree></p:cSld></p:sld>`;
    const list: MadeRelationship[] = [
      { id: "layout", kind: "slideLayout", target: "../layout.xml" },
      ...(slide.relationships ?? []),
    ];
    if (slide.notes !== undefined) {
      list.push({ id: "notes", kind: "notesSlide", target: `../notes/${name}.xml` });
      all[`ppt/notes/${name}.xml`] =
        `<p:notes ${NAMES}><p:cSld><p:spTree>${shape("", { type: "sldImg" })}${shape(slide.notes, { type: "body", idx: "1" })}${shape(text("17"), { type: "sldNum" })}</p:spTree></p:cSld></p:notes>`;
    }
    all[`ppt/slides/_rels/${name}.xml.rels`] = relationships(list);
  }
  return packed(all);
}

/** A shape around paragraphs, a placeholder where `place` is given. */
export function shape(paragraphs: string, place?: Readonly<Record<string, string>>, link = ""): string {
  const holder =
    place === undefined
      ? ""
      : `<p:ph${Object.entries(place)
          .map(([name, value]) => ` ${name}="${value}"`)
          .join("")}/>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="S">${link}</p:cNvPr><p:nvPr>${holder}</p:nvPr></p:nvSpPr><p:txBody><a:bodyPr/>${paragraphs}</p:txBody></p:sp>`;
}

/** A paragraph of one run. */
export function text(words: string, { level = 0, run = "", properties = "" } = {}): string {
  return `<a:p><a:pPr lvl="${level}">${properties}</a:pPr><a:r>${run}<a:t>${escape(words)}</a:t></a:r></a:p>`;
}

export const title = (words: string): string => shape(text(words), { type: "title" });
export const body = (paragraphs: string): string => shape(paragraphs, { type: "body", idx: "1" });
