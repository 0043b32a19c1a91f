import { PROPERTIES, type PropertyName, type PropertyRow } from '../contract/properties.ts';
import { counted } from '../judge/wording.ts';
import type { VehicleViews } from './vehicle.ts';

/** One line of a comparison: a name, and what vehicle, box and service have for it. */
type Line = readonly [name: string, vehicle: string, box: string, service: string];

/** What is compared of every vehicle. */
const USUAL: readonly PropertyName[] = ['central_lock', 'ignition', 'doors_status', 'speed_in_kph'];

/**
 * Vehicle, box and service side by side, and why they differ: what a failed expectation shows. `properties`: those of
 * the vehicle state that it was about.
 */
export function viewsText(views: VehicleViews, properties: readonly string[] = USUAL): string {
  const { truth, belief } = views.box;
  const rows: readonly Line[] = [
    ['', 'vehicle', 'box', 'service'],
    ...properties.map((name) => propertyLine(name, views)),
    [
      'connection',
      truth.hasCoverage ? 'coverage' : 'no coverage',
      belief.session === 'ready' ? 'connected' : `not connected (${belief.power}, session ${belief.session})`,
      views.service?.life_status.value ?? 'no vehicle',
    ],
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    `  ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('   ')}`.trimEnd(),
  );
  const reasons = reasonsOf(views);
  return [...table, ...(reasons.length === 0 ? [] : ['', ...reasons.map((reason) => `  ${reason}`)])].join(
    '\n',
  );
}

/** Why the service may not know what is true, and what to do about it: sentences. */
export function reasonsOf({ box, service, atMs }: VehicleViews): readonly string[] {
  const { truth, belief } = box;
  const reasons: string[] = [];
  if (service === undefined)
    reasons.push(
      'The box is in no vehicle record: POST /vehicles puts one around it, and it sends nothing before.',
    );
  else if (service.setup_status !== 'SUCCEEDED')
    reasons.push(
      `The vehicle is not set up (setup_status ${service.setup_status}): it takes no commands and sends nothing until it is.`,
    );
  if (belief.session !== 'ready')
    reasons.push(`The box is not connected: ${connectionReason(truth, belief)}.`);
  if (belief.journal.awaitingReceipt > 0)
    reasons.push(
      `The box has sent ${counted(belief.journal.awaitingReceipt, 'record')} that the service has not acknowledged yet.`,
    );
  if (reasons.length > 0) return reasons;
  const newest = Object.values(service?.latest_vehicle_state ?? {})
    .map((one) => Date.parse((one as { readonly timestamp: string }).timestamp))
    .reduce((last, at) => Math.max(last, at), 0);
  if (newest === 0)
    return ['The service has no report of the vehicle yet; the command request-vehicle-state asks for one.'];
  const ageS = Math.max(0, Math.round((atMs - newest) / 1_000));
  return [
    `The last report of the vehicle is ${ageS} s old; the command request-vehicle-state asks for another.`,
  ];
}

function connectionReason(
  truth: VehicleViews['box']['truth'],
  belief: VehicleViews['box']['belief'],
): string {
  if (belief.power !== 'up')
    return `its power is ${belief.power}, and its supply ${truth.supplyMillivolts / 1_000} V`;
  if (belief.sim !== 'active') return `its SIM card is ${belief.sim}`;
  if (!truth.hasCoverage) return 'there is no radio coverage';
  return `its modem is ${belief.modem}, its session ${belief.session}`;
}

function propertyLine(name: string, { box, service, atMs }: VehicleViews): Line {
  const row = Object.hasOwn(PROPERTIES, name) ? (PROPERTIES[name as PropertyName] as PropertyRow) : undefined;
  const quantity = row !== undefined && 'of' in row ? row.of : undefined;
  const truth = quantity === undefined ? undefined : valueIn(box.truth, quantity);
  const seen = quantity === undefined ? undefined : valueIn(box.belief.seen ?? {}, quantity);
  const known = (service?.latest_vehicle_state as Readonly<Record<string, Known>> | undefined)?.[name];
  return [
    name,
    quantity === undefined ? '-' : truth === undefined ? `no such part (${box.model})` : wordOf(row, truth),
    seen === undefined ? '-' : wordOf(row, seen),
    known === undefined
      ? 'no value'
      : `${textOf(known.value)} (${Math.max(0, Math.round((atMs - Date.parse(known.timestamp)) / 1_000))} s ago)`,
  ];
}

interface Known {
  readonly timestamp: string;
  readonly value: unknown;
}

function valueIn(map: object, name: string): unknown {
  return (map as Readonly<Record<string, unknown>>)[name];
}

/** A switch in the word of its property: `LOCKED` for true. */
function wordOf(row: PropertyRow | undefined, value: unknown): string {
  if (row?.shape === 'word' && typeof value === 'boolean') return value ? row.yes : row.no;
  return textOf(value);
}

export function textOf(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value * 100) / 100);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
