import { jsonText } from '../base/json-text.ts';
import type { StateProperty, VehicleState } from '../store/port/stored-vehicle.ts';

/** The translation of one report: property name of the vehicle state → value and time. */
export type Properties = Readonly<Record<string, Pick<StateProperty, 'timestampMs' | 'value' | 'json'>>>;

/** The place of a record in its box's journal. */
export interface RecordKey {
  readonly epoch: number;
  readonly sequence: number;
}

/**
 * One property in a record. It is stored in the vehicle's state unchanged, and its JSON is written once for the message
 * and the stored state: each report has about thirty of them.
 */
export class ReportedProperty implements StateProperty {
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

/** Properties as reported by the record of `key`. */
export function reportedProperties(key: RecordKey, properties: Properties): VehicleState {
  const reported: Record<string, StateProperty> = {};
  for (const name of Object.keys(properties)) {
    const said = properties[name];
    if (said !== undefined) reported[name] = new ReportedProperty(said.value, said.timestampMs, key);
  }
  return reported;
}

/**
 * The twin rule: merges one record into a vehicle's state. A property that a later record has reported
 * already stays; so the order of arrival does not matter. Only records of the journal's current epoch are
 * merged: within it the sequence decides, and everything of an earlier epoch is older.
 */
export function mergeReport(state: VehicleState, reported: VehicleState): VehicleState {
  const names = Object.keys(reported);
  if (names.length === 0) return state;
  if (replaces(reported, state)) return reported;
  let merged: Record<string, StateProperty> | undefined;
  for (const name of names) {
    const property = reported[name];
    if (property === undefined || isNewer(state[name], property)) continue;
    merged ??= { ...state };
    merged[name] = property;
  }
  return merged ?? state;
}

/**
 * Whether nothing of a state is left. It is the usual case: a report has the same properties as the last one.
 */
function replaces(reported: VehicleState, state: VehicleState): boolean {
  for (const name of Object.keys(state)) {
    const property = reported[name];
    if (property === undefined || isNewer(state[name], property)) return false;
  }
  return true;
}

function isNewer(before: StateProperty | undefined, property: StateProperty): boolean {
  return before !== undefined && before.epoch === property.epoch && before.sequence > property.sequence;
}

/**
 * The time of a report's values: the record's clock, which the box has corrected by its known error. If the
 * box does not know the time (0), or is ahead of it, the time of receipt is used.
 */
export function recordTimeMs(clockMs: number, receivedMs: number): number {
  return clockMs === 0 ? receivedMs : Math.min(clockMs, receivedMs);
}
