/**
 * How long to wait before attempt number `attempt` (0 for the first repetition): doubled each time from `firstMs` to
 * at most `lastMs`, of which `fraction` (0 to 1, by chance) decides the second half, so that many who lost the same
 * peer do not come back in one moment.
 */
export function backoffMs(attempt: number, firstMs: number, lastMs: number, fraction: number): number {
  let fullMs = firstMs;
  for (let step = 0; step < attempt && fullMs < lastMs; step += 1) fullMs *= 2;
  fullMs = Math.min(fullMs, lastMs);
  return Math.round(fullMs / 2 + (fullMs / 2) * fraction);
}
