import type { StoreCall, StoreOutcome } from './port/store-calls.ts';
import type { WakeUp, WakeUpListener } from './port/wake-ups.ts';
import { raisedWakeUp } from './raised-wake-ups.ts';

/** The listeners for commits of a store that only this process uses. */
export interface WakeUpListeners {
  /** Returns a function that ends it. `except`: its commits are not reported. */
  listen(listener: WakeUpListener, except?: object): () => void;
  /**
   * These calls were made, and the successful ones are committed. `by`: the caller; absent: unknown. Listeners are
   * called in their own turn of the event loop.
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
