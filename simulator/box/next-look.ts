import type { BoxState } from '../firmware/core/state.ts';
import { lookThresholdsOf } from '../firmware/sampling/look-thresholds.ts';
import type { Vehicle } from '../vehicle/sensing/vehicle-ports.ts';

/**
 * When a box that looks at its inputs once a second must really look: looks that cannot find a change are
 * skipped. The result is valid until a look changes what the firmware has seen, or the vehicle changes.
 */
export class NextLook {
  #atMs: number | undefined;
  // What it depends on, one by one: the whole of a past state would be kept with it.
  #sampler: BoxState['ram']['sampler'] | undefined;
  #detection: BoxState['ram']['detection'] | undefined;
  #setup: BoxState['ram']['setup'];
  #calibration: BoxState['ram']['calibration'];
  #goingOffline: BoxState['ram']['goingOffline'];
  #hang: BoxState['ram']['hang'];
  #configuration: BoxState['flash']['configuration'] | undefined;

  /** Call it when the vehicle has changed. */
  invalidate(): void {
    this.#sampler = undefined;
  }

  /** Undefined: at the firmware's own time. */
  dueMs(
    { facts, ram, flash }: BoxState,
    vehicle: Pick<Vehicle, 'nextSignificantLookMs'>,
  ): number | undefined {
    const isSame =
      this.#sampler === ram.sampler &&
      this.#detection === ram.detection &&
      this.#setup === ram.setup &&
      this.#calibration === ram.calibration &&
      this.#goingOffline === ram.goingOffline &&
      this.#hang === ram.hang &&
      this.#configuration === flash.configuration;
    if (isSame) return this.#atMs;
    this.#sampler = ram.sampler;
    this.#detection = ram.detection;
    this.#setup = ram.setup;
    this.#calibration = ram.calibration;
    this.#goingOffline = ram.goingOffline;
    this.#hang = ram.hang;
    this.#configuration = flash.configuration;
    const thresholds = lookThresholdsOf({ facts, ram, flash });
    this.#atMs = thresholds === undefined ? undefined : vehicle.nextSignificantLookMs(thresholds);
    return this.#atMs;
  }
}
