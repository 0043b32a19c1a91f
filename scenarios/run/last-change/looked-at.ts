import type { DocumentPlace } from '../../language/vary/vary.ts';

/** What an expectation that does not hold looked at. */
export interface LookedAt {
  readonly of: 'truth' | 'state' | 'belief' | 'connected' | 'journal' | 'life_status' | 'feature' | 'vehicle';
  /** Where in it the mismatch is: `['locked']`. */
  readonly place: DocumentPlace;
  /** Of the state: what the property is as a whole. */
  readonly value?: unknown;
  /** The time that the API tells of it, epoch milliseconds in whole seconds; absent: it tells none. */
  readonly toldMs?: number;
  /** The name of the feature. */
  readonly feature?: string;
  /** The time is that of the last change of the whole record. */
  readonly isOfRecord?: true;
}

/** Parts of a record that a client sets, so that they change with it. */
const SET_BY_CLIENT = new Set<string | number>([
  'master_data',
  'custom_fields',
  'tags',
  'maintenance_booked',
]);

/** A property of a vehicle state, as the API tells it, with its time. */
export function stateLooked(state: unknown, place: DocumentPlace): LookedAt {
  const property = partsOf(partsOf(state)[String(place[0])]);
  return { of: 'state', place, value: property['value'], ...toldAt(property['timestamp']) };
}

/** A place in the record of a vehicle: its time is that of the nearest part around it that has one. */
export function recordLooked(record: unknown, place: DocumentPlace): LookedAt {
  const [first = '', ...within] = place;
  const part = partsOf(record)[String(first)];
  if (first === 'latest_vehicle_state') return stateLooked(part, within);
  const own = changedAt(part);
  if (own.toldMs !== undefined || !SET_BY_CLIENT.has(first)) return { of: 'vehicle', place, ...own };
  return { of: 'vehicle', place, ...changedAt(record), isOfRecord: true };
}

/** Since when a part of an answer is as it is, where the answer tells so. */
export function changedAt(part: unknown): Pick<LookedAt, 'toldMs'> {
  return toldAt(partsOf(part)['modified_at']);
}

function toldAt(time: unknown): Pick<LookedAt, 'toldMs'> {
  const toldMs = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(toldMs) ? {} : { toldMs };
}

function partsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
