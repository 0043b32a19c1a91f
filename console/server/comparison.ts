import { isDeepStrictEqual } from 'node:util';
import { MAINTENANCE } from '../../contract/properties.ts';
import type { PhysicalTruth, TrueProperty } from '../../judge/rules/twin/true-match.ts';
import {
  ENDING,
  MEASURED_BY_BOX,
  propertiesFedBy,
  TRUE_VALUES,
  WATCHED_WHEN_PARKED,
} from '../../judge/rules/twin/true-values.ts';
import { knownModel } from '../../protocol/models/known-models.ts';
import { type JsonObject, jsonObject } from '../../world/json.ts';
import type { AbsenceReason, BoxSummary, DifferenceCause, PropertyRow } from '../stream/vehicle-picture.ts';
import type { StoredValue } from './stored-values.ts';

/** The inputs of a comparison: the control API's description of a box, and the vehicle state of the API. */
export interface Compared {
  readonly model: string;
  readonly truth: JsonObject;
  readonly belief: JsonObject;
  /** Undefined: there is no service, or it does not know the vehicle. */
  readonly state: JsonObject | undefined;
  /** Of the records that the box holds, by the name of the property. */
  readonly stored: ReadonlyMap<string, StoredValue>;
  /** Whether the maintenance set is booked. */
  readonly maintenance: boolean;
}

/**
 * Compares the vehicle's properties: the physical truth (the table of the checker `twin-is-true`, which shares no code
 * with the service), the belief of the box, and the state in the service; differences have a cause, which is decided
 * for each property separately. Total.
 */
export function compareVehicle(compared: Compared): readonly PropertyRow[] {
  const model = knownModel(compared.model);
  const state = compared.state ?? {};
  const names = new Set([
    ...(model === undefined ? [] : propertiesFedBy(model)),
    ...MEASURED_BY_BOX,
    ...WATCHED_WHEN_PARKED,
    ...Object.keys(state),
  ]);
  return [...names]
    .sort()
    .map((name) => propertyRow(name, compared))
    .filter(({ truth, service }) => truth !== undefined || service !== undefined);
}

function propertyRow(name: string, compared: Compared): PropertyRow {
  const { model, truth, belief, state } = compared;
  const row = TRUE_VALUES[name];
  const precision = { model: knownModel(model) };
  const told = jsonObject(state?.[name]);
  const value = told['value'];
  const isTold = state !== undefined && name in state;
  const true_ = row?.says(truth, precision);
  const shown = {
    name,
    truth: valueText(name, true_),
    box: beliefOf(name, row, truth, belief, precision),
    service: isTold ? valueText(name, value) : undefined,
    toldAt: typeof told['timestamp'] === 'string' ? told['timestamp'] : undefined,
  };
  if (state === undefined || row === undefined) return shown;
  if (!isTold) return true_ === undefined ? shown : { ...shown, ...absenceOf(name, compared) };
  return row.fits(value, [truth], precision, Number(truth['atMs']))
    ? shown
    : { ...shown, cause: causeOf(name, row, value, compared) };
}

/**
 * Why the service has no value of a property that has one: only a record that it does not have yet makes that a
 * difference.
 */
function absenceOf(
  name: string,
  { stored, maintenance }: Compared,
): { readonly cause: DifferenceCause } | { readonly absence?: AbsenceReason } {
  if (MAINTENANCE.has(name) && !maintenance) return { absence: 'not booked' };
  const held = stored.get(name);
  if (held !== undefined && held.value !== null) return { cause: causeOfRecord(held) };
  // The last report may have said that there is none of these.
  return ENDING.has(name) ? {} : { absence: 'never reported' };
}

/** The properties that the box watches, as it last saw them. */
function beliefOf(
  name: string,
  row: TrueProperty | undefined,
  truth: PhysicalTruth,
  belief: JsonObject,
  precision: { readonly model: ReturnType<typeof knownModel> },
): string | undefined {
  const seen = jsonObject(belief['seen']);
  if (row?.quantity === undefined || !(row.quantity in seen)) return undefined;
  return valueText(name, row.says({ ...truth, ...seen, sensors: {} }, precision));
}

function causeOf(
  name: string,
  row: TrueProperty,
  told: unknown,
  { model, truth, belief, stored }: Compared,
): DifferenceCause {
  const sensors = jsonObject(truth['sensors']);
  const failed = quantitiesOf(name, row, model).map((quantity) => quantity in sensors);
  if (failed.length > 0 && !failed.includes(false)) return 'sensor failed';
  const held = stored.get(name);
  // A record with the value that the service already has explains nothing: the truth has changed since.
  if (held !== undefined && !isDeepStrictEqual(held.value, told)) return causeOfRecord(held);
  if (failed.includes(true)) return 'sensor failed';
  return belief['power'] === 'up' ? 'changed since the last report' : 'box off';
}

function causeOfRecord({ isInFlight }: StoredValue): DifferenceCause {
  return isInFlight ? 'in flight' : 'in a stored record';
}

/** The quantities whose sensors give a property: one with parts has several. */
function quantitiesOf(name: string, { quantity }: TrueProperty, model: string): readonly string[] {
  const rows = knownModel(model)?.rows ?? [];
  const feeding = rows.filter(({ feeds }) => feeds.some((path) => path.split('.')[0] === name));
  return [...new Set([...(quantity === undefined ? [] : [quantity]), ...feeding.map((row) => row.quantity)])];
}

/** `52.51401, 13.34389`; `OPEN`; `12.7`; parts as `card_1 ABSENT, card_2 PRESENT`. Undefined: there is no value. */
function valueText(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (name === 'position') {
    // The physics and the API name them differently.
    const place = jsonObject(value);
    const { latitude = place['lat'], longitude = place['lon'] } = place;
    return typeof latitude === 'number' && typeof longitude === 'number'
      ? `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
      : undefined;
  }
  if (typeof value === 'number') return String(Number(value.toFixed(3)));
  if (Array.isArray(value)) return value.map((one) => valueText('', one) ?? '').join(', ') || 'none';
  if (typeof value === 'object')
    return Object.entries(value)
      .flatMap(([part, one]) => {
        const text = valueText('', jsonObject(one)['value'] ?? one);
        return text === undefined ? [] : [`${part} ${text}`];
      })
      .join(', ');
  return String(value);
}

/** The status of a box, from its description (`belief` of the control API). Total. */
export function boxSummary(belief: JsonObject, truth: JsonObject): BoxSummary {
  const journal = jsonObject(belief['journal']);
  const count = (name: string) => Number(journal[name] ?? 0);
  const text = (name: string) => String(belief[name] ?? '');
  const maybe = (name: string) => {
    const value = belief[name];
    return value === null || value === undefined
      ? undefined
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  };
  const clockMs = belief['clockMs'];
  return {
    power: text('power'),
    session: text('session'),
    modem: text('modem'),
    network: text('network'),
    sim: text('sim'),
    firmware: text('firmware'),
    workshopMode: belief['workshopMode'] === true,
    clockErrorMs: typeof clockMs === 'number' ? Math.round(clockMs - Number(truth['atMs'])) : undefined,
    commandInProgress: maybe('commandInProgress'),
    fault: maybe('fault'),
    journal: {
      held: count('held'),
      report: count('report'),
      event: count('event'),
      reply: count('reply'),
      tombstone: count('tombstone'),
      awaitingReceipt: count('awaitingReceipt'),
    },
  };
}
