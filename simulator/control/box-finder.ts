import type { Fleet, FleetBox } from '../fleet.ts';

/** Tells the box of a vehicle, from the records of whoever runs both: a vehicle that is on no record has none. */
export type BoxOfVehicle = (vehicleId: string) => Promise<string | undefined>;

/** Finds boxes by their own id, by that of the vehicle for which they were made, or of the one that they are in by now. */
export interface BoxFinder {
  find(id: string): FleetBox | undefined;
  /** Asks for the records where `find` has nothing; afterwards it may. */
  learn(id: string): Promise<void>;
  /** The vehicle that the box is in, as far as it is known here. */
  vehicleIdOf(box: FleetBox): string | undefined;
}

export function makeBoxFinder(fleet: Pick<Fleet, 'boxes'>, boxOfVehicle: BoxOfVehicle): BoxFinder {
  /** Vehicle ids by box id: no more than there are boxes. */
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
