import { limits } from '../limits.ts';

/** The true state of a vehicle at a moment, with the moment as `atMs` (epoch milliseconds). */
export type TruthAt = Readonly<Record<string, unknown>>;

/** The truths of a span, oldest first, so many that no act is missed; undefined: its beginning is no longer kept. */
export type TruthsBetween = (fromMs: number, toMs: number) => readonly TruthAt[] | undefined;

/**
 * When a value became as it is, epoch milliseconds. `since`: at that time. `beginning`: it was so when the scenario began.
 * `before`: before that time, from which on nothing else is known.
 */
export type Change = { readonly sinceMs: number } | 'beginning' | { readonly beforeMs: number };

/**
 * Looks back from `toMs`, at which `isSame` holds, for the last truth of which it does not hold. The spans grow on the way
 * back, so that a long time costs little; a change that was found is then looked at closely. `fromMs`: when the scenario
 * began.
 */
export function changeBefore(
  truthsBetween: TruthsBetween,
  isSame: (truth: TruthAt) => boolean,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Change {
  const earliestMs = Math.max(fromMs, toMs - limits.changeSearchMs);
  let knownMs = toMs;
  let spanMs: number = limits.changeSpanMs;
  let isAtEdge = false;
  while (knownMs > earliestMs) {
    const beginMs = Math.max(earliestMs, knownMs - spanMs);
    const truths = truthsBetween(beginMs, knownMs);
    if (truths === undefined) {
      // What is kept begins within the span.
      if (spanMs <= limits.changeStepMs) break;
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

/** Between the last truth that was otherwise and the first that was not. */
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

/** While a vehicle moves, the truths of a long span lie far apart. */
function closeTo(
  { otherMs, sinceMs }: Gap,
  truthsBetween: TruthsBetween,
  isSame: (truth: TruthAt) => boolean,
): number {
  if (sinceMs - otherMs <= limits.changeStepMs) return sinceMs;
  const found = lastOther(truthsBetween(otherMs, sinceMs) ?? [], isSame, sinceMs);
  const isCloser = found !== undefined && found.sinceMs - found.otherMs < sinceMs - otherMs;
  return isCloser ? closeTo(found, truthsBetween, isSame) : sinceMs;
}
