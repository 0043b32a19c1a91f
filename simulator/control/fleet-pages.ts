import { z } from 'zod';
import type { FleetBox } from '../box/fleet-box.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { ControlRefusal } from '../http/refusal.ts';
import { controlLimits } from '../limits.ts';

const paging = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(controlLimits.mostBoxesPerPage)
    .default(controlLimits.boxesPerPage),
  after: z.string().optional(),
});

/** Boxes in the order of their ids, and the link to the next page, if any: `{ next: '/fleet?limit=100&after=…' }`. */
export interface FleetPage {
  readonly boxes: readonly FleetBox[];
  readonly next: { readonly next?: string };
}

/**
 * Reads pages of the fleet: `?limit=100&after=<box id>`. The ids are sorted once for as long as there are as many boxes:
 * a client that watches a large fleet polls pages continuously.
 */
export function makeFleetPages(
  fleet: Pick<Fleet, 'boxes'>,
): (path: string, query: Readonly<Record<string, string>>) => FleetPage | ControlRefusal {
  let sorted: readonly string[] = [];
  const ids = () => {
    if (sorted.length !== fleet.boxes.size) sorted = [...fleet.boxes.keys()].sort();
    return sorted;
  };
  return (path, query) => {
    const parsed = paging.safeParse(query);
    if (!parsed.success)
      return { status: 400, detail: `limit: a whole number from 1 to ${controlLimits.mostBoxesPerPage}.` };
    const { limit, after } = parsed.data;
    const from = after === undefined ? 0 : firstBehind(ids(), after);
    const page = ids().slice(from, from + limit);
    const last = page.at(-1);
    const isMore = from + page.length < ids().length && last !== undefined;
    return {
      boxes: page.flatMap((id) => fleet.boxes.get(id) ?? []),
      next: isMore ? { next: `${path}?limit=${limit}&after=${last}` } : {},
    };
  };
}

/** The index of the first id after `after`. */
function firstBehind(ids: readonly string[], after: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? '') <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A summary of a vehicle, for lists and maps: its true position, and the status of its box. */
export interface VehicleSummary {
  readonly boxId: string;
  readonly vehicleId: string | null;
  readonly model: string;
  readonly licensePlate: string;
  readonly firmware: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly headingDegrees: number;
  readonly speedKph: number;
  readonly ignitionOn: boolean;
  readonly hasCoverage: boolean;
  readonly session: 'off' | 'offline' | 'connecting' | 'connected' | 'ready';
  readonly heldRecords: number;
}

/** Places to a metre and a bit (five decimals of a degree), speeds to a tenth of a km/h. */
export function vehicleSummary(box: FleetBox, vehicleId: string | undefined): VehicleSummary {
  const { boxId, model, licensePlate } = box.plan;
  const { firmware, session, heldRecords } = box.status();
  const truth = box.truth();
  const number = (name: string, digits: number) => Number(Number(truth[name] ?? 0).toFixed(digits));
  return {
    boxId,
    vehicleId: vehicleId ?? null,
    model,
    licensePlate,
    firmware: firmware.join('.'),
    latitude: number('latitude', 5),
    longitude: number('longitude', 5),
    headingDegrees: number('headingDegrees', 0),
    speedKph: number('speedKph', 1),
    ignitionOn: truth['ignitionOn'] === true,
    hasCoverage: truth['hasCoverage'] === true,
    session,
    heldRecords,
  };
}
