/** Both error rates of a calibration for a line of text; empty where they were not measured. */
export function errorRates({
  falseAlarms,
  misses,
}: {
  readonly falseAlarms: number | null;
  readonly misses: number | null;
}): string {
  const parts = [
    falseAlarms !== null && `${percent(falseAlarms)} of its own questions would warn`,
    misses !== null &&
      `${percent(misses)} of foreign ${falseAlarms === null ? "questions would not warn" : "ones would not"}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}
