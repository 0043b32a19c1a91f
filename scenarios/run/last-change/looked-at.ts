import type { DocumentPlace } from '../../language/vary/vary.ts';

/** The compared value of an expectation that does not hold. */
export interface LookedAt {
  readonly of: 'truth' | 'state' | 'belief' | 'connected' | 'journal' | 'life_status' | 'feature' | 'vehicle';
  /** The path of the mismatch: `['locked']`. */
  readonly place: DocumentPlace;
  /** Of the state: the whole property. */
  readonly value?: unknown;
  /** Its time in the API, epoch milliseconds in whole seconds; absent: there is none. */
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

/** A property of a vehicle state in the API, with its time. */
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

/** Since when a part of an answer has been as it is, if the answer has this time. */
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
