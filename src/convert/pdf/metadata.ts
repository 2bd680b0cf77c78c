/** What a document states of itself, as far as it says something. */

/** A title that a person gave, not the name of a file or of a program. */
export function sensibleTitle(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const title = value.replace(/[\s\0\ufeff]+/g, " ").trim();
  if (title.length < 3 || title.length > 300 || !/\p{L}{2}/u.test(title) || title.includes("\ufffd")) return undefined;
  if (
    /^(?:untitled|title|document\d*|microsoft \w+ - |slide \d|powerpoint presentation|layout \d|\(anonymous\)|no title)/i.test(
      title,
    )
  )
    return undefined;
  if (/\.(?:pdf|docx?|odt|rtf|indd|tex|dvi|ps|qxd|xlsx?|pptx?|html?|fm|p65|wpd|txt|md)$/i.test(title)) return undefined;
  return title;
}

/** BCP 47 in its canonical spelling. */
export function languageTag(value: unknown): string | undefined {
  const tag = Array.isArray(value) ? (value as unknown[])[0] : value;
  if (typeof tag !== "string") return undefined;
  try {
    return Intl.getCanonicalLocales(tag.trim().replaceAll("_", "-"))[0];
  } catch {
    return undefined;
  }
}

/** A date of publication from the XMP metadata. */
export function dateOf(value: unknown): string | undefined {
  const text = Array.isArray(value) ? (value as unknown[])[0] : value;
  return typeof text === "string" ? /^\d{4}(?:-\d{2}(?:-\d{2})?)?/.exec(text.trim())?.[0] : undefined;
}
