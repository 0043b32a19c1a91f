/** Values that change over time, in the order of their times. */
export class Series<Value> {
  readonly times: number[] = [];
  readonly values: Value[] = [];

  add(atMs: number, value: Value): void {
    this.times.push(atMs);
    this.values.push(value);
  }

  /** The value in force at a moment: the last one that was added for it or before; undefined: none was yet. */
  at(atMs: number): Value | undefined {
    const index = this.indexAt(atMs);
    return index < 0 ? undefined : this.values[index];
  }

  /** The index of that value; -1: none was yet. */
  indexAt(atMs: number): number {
    return firstAfter(this.times, atMs) - 1;
  }
}

/** The index of the first later time; their number if there is none. `times` rise. */
export function firstAfter(times: readonly number[], atMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
