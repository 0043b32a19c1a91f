import type { BoxState } from '../../../../simulator/firmware/core/state.ts';

/** Whether a fault has affected a box, by its firmware state: called when the fault begins, and after each step. */
export type BoxProbe = (state: BoxState) => boolean;

/** A probe of boxes that runs until it is stopped. */
export interface BoxLook {
  /** Whether the probe has returned true for any. */
  isMet(): boolean;
  stop(): void;
}

/** Probes of boxes, which have keys: each runs whenever their firmware has taken a step. */
export class BoxLooks<Key> {
  readonly #looks = new Map<Key, Set<BoxProbe>>();

  /** The firmware of a box has taken a step. */
  stepped(key: Key, state: BoxState): void {
    if (this.#looks.size > 0) for (const look of this.#looks.get(key) ?? []) look(state);
  }

  /** Whether any probe watches it. */
  has(key: Key): boolean {
    return this.#looks.has(key);
  }

  /**
   * Runs a probe of each of these boxes now (`stateOf`; undefined: not known yet), and after each step of its
   * firmware, until one returns true or it is stopped.
   */
  begin(keys: readonly Key[], probeOf: () => BoxProbe, stateOf: (key: Key) => BoxState | undefined): BoxLook {
    let isMet = false;
    const looks = keys.map((key) => {
      const probe = probeOf();
      const look: BoxProbe = (state) => {
        if (!isMet && probe(state)) isMet = true;
        return isMet;
      };
      const state = stateOf(key);
      if (state !== undefined) look(state);
      this.#looks.set(key, (this.#looks.get(key) ?? new Set<BoxProbe>()).add(look));
      return { key, look };
    });
    return {
      isMet: () => isMet,
      stop: () => {
        for (const { key, look } of looks) {
          const of = this.#looks.get(key);
          of?.delete(look);
          if (of?.size === 0) this.#looks.delete(key);
        }
      },
    };
  }
}
