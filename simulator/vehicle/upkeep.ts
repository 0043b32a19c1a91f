import type { VehicleModel } from '../../protocol/models/model.ts';
import type { Stream } from '../../world/random.ts';
import { type Deed, type Outcome, outcomeOf, type Scene } from './deeds.ts';
import { drawnEquipment, type Equipment } from './equipment.ts';
import { drawnFault } from './faults.ts';
import { readEquipment } from './kept-equipment.ts';
import type { Moment } from './levels.ts';

/** Keeps the equipment of one vehicle, and lets people at it. */
export interface Upkeep {
  readonly equipment: Equipment;
  /** Does the deed to the equipment; what of it is the driver's comes back, or why nothing was done. */
  tend(deed: Deed, scene: Omit<Scene, 'model' | 'equipment' | 'faultAfter'>): Outcome;
}

/** The upkeep of a vehicle as `kept` has it, or anew. `chance`: the vehicle's streams by their purpose. */
export function makeUpkeep(
  chance: (what: string) => Stream,
  model: VehicleModel,
  moment: Moment,
  energy: number,
  kept: unknown,
): Upkeep {
  const fault = (count: number) => chance(`fault/${count}`);
  const drawn = drawnEquipment({ stream: chance('equipment'), fault: fault(0) }, model, moment, energy);
  let equipment = readEquipment(kept, drawn);
  return {
    get equipment() {
      return equipment;
    },
    tend(deed, scene) {
      const faultAfter = (count: number, mileageKm: number) =>
        drawnFault(fault(count), model, count, mileageKm);
      const outcome = outcomeOf(deed, { ...scene, model, equipment, faultAfter });
      if (!('refusal' in outcome)) equipment = outcome.equipment ?? equipment;
      return outcome;
    },
  };
}
