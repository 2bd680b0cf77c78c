import type { Conversion, Engine, Finding } from "../engine.js";
import { loadNumberFormatter } from "../ooxml/number-format.js";
import { OfficePackage } from "../ooxml/package.js";
import { refuse } from "../refusal.js";
import { child, parseXml, type XmlElement } from "../xml.js";
import { readBackMatter, statedTitle, writeBackMatter } from "./back-matter.js";
import type { Block } from "./blocks.js";
import { plainText } from "./inline.js";
import { Numbering } from "./numbering.js";
import { DocumentState } from "./state.js";
import { Story } from "./story.js";
import { Styles } from "./styles.js";
import { surveyOf } from "./survey.js";
import { BlockWriter } from "./writing.js";

/**
 * Word documents, transitional and Strict, templates and documents with macros: their XML as Markdown that a person would
 * have written (spec/convert.md). The text is the accepted one; what a tracked change took away, comments, heads and feet
 * stand behind it under headings of their own.
 */
export const engine: Engine = async ({ bytes }) => {
  const pack = OfficePackage.open(bytes, "word/document.xml");
  const main = parseXml(pack.archive.read(pack.main), `Its main part ${pack.main}`);
  const body = main.name === "document" ? child(main, "body") : undefined;
  if (body === undefined)
    refuse(`Its main part ${pack.main} is no Word document: open it in the program that made it and save it as DOCX.`);
  const related = (kind: string): XmlElement | undefined => {
    const [part] = pack.related(pack.main, kind);
    return part === undefined ? undefined : pack.tree(part);
  };
  const styles = new Styles(related("styles"));
  const survey = surveyOf(main, styles);
  const charts = pack.archive.names.some((name) => /(?:^|\/)chart[^/]*\.xml$/i.test(name));
  const state = new DocumentState(
    pack,
    main,
    styles,
    new Numbering(related("numbering")),
    survey.typewritten,
    charts ? await loadNumberFormatter() : undefined,
  );

  const blocks = new Story(state, pack.main, main).blocks(body);
  const back = readBackMatter(state);
  const title = blocks.find((block) => block.kind === "heading");
  const writer = new BlockWriter(title?.kind === "heading" && title.title ? 1 : 0);
  const text = writer.write(blocks);
  const parts = [...(text === "" ? [] : [text]), ...writeBackMatter(back, state, writer)];

  const properties = pack.properties();
  const named = titleIn(blocks) ?? statedTitle(properties.title);
  const language = properties.language ?? survey.language;
  return {
    engine: "WordprocessingML",
    markdown: parts.length === 0 ? "" : `${parts.join("\n\n")}\n`,
    ...(named !== undefined && { title: named }),
    ...(language !== undefined && { language }),
    withheld: state.withheld,
    labels: writer.labels,
    findings: findingsOf(state, back.comments.length),
  } satisfies Conversion;
};

/** What the paragraph in the style `Title` says: the author sees it, unlike the properties, which templates bring along. */
function titleIn(blocks: readonly Block[]): string | undefined {
  for (const block of blocks)
    if (block.kind === "heading" && block.title) return plainText(block.inlines).replace(/\s+/g, " ").trim();
  return undefined;
}

function findingsOf(state: DocumentState, comments: number): Finding[] {
  const findings: Finding[] = [...state.pack.archive.findings, ...state.pack.findings];
  const deletions = state.deletions.filter(({ text }) => text.trim() !== "").length;
  if (deletions > 0 || state.insertions > 0)
    findings.push({
      severity: "note",
      kind: "tracked changes",
      text: `Changes are tracked: ${counted(state.insertions, "insertion")} in the text, ${counted(deletions, "deletion")} listed under its end.`,
    });
  if (comments > 0)
    findings.push({
      severity: "note",
      kind: "comments",
      text: `${counted(comments, "comment")} listed under the text.`,
    });
  const hidden = state.withheld.filter(({ kind }) => kind === "hidden");
  if (hidden.length > 0) {
    const words = hidden.flatMap(({ text }) => text.match(/[\p{L}\p{N}]+/gu) ?? []).length;
    findings.push({
      severity: "warn",
      kind: "hidden text",
      text: `The document holds hidden text, which is left out (${counted(words, "word")}).`,
    });
  }
  if (state.pack.archive.names.some((name) => /vbaProject\.bin$/i.test(name)))
    findings.push({ severity: "note", kind: "macros", text: "The document holds macros, which are left out." });
  return findings;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
