/** What a page says of itself: title, language, and the date on which its publisher says that it was published. */
import { elementsOf, find, isElement, textOf, titleOf, type HtmlElement } from "./tree.js";

export interface Metadata {
  readonly title?: string;
  readonly language?: string;
  readonly date?: string;
}

/** In the order in which they are trusted. */
const DATES = [
  "article:published_time",
  "og:article:published_time",
  "dc.date.issued",
  "dcterms.issued",
  "dc.date",
  "dcterms.date",
  "dcterms.created",
  "dc.date.created",
  "citation_publication_date",
  "citation_date",
  "datepublished",
  "publishdate",
  "pubdate",
  "date",
];

/** Reads the head before what is not visible is removed. */
export function readMetadata(root: HtmlElement): Metadata {
  const values = new Map<string, string>();
  let language: string | undefined;
  let title: string | undefined;
  let linked: string | undefined;
  let timed: string | undefined;
  for (const element of elementsOf(root)) {
    const { name, attributes } = element;
    if (name === "html") language = attributes.get("lang") ?? attributes.get("xml:lang");
    else if (name === "title") title ??= titleOf(element) || undefined;
    else if (name === "meta") {
      const key =
        attributes.get("property") ??
        attributes.get("name") ??
        attributes.get("itemprop") ??
        attributes.get("http-equiv");
      const content = attributes.get("content")?.trim();
      if (key !== undefined && content) setOnce(values, key.trim().toLowerCase(), content);
    } else if (name === "script" && attributes.get("type")?.toLowerCase() === "application/ld+json")
      linked ??= publishedIn(textOf(element));
    else if (name === "time" && attributes.get("itemprop")?.toLowerCase() === "datepublished")
      timed ??= attributes.get("datetime");
    // A drawing has titles of its own.
    if (name === "body" && title === undefined) title = values.get("og:title");
  }
  const dates = [...DATES.map((key) => values.get(key)), linked, timed];
  const date = dates.map((each) => (each === undefined ? undefined : isoDate(each))).find((each) => each !== undefined);
  const tag = languageTag(language ?? values.get("content-language") ?? values.get("dc.language") ?? "");
  return {
    ...(title === undefined ? {} : { title }),
    ...(tag === undefined ? {} : { language: tag }),
    ...(date === undefined ? {} : { date }),
  };
}

function setOnce(values: Map<string, string>, key: string, value: string): void {
  if (!values.has(key)) values.set(key, value);
}

/** `datePublished` of linked data, wherever in it; what is no JSON says nothing. */
function publishedIn(json: string): string | undefined {
  return /"datePublished"\s*:\s*"([^"\\]{4,40})"/.exec(json)?.[1];
}

export function languageTag(text: string): string | undefined {
  const tag = text.trim().replaceAll("_", "-");
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(tag) && !/^(?:und|zxx|mul)$/i.test(tag) ? tag : undefined;
}

/** A date in ISO 8601 as it is stated, or undefined: other notations leave open what is the day and what the month. */
export function isoDate(text: string): string | undefined {
  const [, date, time = ""] =
    /^(\d{4}(?:-\d{2}(?:-\d{2})?)?)(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:Z|[+-]\d{2}:?\d{2})?))?$/.exec(
      text.trim().replace(/^(\d{4})\/(\d{2})\/(\d{2})$/, "$1-$2-$3"),
    ) ?? [];
  if (date === undefined || Number.isNaN(Date.parse(date)) || Number(date.slice(0, 4)) < 1000) return undefined;
  return time === "" ? date : `${date}T${time.replace(/\s+/g, "").replace(/([+-]\d{2})(\d{2})$/, "$1:$2")}`;
}

/** The title of a page that is one of several: its first heading. */
export function firstHeading(root: HtmlElement): string | undefined {
  const found = find(
    root,
    (element) =>
      /^h[1-6]$/.test(element.name) && element.children.some((node) => isElement(node) || node.trim() !== ""),
  );
  return found === undefined ? undefined : titleOf(found) || undefined;
}
