import type { Signals } from '../../../protocol/signals.ts';
import type { Tow } from '../surroundings/towing.ts';
import type { VehicleView } from '../vehicle-view.ts';
import { powerOf, signalsOf } from './view-signals.ts';

/**
 * Caches the last signals of a vehicle. A parked one is read again and again for days with the same result,
 * so its signals are not built again.
 */
export class SignalCache {
  #view: VehicleView | undefined;
  #signals: Signals | undefined;

  /** The signals of a view of the vehicle. Never changed in place: two looks may share them. */
  of(view: VehicleView, tow: Tow | undefined): Signals {
    // Those of a vehicle that is not at rest are never the same: keeping them would only take memory.
    if (tow !== undefined || view.journey.segment.engine !== 'off') {
      this.#view = undefined;
      this.#signals = undefined;
      return signalsOf(view, tow);
    }
    const last = this.#view;
    if (this.#signals === undefined || last === undefined || !view.readsLike(last)) {
      this.#signals = signalsOf(view, tow);
    } else if (view.supplyMillivolts !== last.supplyMillivolts) {
      // The battery discharges continuously, by a millivolt per hour.
      this.#signals = { ...this.#signals, power: powerOf(view) };
    } else {
      return this.#signals;
    }
    this.#view = view;
    return this.#signals;
  }
}
