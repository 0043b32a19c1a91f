import type { Signals } from '../../protocol/signals.ts';
import { powerOf, signalsOf } from './sight.ts';
import type { Tow } from './towing.ts';
import type { View } from './view.ts';

/**
 * The signals that were read of a vehicle last. A parked one is read again and again, for days, and says the same each
 * time: then they are not put together anew.
 */
export class LastSignals {
  #view: View | undefined;
  #signals: Signals | undefined;

  /** The signals of a view of the vehicle. Never changed in place: two looks may share them. */
  of(view: View, tow: Tow | undefined): Signals {
    if (tow !== undefined) return signalsOf(view, tow);
    const last = this.#view;
    if (this.#signals === undefined || last === undefined || !view.readsLike(last)) {
      this.#signals = signalsOf(view, tow);
    } else if (view.supplyMillivolts !== last.supplyMillivolts) {
      // The battery sinks all the time, and by a millivolt each hour.
      this.#signals = { ...this.#signals, power: powerOf(view) };
    } else {
      return this.#signals;
    }
    this.#view = view;
    return this.#signals;
  }
}
