import { actuationHindrance } from '../firmware/commands/actuation.ts';
import { mayImmobilize } from '../firmware/commands/immobilizer.ts';
import type { FirmwareEffect } from '../firmware/core/effect.ts';
import type { FirmwareInput } from '../firmware/core/input.ts';
import type { Actuation, Vehicle } from '../vehicle/sensing/vehicle-ports.ts';
import type { BoxWatcher } from './fleet-box.ts';
import type { RoadTiming } from './road-timing.ts';

export interface OutputParts {
  /** As it is now. */
  vehicle(): Vehicle;
  /** The counter of the box's clock, in milliseconds. */
  counterMs(): number;
  watcher(): BoxWatcher | undefined;
  /** The outputs were moved. */
  moved(): void;
  /** The input for the firmware that results, and whether all moved. */
  tell(make: (vehicle: Vehicle) => FirmwareInput, areAllMoved: boolean): void;
  /** Undefined: motors take no time. */
  readonly timing: RoadTiming | undefined;
}

/** Moves the outputs of a box for its firmware, if that is still allowed: the write before may have taken long. */
export class Outputs {
  readonly #parts: OutputParts;

  constructor(parts: OutputParts) {
    this.#parts = parts;
  }

  actuate(effect: Extract<FirmwareEffect, { readonly kind: 'actuate' }>): void {
    const { counterMs, vehicle, tell } = this.#parts;
    const hindrance = actuationHindrance(effect, counterMs(), vehicle().sensors());
    const what = hindrance === undefined ? {} : { hindrance };
    this.#move(effect.actuations, hindrance === undefined, (accepted) =>
      tell((one) => ({ kind: 'actuated', accepted, sensors: one.sensors(), ...what }), accepted),
    );
  }

  immobilize(): void {
    const { vehicle, tell } = this.#parts;
    this.#move([{ set: 'drivingEnabled', to: false }], mayImmobilize(vehicle().sensors()), (accepted) =>
      tell((one) => ({ kind: 'immobilized', accepted, sensors: one.sensors() }), false),
    );
  }

  /** One after the other; after a refused one no further one is tried. With `road` timing it takes a while. */
  #move(actuations: readonly Actuation[], isAllowed: boolean, done: (areAllMoved: boolean) => void): void {
    if (!isAllowed) {
      done(false);
      return;
    }
    const { timing, moved, vehicle, watcher } = this.#parts;
    const move = (): void => {
      moved();
      done(moveOutputs(vehicle(), actuations, watcher()));
    };
    if (timing === undefined) move();
    else timing.afterMotors(actuations, move);
  }
}

/** Moves the outputs, and notifies the watcher of each. True: all have moved. */
function moveOutputs(
  vehicle: Vehicle,
  actuations: readonly Actuation[],
  watcher: BoxWatcher | undefined,
): boolean {
  return actuations.every((actuation) => {
    if (watcher === undefined) return vehicle.actuate(actuation);
    const { set } = actuation;
    const sensors = vehicle.sensors();
    const { speedKph } = sensors;
    const before = set === 'attention' ? undefined : sensors[set];
    const isAccepted = vehicle.actuate(actuation);
    watcher.moved({ part: set, to: actuation.to, before, isAccepted, speedKph });
    return isAccepted;
  });
}
