import type { BoxLook, BoxProbe } from '../vehicles/box-looks.ts';

/** The effects of a fault: how often, or whether. `unknown`: why it cannot be known, in a sentence. */
export type Effect = number | boolean | { readonly unknown: string };

/** An applied fault. It can be queried, while it is active and afterwards, and removed; either may be asynchronous. */
export interface ActiveFault {
  /** Its effects from its beginning until now, or until it ended. */
  effect(): Effect | Promise<Effect>;
  /** Removes it; a text that it returns, or resolves with, says why it had no effect. */
  end(): string | undefined | Promise<string | undefined>;
}

/** One with synchronous queries and removal. */
export interface SyncFault extends ActiveFault {
  effect(): Effect;
  end(): string | undefined;
}

/** One that has to query other parts. */
export interface AsyncFault extends ActiveFault {
  effect(): Promise<Effect>;
  end(): Promise<string | undefined>;
}

/** Counts effects until it is removed. */
export interface Counting {
  readonly count: () => number;
  readonly remove: () => void;
}

/** Whether it is known that it had no effect. */
export function hadNoEffect(effect: Effect): boolean {
  return effect === 0 || effect === false;
}

/** Returns `missed` at its end if it had no effect. */
export function activeFault(effect: () => Effect, missed: string, undo: () => unknown): SyncFault {
  return {
    effect,
    end() {
      undo();
      return hadNoEffect(effect()) ? missed : undefined;
    },
  };
}

/** It always has an effect. */
export function always(undo: () => unknown = () => undefined): SyncFault {
  return activeFault(() => true, '', undo);
}

/** Its effects are known as soon as it has begun. */
export function immediate(effect: Effect, missed: string, undo: () => unknown = () => undefined): SyncFault {
  return activeFault(() => effect, missed, undo);
}

/** It has had an effect if `count` has grown since before it began. */
export function counted(
  count: () => number,
  missed: string,
  begin: () => (() => unknown) | undefined,
): SyncFault {
  const before = count();
  const undo = begin();
  return activeFault(
    () => count() - before,
    missed,
    () => undo?.(),
  );
}

/** As `counted`, for a fault with its own count. */
export function countedBy({ count, remove }: Counting, missed: string): SyncFault {
  return activeFault(count, missed, remove);
}

/** The sum of several counts, for `counted`. */
export function sumOf(counts: readonly (() => number)[]): () => number {
  return () => counts.reduce((sum, count) => sum + count(), 0);
}

/** Probes boxes while a fault lasts. */
export type ProbeBoxes = (boxIds: readonly string[], probeOf: () => BoxProbe) => BoxLook;

/** As `counted`, where a probe of the boxes shows the effect. */
export function probed(
  probe: ProbeBoxes,
  boxIds: readonly string[],
  probeOf: () => BoxProbe,
  missed: string,
  begin: () => (() => unknown) | undefined,
): SyncFault {
  const look = probe(boxIds, probeOf);
  const undo = begin();
  return activeFault(
    () => look.isMet(),
    missed,
    () => {
      // Before the removal, which is no effect.
      look.stop();
      undo?.();
    },
  );
}

/**
 * As `counted`, where another part has to be queried, which may not answer. It has had an effect once an answer says
 * so; the last query is at its end.
 */
export function queried(ask: () => Promise<Effect>, missed: string, undo: () => unknown): AsyncFault {
  let last: Effect = false;
  let isOver = false;
  const isSettled = (): boolean => isOver || last === true;
  const effect = async (): Promise<Effect> => {
    if (isSettled()) return last;
    const now = await ask().catch(
      (error: unknown): Effect => ({ unknown: `The simulator does not answer: ${error}.` }),
    );
    // Another query may have been answered meanwhile.
    if (!isSettled()) last = now;
    return last;
  };
  return {
    effect,
    async end() {
      const found = await effect();
      isOver = true;
      undo();
      return hadNoEffect(found) ? missed : undefined;
    },
  };
}
