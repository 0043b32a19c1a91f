import { knownModel } from '../../protocol/models/known-models.ts';
import type { PhysicalTruth, TrueProperty } from '../../scenarios/checkers/twin/true-match.ts';
import {
  MEASURED_BY_BOX,
  propertiesFedBy,
  TRUE_VALUES,
  WATCHED_WHEN_PARKED,
} from '../../scenarios/checkers/twin/true-values.ts';
import type { BoxSummary, DifferenceCause, PropertyRow } from '../stream/vehicle-picture.ts';

type Json = Readonly<Record<string, unknown>>;

/** What is compared: the control API's description of a box, and the vehicle state that the API answers. */
export interface Compared {
  readonly model: string;
  readonly truth: Json;
  readonly belief: Json;
  /** Undefined: there is no service, or it does not know the vehicle. */
  readonly state: Json | undefined;
}

/**
 * The vehicle's properties side by side: what is so by the physics (the table of the checker `twin-is-true`, which shares no
 * code with the service), what the box believes, and what the service says. Total.
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

function propertyRow(name: string, { model, truth, belief, state }: Compared): PropertyRow {
  const row = TRUE_VALUES[name];
  const precision = { model: knownModel(model) };
  const told = record(state?.[name]);
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
  const fits = isTold ? row.fits(value, [truth], precision, Number(truth['atMs'])) : true_ === undefined;
  return fits ? shown : { ...shown, cause: causeOf(row, truth, belief) };
}

/** What the box watches: as it saw it last. */
function beliefOf(
  name: string,
  row: TrueProperty | undefined,
  truth: PhysicalTruth,
  belief: Json,
  precision: { readonly model: ReturnType<typeof knownModel> },
): string | undefined {
  const seen = record(belief['seen']);
  if (row?.quantity === undefined || !(row.quantity in seen)) return undefined;
  return valueText(name, row.says({ ...truth, ...seen, sensors: {} }, precision));
}

function causeOf(row: TrueProperty, truth: Json, belief: Json): DifferenceCause {
  const journal = record(belief['journal']);
  if (row.quantity !== undefined && row.quantity in record(truth['sensors'])) return 'sensor failed';
  if (belief['power'] !== 'up') return 'box off';
  const held = Number(journal['held'] ?? 0);
  if (held === 0) return 'not sent yet';
  return belief['session'] === 'ready' && Number(journal['awaitingReceipt'] ?? 0) > 0
    ? 'under way'
    : 'in the journal';
}

/** `52.51401, 13.34389`; `OPEN`; `12.7`; parts as `card_1 ABSENT, card_2 PRESENT`. Undefined: there is no value. */
function valueText(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (name === 'position') {
    // The physics and the API name them differently.
    const place = record(value);
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
        const text = valueText('', record(one)['value'] ?? one);
        return text === undefined ? [] : [`${part} ${text}`];
      })
      .join(', ');
  return String(value);
}

/** What a box is about, of its description (`belief` of the control API). Total. */
export function boxSummary(belief: Json, truth: Json): BoxSummary {
  const journal = record(belief['journal']);
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
    ...{ power: text('power'), session: text('session'), modem: text('modem'), network: text('network') },
    ...{ sim: text('sim'), firmware: text('firmware'), workshopMode: belief['workshopMode'] === true },
    clockErrorMs: typeof clockMs === 'number' ? Math.round(clockMs - Number(truth['atMs'])) : undefined,
    commandInProgress: maybe('commandInProgress'),
    fault: maybe('fault'),
    journal: {
      ...{ held: count('held'), report: count('report'), event: count('event'), reply: count('reply') },
      ...{ tombstone: count('tombstone'), awaitingReceipt: count('awaitingReceipt') },
    },
  };
}

/** An object of JSON; anything else has no members. */
export function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
