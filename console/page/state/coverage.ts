import { signal } from '@preact/signals';
import { errorText } from '../../../world/error-text.ts';
import type { Coverage } from '../../stream/map.ts';
import { ask } from './ask.ts';

/** A rectangle of the map, in degrees. */
export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The mobile network in the visible part of the map; undefined: it is not shown. */
export const coverage = signal<(Coverage & { readonly bounds: Bounds }) | undefined>(undefined);
/** Why there is nothing to show; empty: there is. */
export const coverageTrouble = signal('');

const COLUMNS = 60;
const ROWS = 40;

let looks = 0;

/** Loads the network within these bounds; undefined: hides it. Of two concurrent calls the later one counts. */
export async function lookAtCoverage(bounds: Bounds | undefined): Promise<void> {
  looks += 1;
  const look = looks;
  coverageTrouble.value = '';
  if (bounds === undefined) {
    coverage.value = undefined;
    return;
  }
  const query = new URLSearchParams({ columns: String(COLUMNS), rows: String(ROWS) });
  for (const [name, degrees] of Object.entries(bounds)) query.set(name, String(degrees));
  try {
    const found = await ask<Coverage>(`/console/coverage?${query}`);
    if (look === looks) coverage.value = { ...found, bounds };
  } catch (error) {
    if (look !== looks) return;
    coverage.value = undefined;
    coverageTrouble.value = errorText(error);
  }
}
