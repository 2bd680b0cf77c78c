/** Stands before and behind a form, `_form_`; no form holds it. */
export const BOUNDARY = 0x5f;

/** Letters, digits and the boundary, of which nearly all forms are: `CLASSES` numbers them from 1, and is 0 for other bytes. */
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_";
export const BASE = LETTERS.length + 1;
export const CLASSES = new Uint8Array(256);
for (const [i, letter] of Array.from(LETTERS).entries()) CLASSES[letter.charCodeAt(0)] = i + 1;
