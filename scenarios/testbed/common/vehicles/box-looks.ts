import type { BoxState } from '../../../../simulator/firmware/core/state.ts';

/** Whether a fault has met a box, by how its firmware is: asked when the fault begins, and of each step. */
export type BoxProbe = (state: BoxState) => boolean;

/** A look at boxes that goes on until it is stopped. */
export interface BoxLook {
  /** Whether the probe has said yes of any. */
  isMet(): boolean;
  stop(): void;
}

/** Probes that look at boxes, each of which has a key, whenever their firmware has done something. */
export class BoxLooks<Key> {
  readonly #looks = new Map<Key, Set<BoxProbe>>();

  /** The firmware of a box has taken a step. */
  stepped(key: Key, state: BoxState): void {
    if (this.#looks.size > 0) for (const look of this.#looks.get(key) ?? []) look(state);
  }

  /** Whether anybody looks at it. */
  has(key: Key): boolean {
    return this.#looks.has(key);
  }

  /**
   * Asks a probe of each of these boxes now, as they are (`stateOf`; undefined: nobody knows yet), and whenever its
   * firmware has done something, until one says yes or it is stopped.
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
