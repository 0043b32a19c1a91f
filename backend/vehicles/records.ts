import { jsonText } from '../json-text.ts';
import type { StateProperty, VehicleState } from '../store/vehicle-store.ts';

/** What one report was translated to: property name of the vehicle state → value and time. */
export type Properties = Readonly<Record<string, Pick<StateProperty, 'timestampMs' | 'value' | 'json'>>>;

/** Where a record stands in its box's journal. */
export interface RecordKey {
  readonly epoch: number;
  readonly sequence: number;
}

/**
 * What a record told of one property. It goes into the vehicle's state as it is, and its JSON is made once for the
 * message and the stored state: thirty of them come with each report.
 */
export class Told implements StateProperty {
  readonly timestampMs: number;
  readonly value: unknown;
  readonly epoch: number;
  readonly sequence: number;
  #json: string | undefined;

  constructor(value: unknown, timestampMs: number, { epoch, sequence }: RecordKey) {
    this.timestampMs = timestampMs;
    this.value = value;
    this.epoch = epoch;
    this.sequence = sequence;
  }

  get json(): string {
    this.#json ??= jsonText(this.value);
    return this.#json;
  }
}

/** Properties as the record of `key` told them. */
export function toldBy(key: RecordKey, properties: Properties): VehicleState {
  const told: Record<string, StateProperty> = {};
  for (const name of Object.keys(properties)) {
    const said = properties[name];
    if (said !== undefined) told[name] = new Told(said.value, said.timestampMs, key);
  }
  return told;
}

/**
 * The twin rule: a vehicle's state with what one record told. A property that a later record has told already stays;
 * so the order of arrival does not matter. Only records of the journal's present epoch come here: within it the
 * sequence decides, and what an earlier epoch said is always older.
 */
export function mergeReport(state: VehicleState, told: VehicleState): VehicleState {
  const names = Object.keys(told);
  if (names.length === 0) return state;
  if (replaces(told, state)) return told;
  let merged: Record<string, StateProperty> | undefined;
  for (const name of names) {
    const said = told[name];
    if (said === undefined || isNewer(state[name], said)) continue;
    merged ??= { ...state };
    merged[name] = said;
  }
  return merged ?? state;
}

/** Whether nothing of a state is left. It is the usual case: one report tells what the one before told. */
function replaces(told: VehicleState, state: VehicleState): boolean {
  for (const name of Object.keys(state)) {
    const said = told[name];
    if (said === undefined || isNewer(state[name], said)) return false;
  }
  return true;
}

function isNewer(before: StateProperty | undefined, said: StateProperty): boolean {
  return before !== undefined && before.epoch === said.epoch && before.sequence > said.sequence;
}

/**
 * When a report's values were gathered: the record's clock, which the box corrected by what it knows of its error.
 * A box that does not know the time (0), or is ahead of it, is taken to speak of the time of receipt.
 */
export function gatheredMs(clockMs: number, receivedMs: number): number {
  return clockMs === 0 ? receivedMs : Math.min(clockMs, receivedMs);
}
