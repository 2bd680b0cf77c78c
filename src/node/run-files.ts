/** Files at the top of a conversion's output that it writes itself. */
export const INDEX = "INDEX.md";
export const FINDINGS = "FINDINGS.md";
export const MANIFEST = "_manifest.json";
/** Of a run that has the folder for itself. */
export const RECORD = "_record.jsonl";

/** The record of one of several runs that share a folder: `shard` is `2-of-3`. */
export function recordOfShard(shard: string): string {
  return `_record-${shard}.jsonl`;
}

export function isRecord(name: string): boolean {
  return /^_record(?:-\d+-of-\d+)?\.jsonl$/.test(name);
}

/** Whether a file at this path inside an output is about the documents and none of them. */
export function isRunFile(path: string): boolean {
  return [INDEX, FINDINGS, MANIFEST].includes(path) || isRecord(path);
}
