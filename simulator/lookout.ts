import { interestOf } from './firmware/interest.ts';
import type { BoxState } from './firmware/state.ts';
import type { Vehicle } from './vehicle/senses.ts';

/**
 * When a box must really look that looks once a second: looks from which nothing can come are left out. The answer
 * counts until a look changes what the firmware has seen, or something happens to the vehicle.
 */
export class Lookout {
  #atMs: number | undefined;
  #ram:
    | Pick<BoxState['ram'], 'sampler' | 'detection' | 'setup' | 'calibration' | 'leaving' | 'hang'>
    | undefined;
  #configuration: BoxState['flash']['configuration'] | undefined;

  /** Something has happened to the vehicle. */
  forget(): void {
    this.#ram = undefined;
  }

  /** Undefined: at the firmware's own time. */
  nextLookMs({ facts, ram, flash }: BoxState, vehicle: Pick<Vehicle, 'quietUntilMs'>): number | undefined {
    const before = this.#ram;
    const isSame =
      before?.sampler === ram.sampler &&
      before.detection === ram.detection &&
      before.setup === ram.setup &&
      before.calibration === ram.calibration &&
      before.leaving === ram.leaving &&
      before.hang === ram.hang &&
      this.#configuration === flash.configuration;
    if (isSame) return this.#atMs;
    this.#ram = ram;
    this.#configuration = flash.configuration;
    const interest = interestOf({ facts, ram, flash });
    this.#atMs = interest === undefined ? undefined : vehicle.quietUntilMs(interest);
    return this.#atMs;
  }
}
