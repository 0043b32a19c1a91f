import type { ScenarioDocument } from '../../language/document/problem.ts';
import { formatSpan } from '../../language/document/quantity.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { exploreLimits } from '../../limits.ts';
import type { TimedStep } from './operation.ts';

/** Work, with breaks of backends, that tests one promise of several backends. */
interface BackendRow {
  readonly does: string;
  /** Its own vehicles, as a group of the fleet. */
  readonly group: (source: RandomSource) => DrawnPart;
  /** `backends`: how many there are. */
  draw(
    source: RandomSource,
    context: { readonly atMs: number; readonly on: DrawnPart; readonly backends: number },
  ): readonly TimedStep[];
}

const span = (source: RandomSource, leastMs: number, mostMs: number): string =>
  formatSpan(source.whole(leastMs, mostMs));
const slow = (byMs: number): DrawnPart => ({ break: { store: { slow: { by: formatSpan(byMs) } } } });

/** Each in some of the runs with several backends. */
export const AIMED_AT_BACKENDS: readonly BackendRow[] = [
  {
    does: 'Vehicles wait for their setup until their boxes are connected again, and all backends but one or more die while the store is slow to list them; the vehicles are checked later.',
    group: () => ({ as: 'waiting', count: 3, on_shelf: true }),
    draw(source, { atMs, on, backends }) {
      const backMs = atMs + source.whole(10_000, 18_000);
      const slowMs = source.whole(1_000, 2_500);
      // The survivor takes everything over.
      const lives = source.whole(1, backends);
      const dying = Array.from({ length: backends }, (_, index) => index + 1).filter(
        (which) => which !== lives && (backends === 2 || source.whole(0, 3) > 0),
      );
      // The ready takes one commit, what waits for it a poll and another commit.
      const delay = span(source, Math.round(1.8 * slowMs), Math.round(3.2 * slowMs));
      const lasts = span(source, 150_000, 220_000);
      return [
        {
          atMs: atMs - 8_000,
          step: { ...on, weather: { coverage: 'none' }, for: formatSpan(backMs - atMs + 8_000) },
        },
        { atMs, step: { ...on, call: { onboard: {} } } },
        { atMs: backMs - 4_000, step: { ...slow(slowMs), for: formatSpan(10_000 + 4 * slowMs) } },
        ...dying.map((which) => ({
          atMs: backMs - 1_000,
          step: {
            ...on,
            when: { session: 'ready' },
            delay,
            break: { backend: { crash: { which } } },
            for: lasts,
          },
        })),
        ...[140_000, 152_000, 164_000].map((afterMs) => ({
          atMs: atMs + afterMs,
          step: { ...on, call: { get: '/vehicles/{vehicle}' } },
        })),
      ];
    },
  },
  {
    does: 'Vehicles report each few seconds, the store is slow or not, and one backend after the other is paused for about as long as a lease lasts or longer; sometimes the exchange confirms nothing just before, so that messages wait.',
    group: (source) => ({
      as: 'reporting',
      count: 2,
      driving: true,
      features: { tracking: { time_interval_in_seconds: source.whole(2, 4) } },
    }),
    draw(source, { atMs, backends }) {
      const slowMs = source.whole(0, 1) === 0 ? 0 : source.whole(500, 3_000);
      const count = source.whole(2, 3);
      const rounds = Array.from({ length: count }, (_, round): readonly TimedStep[] => {
        const pauseMs = atMs + 10_000 + round * 45_000 + source.whole(0, 3_000);
        const blockedMs = pauseMs - source.whole(500, 3_000);
        const blocked: TimedStep = {
          atMs: blockedMs,
          step: {
            break: { exchange: { blocked: {} } },
            for: formatSpan(pauseMs - blockedMs + source.whole(100, 5_000)),
          },
        };
        const pause = { which: source.whole(1, backends) };
        return [
          ...(source.whole(0, 1) === 0 ? [blocked] : []),
          { atMs: pauseMs, step: { break: { backend: { pause } }, for: span(source, 7_000, 28_000) } },
        ];
      }).flat();
      return [
        ...(slowMs === 0 ? [] : [{ atMs, step: { ...slow(slowMs), for: formatSpan(count * 45_000) } }]),
        ...rounds,
      ];
    },
  },
];

/**
 * The document with one row of that work after all other steps, in some runs with several backends. A quiet run stays
 * quiet (service-work.ts).
 */
export function withWorkOfBackends(
  source: RandomSource,
  document: ScenarioDocument,
  { run, lengthMs }: { readonly run: number; readonly lengthMs: number },
): ScenarioDocument {
  const backends = Number(document['backends'] ?? 1);
  if (backends < 2 || run % exploreLimits.quietEvery === 0) return document;
  if (source.whole(1, exploreLimits.aimedAtBackendsIn) !== 1) return document;
  const row = drawnOne(source, AIMED_AT_BACKENDS);
  const group = row.group(source);
  const atMs = source.whole(
    exploreLimits.settledMs + 10_000,
    exploreLimits.settledMs + 10_000 + Math.floor(lengthMs / 2),
  );
  const steps = row
    .draw(source, { atMs, on: { on: { group: group['as'] } }, backends })
    .map(({ atMs: ms, step }) => ({ at: formatSpan(Math.round(ms)), ...step }));
  return {
    ...document,
    fleet: [...(document['fleet'] as readonly DrawnPart[]), group],
    steps: [...(document['steps'] as readonly DrawnPart[]), ...steps],
  };
}
