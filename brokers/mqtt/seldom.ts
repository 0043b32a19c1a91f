/**
 * Says whether `key` is due again: true at most once in `everyMs` for each key. Remembers no more than `capacity`
 * keys, so that a stranger with many names fills no memory; a forgotten key is due.
 */
export function seldom(everyMs: number, capacity: number): (key: string, nowMs: number) => boolean {
  /** In the order of the last time. */
  const lastMs = new Map<string, number>();
  return (key, nowMs) => {
    const last = lastMs.get(key);
    if (last !== undefined && nowMs - last < everyMs) return false;
    lastMs.delete(key);
    lastMs.set(key, nowMs);
    const [oldest] = lastMs.keys();
    if (lastMs.size > capacity && oldest !== undefined) lastMs.delete(oldest);
    return true;
  };
}
