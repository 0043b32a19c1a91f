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

/**
 * Says whether there is room for one more of `kind`: at most `most` in each `everyMs`. A number: there is, and so many were
 * left out since the last one; undefined: there is none. `kind` is one of a few that the program itself has.
 */
export function bounded(everyMs: number, most: number): (kind: string, nowMs: number) => number | undefined {
  const spans = new Map<string, { fromMs: number; told: number; leftOut: number }>();
  return (kind, nowMs) => {
    let span = spans.get(kind);
    if (span === undefined || nowMs - span.fromMs >= everyMs) {
      span = { fromMs: nowMs, told: 0, leftOut: span?.leftOut ?? 0 };
      spans.set(kind, span);
    }
    if (span.told >= most) {
      span.leftOut += 1;
      return undefined;
    }
    span.told += 1;
    const { leftOut } = span;
    span.leftOut = 0;
    return leftOut;
  };
}
