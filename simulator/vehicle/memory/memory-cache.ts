import type { Route } from '../../routes/route.ts';
import type { Journey } from '../driving/journey.ts';
import type { Mechanics } from '../driving/mechanics.ts';
import type { Equipment } from '../equipment/equipment.ts';
import type { VehicleMemory } from './memory.ts';

/** The state that determines the memory of a vehicle. */
export interface MemorySource {
  readonly journey: Journey;
  readonly mechanics: Mechanics;
  readonly equipment: Equipment;
  readonly startM: number;
  readonly route: Route;
}

/**
 * Caches the last memory of a vehicle. For a parked one nothing stored changes with time alone: the memory
 * stays the same until something is done, so that it need not be written again.
 */
export class MemoryCache {
  #of: MemorySource | undefined;
  #memory: (() => VehicleMemory) | undefined;

  /**
   * `memory`, or the previous one if it is the same. `isAtRest`: everything is off, and nothing is used or
   * moved.
   */
  of(now: MemorySource, isAtRest: boolean, memory: () => VehicleMemory): () => VehicleMemory {
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
