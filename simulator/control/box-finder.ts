import type { FleetBox } from '../box/fleet-box.ts';
import type { Fleet } from '../fleet/fleet.ts';

/** Looks up the box of a vehicle in the service's records; undefined: the vehicle has no record. */
export type BoxOfVehicle = (vehicleId: string) => Promise<string | undefined>;

/** Finds boxes by their own id, by that of their planned vehicle, or by that of their present one. */
export interface BoxFinder {
  find(id: string): FleetBox | undefined;
  /** Reads the records if `find` does not know the id; afterwards it may. */
  learn(id: string): Promise<void>;
  /** The id of the box's vehicle, if it is known here. */
  vehicleIdOf(box: FleetBox): string | undefined;
}

export function makeBoxFinder(fleet: Pick<Fleet, 'boxes'>, boxOfVehicle: BoxOfVehicle): BoxFinder {
  /** Vehicle ids by box id, at most one per box. */
  const onboarded = new Map<string, string>();
  const planned = (id: string): FleetBox | undefined => {
    const direct = fleet.boxes.get(id.toLowerCase());
    if (direct !== undefined) return direct;
    for (const box of fleet.boxes.values()) if (box.plan.vehicleId === id.toUpperCase()) return box;
    return undefined;
  };
  return {
    find(id) {
      const known = planned(id);
      if (known !== undefined) return known;
      for (const [boxId, vehicleId] of onboarded)
        if (vehicleId === id.toUpperCase()) return fleet.boxes.get(boxId);
      return undefined;
    },
    async learn(id) {
      if (planned(id) !== undefined) return;
      const vehicleId = id.toUpperCase();
      const boxId = await boxOfVehicle(vehicleId);
      for (const [known, other] of onboarded) if (other === vehicleId) onboarded.delete(known);
      if (boxId !== undefined && fleet.boxes.has(boxId)) onboarded.set(boxId, vehicleId);
    },
    vehicleIdOf: ({ plan }) => plan.vehicleId || onboarded.get(plan.boxId),
  };
}
