import type { StoreCall, StoreOutcome } from './port/store-calls.ts';
import type { WakeUp, WakeUpListener } from './port/wake-ups.ts';
import { raisedWakeUp } from './raised-wake-ups.ts';

/** Who listens to what is committed in a store, where all who use it are in this process. */
export interface WakeUpListeners {
  /** Returns what ends it. `except`: what this one commits is not told. */
  listen(listener: WakeUpListener, except?: object): () => void;
  /**
   * These calls were carried out, and what succeeded of them is committed. `by`: who made them; absent: nobody in
   * particular. Listeners are called in a turn of their own.
   */
  committed(calls: readonly StoreCall[], outcomes: readonly StoreOutcome[], by?: object): void;
}

export function makeWakeUpListeners(): WakeUpListeners {
  const listeners = new Map<WakeUpListener, object | undefined>();

  function tell(wakeUp: WakeUp, by: object | undefined): void {
    for (const [listener, except] of listeners) {
      if (by !== undefined && by === except) continue;
      void Promise.resolve().then(() => {
        if (listeners.has(listener)) listener(wakeUp);
      });
    }
  }

  return {
    listen(given, except) {
      // The same function may listen twice.
      const listener: WakeUpListener = (wakeUp) => given(wakeUp);
      listeners.set(listener, except);
      return () => void listeners.delete(listener);
    },
    committed(calls, outcomes, by) {
      if (listeners.size === 0) return;
      for (const [index, call] of calls.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined || !('value' in outcome)) continue;
        const wakeUp = raisedWakeUp(call, outcome.value);
        if (wakeUp !== undefined) tell(wakeUp, by);
      }
    },
  };
}
