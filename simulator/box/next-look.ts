import type { BoxState } from '../firmware/core/state.ts';
import { lookThresholdsOf } from '../firmware/sampling/look-thresholds.ts';
import type { Vehicle } from '../vehicle/sensing/vehicle-ports.ts';

/**
 * The next necessary look of a box that samples its inputs once a second: looks that cannot find a change
 * are skipped. The result is valid until a look changes the firmware's samples, or the vehicle changes.
 */
export class NextLook {
  #atMs: number | undefined;
  // Its dependencies one by one: a reference to the state would keep all of it in memory.
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
