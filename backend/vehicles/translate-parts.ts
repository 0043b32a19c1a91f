import type { PartsRow } from './properties.ts';
import { dateOfParts } from './translate-value.ts';

/** Values by the name of their part; a part that has parts itself holds such an object. */
interface Gathered {
  [part: string]: unknown;
}

/**
 * Gathers the parts of one property, which come from rows of their own, until all signals are read. Of two values of a
 * part the first one stays.
 */
export class Assembly {
  readonly #gathered: Gathered = {};

  put(path: readonly string[], value: unknown): void {
    let here = this.#gathered;
    const last = path.length - 1;
    for (let at = 0; at < last; at += 1) {
      const part = path[at] ?? '';
      here[part] ??= {};
      here = here[part] as Gathered;
    }
    const name = path[last];
    if (name !== undefined) here[name] ??= value;
  }

  /** The property's value; undefined where nothing of it can be told. */
  asObject(row: PartsRow): Readonly<Record<string, unknown>> | undefined {
    return objectOf(row, this.#gathered);
  }

  /** The date whose year, month and day were gathered; undefined where it is none. */
  asDate(): string | undefined {
    const { year, month, day } = this.#gathered;
    return dateOfParts(year, month, day);
  }
}

/** The parts in the order of the table, those that can be told. */
function objectOf(row: PartsRow, gathered: Gathered): Readonly<Record<string, unknown>> | undefined {
  const told: Record<string, unknown> = {};
  let count = 0;
  for (const name of Object.keys(row.parts)) {
    const part = row.parts[name];
    if (part === undefined) continue;
    const found = gathered[name];
    const value = part.shape === 'parts' && found !== undefined ? objectOf(part, found as Gathered) : found;
    if (value === undefined) {
      if (row.whole === true) return undefined;
      continue;
    }
    told[name] = value;
    count += 1;
  }
  return count === 0 ? undefined : told;
}
