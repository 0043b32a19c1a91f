import type { VehicleStore } from '../../../../backend/store/port/vehicle-store.ts';
import type { World } from '../../../../world/world.ts';
import { MAKER } from '../names.ts';
import type { PlannedVehicle } from './planned-vehicle.ts';

/** Stores all vehicles and the boxes in stock, as they are before the run begins. */
export async function populate(
  vehicles: readonly PlannedVehicle[],
  store: Pick<VehicleStore, 'save' | 'saveUnit' | 'saveMakerUnit' | 'create'>,
  { crypto, time }: Pick<World, 'crypto' | 'time'>,
): Promise<void> {
  for (const { group, fleetId, boxPlan, carPlan } of vehicles) {
    if (boxPlan !== undefined) {
      const { boxId, generation, sim } = boxPlan;
      const boxSecretHash = crypto.digest(boxPlan.secret);
      const unit = { boxId, fleetId, boxSecretHash, generation, sim };
      if (group.isOnShelf) await store.saveUnit(unit);
      else {
        await store.save({
          ...unit,
          id: boxPlan.vehicleId,
          model: boxPlan.model,
          setupStatus: 'SUCCEEDED',
          masterData: { vin: boxPlan.vin, license_plate: boxPlan.licensePlate },
          tags: [],
          maintenance: group.isMaintained,
          atMs: time.nowMs(),
        });
      }
    } else if (carPlan !== undefined) {
      const link = { name: MAKER.name, vehicleId: carPlan.carId };
      await store.saveMakerUnit({ link, fleetId });
      await store.create({
        id: carPlan.vehicleId,
        fleetId,
        telematics: { maker: link },
        model: carPlan.model,
        setupStatus: 'SUCCEEDED',
        masterData: { vin: carPlan.vin, license_plate: carPlan.licensePlate },
        customFields: {},
        tags: [],
        maintenance: group.isMaintained,
        atMs: time.nowMs(),
      });
    }
  }
}
