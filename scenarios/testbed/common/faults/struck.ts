import type { BoxProbe } from '../vehicles/box-watch.ts';

/** Takes a fault back; a text that it returns says why it has never struck. */
export type Undo = () => unknown;

/**
 * Begins a fault, and takes it back: the returned function says `missed` where `count` has not grown from before it began
 * until after it ended.
 */
export function counted(
  count: () => number,
  missed: string,
  begin: () => Undo | undefined,
): () => string | undefined {
  const before = count();
  const undo = begin();
  return () => {
    undo?.();
    return count() > before ? undefined : missed;
  };
}

/** As `counted`, of several counts: it has struck where any of them has grown. */
export function sumOf(counts: readonly (() => number)[]): () => number {
  return () => counts.reduce((sum, count) => sum + count(), 0);
}

/** Looks at boxes while a fault lasts; what it returns ends that, and returns whether the probe said yes of any. */
export type ProbeBoxes = (boxIds: readonly string[], probeOf: () => BoxProbe) => () => boolean;

/** As `counted`, where a look at the boxes tells; without `probe` nobody can look, and nothing is told. */
export function probed(
  probe: ProbeBoxes | undefined,
  boxIds: readonly string[],
  probeOf: () => BoxProbe,
  missed: string,
  begin: () => Undo | undefined,
): () => string | undefined {
  const stop = probe?.(boxIds, probeOf);
  const undo = begin();
  return () => {
    // Before it is taken back: that is no strike.
    const isMet = stop?.() ?? true;
    undo?.();
    return isMet ? undefined : missed;
  };
}
