import { child, children, type XmlElement } from "../xml.js";

/** Newer markup that is understood; of any other the older half is read (ISO 29500-3). */
const UNDERSTOOD = /^(?:wps|wpg|wpc|wp14|w1\d\w*|a14|c14|v|wne)?$/;

/** The half of a choice that is read: the newer one where its markup is understood. */
export function chosenOf(alternative: XmlElement): XmlElement | undefined {
  const choices = children(alternative, "Choice");
  const understood = choices.find(({ attributes }) =>
    (attributes.Requires ?? "").split(/\s+/).every((prefix) => UNDERSTOOD.test(prefix)),
  );
  return understood ?? child(alternative, "Fallback") ?? choices[0];
}
