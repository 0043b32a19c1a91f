import type { VehicleModel } from '../../../protocol/models/model.ts';
import type { Stream } from '../../../world/random/random.ts';
import { drawnEquipment, type Equipment } from './equipment.ts';
import type { TimeAndMileage } from './levels.ts';
import { readEquipment } from './saved-equipment.ts';
import { drawnFault } from './trouble-codes.ts';
import {
  type OperationContext,
  type OperationResult,
  operationResult,
  type VehicleOperation,
} from './vehicle-operations.ts';

/** The equipment of one vehicle, and the operations on it. */
export class Maintenance {
  readonly #chance: (what: string) => Stream;
  readonly #model: VehicleModel;
  #equipment: Equipment;

  /** Restored from `kept` or new. `chance`: the vehicle's random streams by purpose. */
  constructor(
    chance: (what: string) => Stream,
    model: VehicleModel,
    moment: TimeAndMileage,
    energy: number,
    kept: unknown,
  ) {
    this.#chance = chance;
    this.#model = model;
    const drawn = drawnEquipment(
      { stream: chance('equipment'), fault: this.#fault(0) },
      model,
      moment,
      energy,
    );
    this.#equipment = readEquipment(kept, drawn);
  }

  get equipment(): Equipment {
    return this.#equipment;
  }

  /**
   * Carries out an operation on the equipment. Returns the part of it that is the driver's, or why nothing
   * was done.
   */
  operate(
    operation: VehicleOperation,
    context: Omit<OperationContext, 'model' | 'equipment' | 'faultAfter'>,
  ): OperationResult {
    const model = this.#model;
    const faultAfter = (count: number, mileageKm: number) =>
      drawnFault(this.#fault(count), model, count, mileageKm);
    const result = operationResult(operation, { ...context, model, equipment: this.#equipment, faultAfter });
    if (!('refusal' in result)) this.#equipment = result.equipment ?? this.#equipment;
    return result;
  }

  #fault(count: number): Stream {
    return this.#chance(`fault/${count}`);
  }
}
