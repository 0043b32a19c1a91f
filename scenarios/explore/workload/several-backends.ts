import type { ScenarioDocument } from '../../language/document/problem.ts';
import { formatSpan, parseSpan } from '../../language/document/quantity.ts';
import { CRASH_POINTS } from '../../language/steps/backend-breaks.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { exploreLimits } from '../../limits.ts';
import { workOfSeveral } from './work-of-several.ts';

const POINTS = Object.keys(CRASH_POINTS);
const PEERS = ['mqtt', 'amqp', 'store'] as const;

/** The breaks of one of several backends: they last, except `restart`. */
const BREAKS_OF_ONE: readonly ((source: RandomSource, which: number) => DrawnPart)[] = [
  (_, which) => ({ crash: { which } }),
  (source) => ({ crash: { point: drawnOne(source, POINTS) } }),
  (_, which) => ({ pause: { which } }),
  (source, which) => ({ cut_off: { from: drawnOne(source, PEERS), which } }),
  (source, which) => ({ wake_ups_lost: source.whole(0, 1) === 0 ? {} : { which } }),
  (source) => ({ wake_ups_late: { by: formatSpan(source.whole(1, exploreLimits.mostWakeUpDelayMs)) } }),
];

/**
 * In some runs several backends share the boxes. The breaks of the only backend apply to one of them, or to all; and
 * while calls are under way one of them dies, is paused, is cut off, or is replaced by a new one. A quiet run stays
 * quiet (service-work.ts).
 */
export function withSeveralBackends(
  source: RandomSource,
  document: ScenarioDocument,
  run: number,
): ScenarioDocument {
  if (source.whole(1, exploreLimits.severalBackendsIn) !== 1) return document;
  if (isLong(document) && source.whole(1, exploreLimits.severalInLongRunsIn) !== 1) return document;
  const backends = source.whole(2, exploreLimits.swarmBackends);
  const steps = (document['steps'] as readonly DrawnPart[]).map((step) => ofOne(source, step, backends));
  const count = run % exploreLimits.quietEvery === 0 ? 0 : source.whole(1, exploreLimits.mostBackendBreaks);
  const aimed = Array.from({ length: count }, () => aimedBreak(source, steps, backends));
  const work = count === 0 ? [] : workOfSeveral(source, backends);
  const fleet = [...(document['fleet'] as readonly DrawnPart[]), ...work.map(({ group }) => group)];
  return { ...document, backends, fleet, steps: [...steps, ...aimed, ...work.flatMap((one) => one.steps)] };
}

function isLong(document: ScenarioDocument): boolean {
  return (document['steps'] as readonly DrawnPart[]).some(
    ({ at }) => (parseSpan(String(at)) ?? 0) > exploreLimits.longRunMs,
  );
}

/** The step for several: each has a session for every partition, so one is cut off in place of a stalled link. */
function ofOne(source: RandomSource, step: DrawnPart, backends: number): DrawnPart {
  const { backend } = (step['break'] ?? {}) as { readonly backend?: DrawnPart | string };
  if (backend === undefined) return step;
  const named = typeof backend === 'string' ? { [backend]: {} } : backend;
  const which = source.whole(1, backends);
  const isOfAll = source.whole(0, 1) === 0;
  if ('half_open' in named || 'stall' in named)
    return { ...step, break: { backend: { cut_off: { from: 'mqtt', which } } } };
  for (const name of ['crash', 'restart']) {
    const settings = named[name] as DrawnPart | undefined;
    if (settings !== undefined && !isOfAll)
      return { ...step, break: { backend: { [name]: { ...settings, which } } } };
  }
  return step;
}

/** The frames that a break is aimed at. */
const AIMED_AT = ['command', 'reply'] as const;

/**
 * A break that begins while a call of these steps is under way, by the clock or with a frame of it, or at a random
 * time if there is none.
 */
function aimedBreak(source: RandomSource, steps: readonly DrawnPart[], backends: number): DrawnPart {
  const timed = steps.filter(({ at, call }) => typeof at === 'string' && call !== undefined);
  const atMs =
    timed.length === 0
      ? source.whole(0, exploreLimits.swarmLongestMs)
      : (parseSpan(String(drawnOne(source, timed)['at'])) ?? 0);
  const begins =
    source.whole(0, 1) === 0
      ? { at: formatSpan(atMs), when: { frame: drawnOne(source, AIMED_AT), of: 'any' } }
      : { at: formatSpan(atMs + source.whole(0, exploreLimits.backendBreakDelayMs)) };
  const which = source.whole(1, backends);
  if (source.whole(1, exploreLimits.restartIn) === 1)
    return { ...begins, break: { backend: { restart: source.whole(0, 1) === 0 ? {} : { which } } } };
  const broken = drawnOne(source, BREAKS_OF_ONE)(source, which);
  return {
    ...begins,
    break: { backend: broken },
    for: formatSpan(source.whole(exploreLimits.backendBreakLeastMs, exploreLimits.backendBreakMostMs)),
  };
}
