import type { AnsweredCall } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { idIn } from './access-rules.ts';

/** A vehicle of a list, as far as it is read here. */
interface ListedVehicle {
  readonly id?: unknown;
  readonly telematics_unit?: { readonly id?: unknown } | null;
  readonly master_data?: Readonly<Record<string, unknown>>;
  readonly tags?: unknown;
  readonly operation_status?: { readonly value?: unknown };
  readonly rental_status?: { readonly value?: unknown };
  readonly life_status?: { readonly value?: unknown };
}

/** The condition of each filter (docs/api.md, Vehicles). */
const FILTERS: Readonly<Record<string, (item: ListedVehicle, wanted: string) => boolean>> = {
  // Only what its reader sees: a text that is not in the answer could be guessed letter by letter. A maker's vehicle is
  // also found by the maker's id, which no answer contains.
  q: ({ id, telematics_unit: unit, master_data: master }, wanted) =>
    unit === null ||
    [id, unit?.id, master?.['vin'], master?.['license_plate'], master?.['custom_name']].some((text) =>
      String(text ?? '')
        .toLowerCase()
        .includes(wanted.toLowerCase()),
    ),
  tag: ({ tags }, wanted) => Array.isArray(tags) && tags.includes(wanted),
  operation_status: ({ operation_status: status }, wanted) => status?.value === wanted,
  life_status: ({ life_status: status }, wanted) => status?.value === wanted,
};
const PAGING: ReadonlySet<string> = new Set(['limit', 'page_token']);

/**
 * The errors of a list of vehicles: one that does not match its filter, a duplicate, more than were requested, or, in a
 * list of all, a missing one of the fleet.
 */
export function* listFaults(
  { method, path, status, body, askedMs, answeredMs }: AnsweredCall,
  fleetId: string | undefined,
  vehicles: readonly SimulatedVehicle[],
  calls: readonly AnsweredCall[],
): Generator<string> {
  const [plain, query = ''] = path.split('?', 2);
  const { items, next_page_token: next } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (method !== 'GET' || plain !== '/vehicles' || status !== 200 || !Array.isArray(items)) return;
  const asked = [...new URLSearchParams(query)];
  const listed = items as readonly ListedVehicle[];
  for (const [name, wanted] of asked)
    for (const item of listed)
      if (FILTERS[name]?.(item, wanted) === false) yield `${path}: ${String(item.id)} is not so`;
  const ids = listed.map(({ id }) => String(id));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) yield `${path}: ${twice} is in it twice`;
  const limit = Number(new URLSearchParams(query).get('limit') ?? Number.POSITIVE_INFINITY);
  if (limit > 0 && ids.length > limit) yield `${path}: it has ${ids.length} vehicles`;
  const isOfAll = asked.every(([name]) => PAGING.has(name)) && !query.includes('page_token');
  if (!isOfAll || next !== undefined) return;
  for (const vehicle of vehicles) {
    const { vehicleId, group } = vehicle;
    if (vehicle.fleetId !== fleetId || vehicleId === '' || group.isOnShelf || ids.includes(vehicleId))
      continue;
    // A box that changed vehicles had another record before, and the time of a deletion is uncertain.
    const mayBeGone = calls.some(
      (one) =>
        (one.method === 'DELETE' && one.path === `/vehicles/${vehicleId}` && one.askedMs <= answeredMs) ||
        (one.method === 'POST' &&
          one.path === '/vehicles' &&
          one.answeredMs >= askedMs &&
          one.vehicle?.number === vehicle.number) ||
        (idIn(one.body) === vehicleId && one.status === 201 && one.answeredMs >= askedMs),
    );
    if (!mayBeGone) yield `${path}: ${vehicleId} of the fleet is missing`;
  }
}
