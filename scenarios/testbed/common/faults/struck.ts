import type { BoxLook, BoxProbe } from '../vehicles/box-looks.ts';

/** What a fault has met: how often, or whether. `unknown`: why nobody can know, in a sentence. */
export type Met = number | boolean | { readonly unknown: string };

/** A fault that was begun. It can be asked, while it is in force and afterwards, and taken back; either may take its time. */
export interface AnyLaid {
  /** What it has met from its beginning until now, or until it ended. */
  met(): Met | Promise<Met>;
  /** Takes it back; a text that it returns, or resolves with, says why it has never struck. */
  end(): string | undefined | Promise<string | undefined>;
}

/** One that knows at once, and is taken back at once. */
export interface Laid extends AnyLaid {
  met(): Met;
  end(): string | undefined;
}

/** One that has to ask others. */
export interface AskingLaid extends AnyLaid {
  met(): Promise<Met>;
  end(): Promise<string | undefined>;
}

/** Something that counts what it meets until it is removed. */
export interface Counting {
  readonly count: () => number;
  readonly remove: () => void;
}

/** Whether it is known that it has met nothing. */
export function isNothing(met: Met): boolean {
  return met === 0 || met === false;
}

/** Says `missed` at its end where `met` is nothing then. */
export function laid(met: () => Met, missed: string, undo: () => unknown): Laid {
  return {
    met,
    end() {
      undo();
      return isNothing(met()) ? missed : undefined;
    },
  };
}

/** It strikes whenever it is there. */
export function always(undo: () => unknown = () => undefined): Laid {
  return laid(() => true, '', undo);
}

/** What it meets is known as soon as it has begun. */
export function atOnce(met: Met, missed: string, undo: () => unknown = () => undefined): Laid {
  return laid(() => met, missed, undo);
}

/** It has struck where `count` has grown since before it began. */
export function counted(count: () => number, missed: string, begin: () => (() => unknown) | undefined): Laid {
  const before = count();
  const undo = begin();
  return laid(
    () => count() - before,
    missed,
    () => undo?.(),
  );
}

/** As `counted`, where what was begun counts by itself. */
export function countedBy({ count, remove }: Counting, missed: string): Laid {
  return laid(count, missed, remove);
}

/** As `counted`, of several counts: it has struck where any of them has grown. */
export function sumOf(counts: readonly (() => number)[]): () => number {
  return () => counts.reduce((sum, count) => sum + count(), 0);
}

/** Looks at boxes while a fault lasts. */
export type ProbeBoxes = (boxIds: readonly string[], probeOf: () => BoxProbe) => BoxLook;

/** As `counted`, where a look at the boxes tells. */
export function probed(
  probe: ProbeBoxes,
  boxIds: readonly string[],
  probeOf: () => BoxProbe,
  missed: string,
  begin: () => (() => unknown) | undefined,
): Laid {
  const look = probe(boxIds, probeOf);
  const undo = begin();
  return laid(
    () => look.isMet(),
    missed,
    () => {
      // Before it is taken back: that is no strike.
      look.stop();
      undo?.();
    },
  );
}

/**
 * As `counted`, where somebody has to be asked, who may not answer. It has struck once an answer has said so; at the
 * latest it is asked when it ends.
 */
export function asked(ask: () => Promise<Met>, missed: string, undo: () => unknown): AskingLaid {
  let last: Met = false;
  let isOver = false;
  const isSettled = (): boolean => isOver || last === true;
  const met = async (): Promise<Met> => {
    if (isSettled()) return last;
    const now = await ask().catch((error: unknown): Met => ({ unknown: `Nobody could be asked: ${error}.` }));
    // Another question may have been answered meanwhile.
    if (!isSettled()) last = now;
    return last;
  };
  return {
    met,
    async end() {
      const found = await met();
      isOver = true;
      undo();
      return isNothing(found) ? missed : undefined;
    },
  };
}
