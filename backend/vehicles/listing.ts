import { LIMITS } from '../../contract/limits.ts';
import { httpLimits } from '../base/limits.ts';
import type { ListedVehicle } from '../store/port/stored-vehicle.ts';
import type { VehicleStore } from '../store/port/vehicle-store.ts';

export interface ListQuery {
  readonly fleetId: string;
  readonly limit: number;
  readonly afterId: string | undefined;
  readonly search: string | undefined;
  readonly tag: string | undefined;
  readonly operationStatus: ListedVehicle['operationStatus']['value'] | undefined;
  /** A filter that the store cannot apply because it depends on the current time. */
  readonly accepts: ((vehicle: ListedVehicle) => boolean) | undefined;
}

export interface Page {
  readonly vehicles: readonly ListedVehicle[];
  /** Where the next page begins; undefined after the last one. */
  readonly nextAfterId: string | undefined;
}

/**
 * One page of a fleet's vehicles by id. With a filter that the store cannot apply, it reads further, a
 * bounded number of times: the page may then be short, and still have a next one. Rejects if the store fails.
 */
export async function listVehicles(store: Pick<VehicleStore, 'list'>, query: ListQuery): Promise<Page> {
  const { accepts, limit, ...rest } = query;
  const accepted: ListedVehicle[] = [];
  let afterId = query.afterId;
  for (let round = 0; round < httpLimits.pageRounds; round += 1) {
    // One more than wanted shows whether there is a next page.
    const rowLimit = accepts === undefined ? limit + 1 : LIMITS.page.maximum;
    const rows = await store.list({ ...rest, afterId, limit: rowLimit });
    for (const row of rows) {
      if (accepts !== undefined && !accepts(row)) continue;
      if (accepted.length === limit) return { vehicles: accepted, nextAfterId: accepted.at(-1)?.id };
      accepted.push(row);
    }
    if (rows.length < rowLimit) return { vehicles: accepted, nextAfterId: undefined };
    afterId = rows.at(-1)?.id;
  }
  return { vehicles: accepted, nextAfterId: afterId };
}
