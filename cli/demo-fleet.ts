import { registerClient } from '../backend/access/clients.ts';
import { PERMISSIONS } from '../backend/access/permissions.ts';
import type { Store } from '../backend/store/store.ts';
import { MODELS } from '../protocol/models/models.ts';
import type { BoxPlan } from '../simulator/fleet.ts';
import type { World } from '../world/world.ts';
import type { Identity } from './data-directory.ts';

/**
 * Makes the store know the fleet that `up` runs: its client with every permission, and a vehicle set up for each plan.
 * What is there already stays as it is, so that a restart goes on.
 */
export async function onboardFleet(
  store: Store,
  world: Pick<World, 'seal' | 'mint' | 'time'>,
  identity: Identity,
  plans: readonly BoxPlan[],
): Promise<void> {
  if ((await store.access.findClient(identity.client_id)) === undefined) {
    await store.access.saveFleet({ id: identity.fleet_id, name: 'Demo' });
    await registerClient(store.access, world, {
      fleetId: identity.fleet_id,
      permissions: PERMISSIONS.map((row) => row.name),
      id: identity.client_id,
      secret: identity.client_secret,
    });
  }
  for (const plan of plans) {
    if ((await store.vehicles.find(plan.vehicleId)) !== undefined) continue;
    await store.vehicles.save({
      id: plan.vehicleId,
      fleetId: identity.fleet_id,
      boxId: plan.boxId,
      boxSecretHash: world.seal.digest(plan.secret),
      generation: plan.generation,
      model: plan.model,
      setupStatus: 'SUCCEEDED',
      masterData: masterData(plan),
      tags: ['demo'],
      atMs: world.time.nowMs(),
    });
  }
}

function masterData(plan: BoxPlan): Record<string, string | number | null> {
  const model = MODELS.get(plan.model);
  return {
    vin: plan.vin,
    license_plate: plan.licensePlate,
    brand: model?.brand ?? null,
    model: model?.series ?? null,
    fuel_type: model?.fuelType ?? null,
    vehicle_type: model?.vehicleType ?? null,
  };
}
