/** Both error rates of a calibration for a line of text; empty where they were not measured. */
export function errorRates({
  falseAlarms,
  misses,
}: {
  readonly falseAlarms: number | null;
  readonly misses: number | null;
}): string {
  const parts = [
    falseAlarms !== null && `${percent(falseAlarms)} of those that it answers would warn`,
    misses !== null && `${percent(misses)} of those on other subjects would not${falseAlarms === null ? " warn" : ""}`,
  ].filter((part) => part !== false);
  return parts.join(", ");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}
