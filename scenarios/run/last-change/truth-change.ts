import { runLimits } from '../../limits.ts';

/** The true state of a vehicle at a moment, with the moment as `atMs` (epoch milliseconds). */
export type TruthAt = Readonly<Record<string, unknown>>;

/** The truths of a span, oldest first, dense enough to miss no act; undefined: its beginning is no longer kept. */
export type TruthsBetween = (fromMs: number, toMs: number) => readonly TruthAt[] | undefined;

/**
 * When a value last changed, epoch milliseconds. `since`: at that time. `beginning`: before the scenario began.
 * `before`: before that time, from which on nothing else is known.
 */
export type Change = { readonly sinceMs: number } | 'beginning' | { readonly beforeMs: number };

/**
 * Searches back from `toMs`, at which `isSame` holds, for the last truth of which it does not hold. The spans grow on
 * the way back, so that a long time costs little; a change that was found is then searched closely. `fromMs`: when
 * the scenario began.
 */
export function changeBefore(
  truthsBetween: TruthsBetween,
  isSame: (truth: TruthAt) => boolean,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Change {
  const earliestMs = Math.max(fromMs, toMs - runLimits.changeSearchMs);
  let knownMs = toMs;
  let spanMs: number = runLimits.changeSpanMs;
  let isAtEdge = false;
  while (knownMs > earliestMs) {
    const beginMs = Math.max(earliestMs, knownMs - spanMs);
    const truths = truthsBetween(beginMs, knownMs);
    if (truths === undefined) {
      // What is kept begins within the span.
      if (spanMs <= runLimits.changeStepMs) break;
      isAtEdge = true;
      spanMs /= 2;
      continue;
    }
    const found = lastOther(truths, isSame, knownMs);
    if (found !== undefined) return { sinceMs: closeTo(found, truthsBetween, isSame) };
    knownMs = beginMs;
    if (!isAtEdge) spanMs *= 2;
  }
  return knownMs > fromMs ? { beforeMs: knownMs } : 'beginning';
}

/** Between the last truth before the change and the first after it. */
interface Gap {
  readonly otherMs: number;
  readonly sinceMs: number;
}

function lastOther(
  truths: readonly TruthAt[],
  isSame: (truth: TruthAt) => boolean,
  endMs: number,
): Gap | undefined {
  const index = truths.findLastIndex((truth) => !isSame(truth));
  const otherMs = truths[index]?.['atMs'];
  if (typeof otherMs !== 'number') return undefined;
  const sinceMs = truths[index + 1]?.['atMs'];
  return { otherMs, sinceMs: typeof sinceMs === 'number' ? sinceMs : endMs };
}

/** While a vehicle moves, the truths of a long span are far apart. */
function closeTo(
  { otherMs, sinceMs }: Gap,
  truthsBetween: TruthsBetween,
  isSame: (truth: TruthAt) => boolean,
): number {
  if (sinceMs - otherMs <= runLimits.changeStepMs) return sinceMs;
  const found = lastOther(truthsBetween(otherMs, sinceMs) ?? [], isSame, sinceMs);
  const isCloser = found !== undefined && found.sinceMs - found.otherMs < sinceMs - otherMs;
  return isCloser ? closeTo(found, truthsBetween, isSame) : sinceMs;
}
