import { jsonName, jsonText } from '../../../base/json-text.ts';
import type { StateProperty, VehicleState } from '../../port/stored-vehicle.ts';

/** The current values of one record: its time and place in the journal, and the values by name. */
type RecordValues = readonly [
  timestampMs: number,
  epoch: number,
  sequence: number,
  values: Record<string, unknown>,
];

/**
 * The column text of a vehicle's state: a list with one entry for each record that has current values. It is
 * written with each record, and nearly all of a state comes from one.
 */
export function writeState(state: VehicleState): string {
  let text = '';
  let last: StateProperty | undefined;
  for (const name of Object.keys(state)) {
    const property = state[name];
    if (property === undefined) continue;
    if (last !== undefined && isOfSame(property, last)) text += jsonName(name);
    else {
      const { timestampMs, epoch, sequence } = property;
      text += `${last === undefined ? '[[' : '}],['}${timestampMs},${epoch},${sequence},{${jsonName(name).slice(1)}`;
      last = property;
    }
    text += property.json ?? jsonText(property.value);
  }
  return last === undefined ? '[]' : `${text}}]]`;
}

function isOfSame(one: StateProperty, other: StateProperty): boolean {
  return (
    one.sequence === other.sequence && one.epoch === other.epoch && one.timestampMs === other.timestampMs
  );
}

/**
 * Reads such a text, or one from before version 17, which had all properties by name; `{}` is empty in both.
 */
export function readState(text: string): VehicleState {
  const read = JSON.parse(text) as readonly RecordValues[] | VehicleState;
  if (!isList(read)) return read;
  const state: Record<string, StateProperty> = {};
  for (const [timestampMs, epoch, sequence, values] of read) {
    for (const name of Object.keys(values))
      state[name] = { timestampMs, value: values[name], epoch, sequence };
  }
  return state;
}

function isList(read: readonly RecordValues[] | VehicleState): read is readonly RecordValues[] {
  return Array.isArray(read);
}
