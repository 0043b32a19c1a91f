const MEGABYTE = 1_000_000;

/** A number with commas, and what it counts: `1 vehicle`, `10,000 vehicles`. */
export function count(value: number, unit?: string): string {
  const number = value === Number.POSITIVE_INFINITY ? 'any number' : value.toLocaleString('en-US');
  return unit === undefined ? number : `${number} ${unit}${value === 1 ? '' : 's'}`;
}

/** `1,072 MB` */
export function megabytes(bytes: number): string {
  return `${count(Math.round(bytes / MEGABYTE))} MB`;
}

/** `0.4 ms`, `12 ms` */
export function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
