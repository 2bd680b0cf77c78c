/**
 * Converting documents in Node: `runConversion` turns a folder of originals into a folder of Markdown with certificates,
 * `convertAll` converts without writing anything.
 */
export { MdcxError, type ErrorCode } from "./errors.js";
export type { Certificate, Difference, Status, Tally } from "./convert/certificate.js";
export type { Finding, Format } from "./convert/engine.js";
export type { Budget } from "./convert/run/budget.js";
export { budgetFor } from "./convert/run/budget.js";
export type { Facts } from "./convert/run/converter.js";
export type { ConvertOptions } from "./convert/run/options.js";
export { type LeftOut, type Plan, planConversion, type PlanOptions, type Source } from "./convert/run/plan.js";
export type { RunProgress } from "./convert/run/progress.js";
export { runConversion, type RunOptions } from "./convert/run/run.js";
export type { Stale } from "./convert/run/stale.js";
export { type Converted, convertAll } from "./convert/run/stream.js";
export type { RunSummary, Worst } from "./convert/run/summary.js";
export { percent, type Totals } from "./convert/run/totals.js";
export type { Shard } from "./shard.js";
