import type { ScenarioDocument } from '../../language/document/problem.ts';
import { formatSpan, parseSpan } from '../../language/document/quantity.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { exploreLimits } from '../../limits.ts';
import { command } from './aimed-row.ts';

/** Commands that a box replies to, and one that makes it reconnect. */
const ASKED = [
  'request-vehicle-state',
  'request-system-status',
  'ble-reset',
  'request-vehicle-state',
] as const;

/**
 * Where a scenario has several backends, orderly restarts of them come after all other steps, once the system has
 * recovered. The backends get their share back while boxes get calls without a pause, and soon with a slightly slow
 * store. So commands under way, and what a backend has received and not stored yet, coincide with a planned move.
 */
export function withOrderlyMoves(source: RandomSource, document: ScenarioDocument): ScenarioDocument {
  const { backends } = document;
  if (backends === undefined) return document;
  const fleet = document['fleet'] as readonly DrawnPart[];
  const steps = document['steps'] as readonly DrawnPart[];
  return { ...document, steps: [...steps, ...orderlyMoves(source, { fleet, steps }, Number(backends))] };
}

function orderlyMoves(
  source: RandomSource,
  { fleet, steps }: { readonly fleet: readonly DrawnPart[]; readonly steps: readonly DrawnPart[] },
  backends: number,
): readonly DrawnPart[] {
  const groups = fleet.filter(({ maker, on_shelf }) => maker === undefined && on_shelf !== true);
  if (groups.length === 0) return [];
  const beginMs = Math.max(exploreLimits.settledMs, ...steps.map(endMs)) + exploreLimits.calmAgainMs;
  const at = (afterMs: number): DrawnPart => ({ at: formatSpan(beginMs + afterMs) });
  const byMs = source.whole(exploreLimits.movesSlowLeastMs, exploreLimits.movesSlowMostMs);
  const lastsMs = exploreLimits.movesForMs;
  const asking = groups.flatMap(({ as, count }): readonly DrawnPart[] => {
    const every = formatSpan(source.whole(exploreLimits.movesAskLeastMs, exploreLimits.movesAskMostMs));
    return Array.from({ length: Number(count ?? 1) }, (_, index) => ({
      ...at(source.whole(0, exploreLimits.movesAskMostMs)),
      on: { group: as, box: index + 1 },
      ...command(drawnOne(source, ASKED)),
      repeat: { every, for: formatSpan(lastsMs) },
    }));
  });
  const restarts = Array.from({ length: exploreLimits.movesRestarts }, (_, index) => {
    const which = source.whole(1, backends);
    const fromMs = (index * lastsMs) / exploreLimits.movesRestarts;
    return {
      ...at(Math.round(fromMs) + source.whole(0, exploreLimits.movesRestartDelayMs)),
      break: { backend: { restart: { which } } },
    };
  });
  // The first restart happens while nothing is slow: no command may end because of it.
  const quickMs = Math.round(lastsMs / exploreLimits.movesRestarts);
  const slow = {
    ...at(quickMs),
    break: { store: { slow: { by: formatSpan(byMs) } } },
    for: formatSpan(lastsMs - quickMs),
  };
  return [slow, ...asking, ...restarts];
}

/** The latest end of a step, as far as it says. */
function endMs({ at, for: lasts, within, when, repeat }: DrawnPart): number {
  const ms = (span: unknown): number => (typeof span === 'string' ? (parseSpan(span) ?? 0) : 0);
  const { every, times, for: during } = (repeat ?? {}) as DrawnPart;
  const { within: awaited } = (when ?? {}) as DrawnPart;
  return ms(at) + ms(lasts) + ms(within) + ms(awaited) + ms(during) + ms(every) * Number(times ?? 0);
}
