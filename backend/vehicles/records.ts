import type { VehicleState } from '../store/vehicle-store.ts';

/** What one report was translated to: property name of the vehicle state → value and time. */
export type Properties = Readonly<Record<string, { readonly timestampMs: number; readonly value: unknown }>>;

/** Where a record stands in its box's journal. */
export interface RecordKey {
  readonly epoch: number;
  readonly sequence: number;
}

/**
 * The twin rule: a vehicle's state with what the record of `key` said of `properties`. A property that a later record
 * has told already stays; so the order of arrival does not matter. Only records of the journal's present epoch come
 * here: within it the sequence decides, and what an earlier epoch said is always older.
 */
export function mergeReport(state: VehicleState, properties: Properties, key: RecordKey): VehicleState {
  const { epoch, sequence } = key;
  const merged: Record<string, VehicleState[string]> = { ...state };
  let isChanged = false;
  for (const name of Object.keys(properties)) {
    const said = properties[name];
    const before = merged[name];
    if (said === undefined || (before?.epoch === epoch && before.sequence > sequence)) continue;
    merged[name] = { timestampMs: said.timestampMs, value: said.value, epoch, sequence };
    isChanged = true;
  }
  return isChanged ? merged : state;
}

/**
 * When a report's values were gathered: the record's clock, which the box corrected by what it knows of its error.
 * A box that does not know the time (0), or is ahead of it, is taken to speak of the time of receipt.
 */
export function gatheredMs(clockMs: number, receivedMs: number): number {
  return clockMs === 0 ? receivedMs : Math.min(clockMs, receivedMs);
}
