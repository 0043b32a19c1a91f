import type { Route } from '../routes/route.ts';
import type { Journey } from './driver.ts';
import type { Equipment } from './equipment.ts';
import type { Mechanics } from './mechanics.ts';
import type { VehicleMemory } from './memory.ts';

/** What the memory of a vehicle follows from. */
export interface Remembered {
  readonly journey: Journey;
  readonly mechanics: Mechanics;
  readonly equipment: Equipment;
  readonly startM: number;
  readonly route: Route;
}

/**
 * The memory of a vehicle as it was last put down. Of a parked one nothing that is kept changes by time alone: it stays
 * the same memory until somebody does something, so that it need not be written again.
 */
export class LastMemory {
  #of: Remembered | undefined;
  #memory: (() => VehicleMemory) | undefined;

  /** `memory`, or the one before where that is the same. `isAtRest`: everything is off, and nothing is used or moved. */
  of(now: Remembered, isAtRest: boolean, memory: () => VehicleMemory): () => VehicleMemory {
    const last = this.#of;
    const isSame =
      isAtRest &&
      last?.journey === now.journey &&
      last.mechanics === now.mechanics &&
      last.equipment === now.equipment &&
      last.startM === now.startM &&
      last.route === now.route;
    if (isSame && this.#memory !== undefined) return this.#memory;
    this.#of = isAtRest ? now : undefined;
    this.#memory = memory;
    return memory;
  }
}
