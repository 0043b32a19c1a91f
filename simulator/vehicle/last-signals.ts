import type { Signals } from '../../protocol/signals.ts';
import { signalsOf } from './sight.ts';
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
    if (this.#signals === undefined || this.#view === undefined || !view.readsLike(this.#view)) {
      this.#signals = signalsOf(view, tow);
      this.#view = view;
    }
    return this.#signals;
  }
}
