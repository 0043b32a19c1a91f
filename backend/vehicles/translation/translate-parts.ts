import type { PartsRow } from '../../../contract/properties.ts';
import { dateOfParts } from './translate-value.ts';

/** Values by the name of their part; a part with parts holds such an object. */
interface GatheredParts {
  [part: string]: unknown;
}

/**
 * Collects the parts of one property, which come from separate rows, until all signals are read. Of two
 * values of a part the first one stays.
 */
export class PartsAssembly {
  readonly #gathered: GatheredParts = {};

  put(path: readonly string[], value: unknown): void {
    let here = this.#gathered;
    const last = path.length - 1;
    for (let at = 0; at < last; at += 1) {
      const part = path[at] ?? '';
      here[part] ??= {};
      here = here[part] as GatheredParts;
    }
    const name = path[last];
    if (name !== undefined) here[name] ??= value;
  }

  /** The property's value; undefined if no part of it has one. */
  asObject(row: PartsRow): Readonly<Record<string, unknown>> | undefined {
    return objectOf(row, this.#gathered);
  }

  /** The date from the collected year, month and day; undefined if it is invalid. */
  asDate(): string | undefined {
    const { year, month, day } = this.#gathered;
    return dateOfParts(year, month, day);
  }
}

/** The parts that have values, in the order of the table. */
function objectOf(row: PartsRow, gathered: GatheredParts): Readonly<Record<string, unknown>> | undefined {
  const values: Record<string, unknown> = {};
  let count = 0;
  for (const name of Object.keys(row.parts)) {
    const part = row.parts[name];
    if (part === undefined) continue;
    const found = gathered[name];
    const value =
      part.shape === 'parts' && found !== undefined ? objectOf(part, found as GatheredParts) : found;
    if (value === undefined) {
      if (row.whole === true) return undefined;
      continue;
    }
    values[name] = value;
    count += 1;
  }
  return count === 0 ? undefined : values;
}
