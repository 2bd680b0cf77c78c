/**
 * Whether a document's path may be written into an image, and stays inside the folder to which it is exported: relative,
 * `/` between its parts, no part empty, `.` or `..`, no NUL, no backslash (a separator on Windows), no drive letter.
 */
export function isSafePath(path: string): boolean {
  if (path === "" || /[\0\\]/.test(path) || /^[A-Za-z]:/.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
