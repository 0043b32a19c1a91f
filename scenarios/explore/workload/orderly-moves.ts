import type { ScenarioDocument } from '../../language/document/problem.ts';
import { formatSpan, parseSpan } from '../../language/document/quantity.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { limits } from '../limits.ts';
import { command } from './aimed-row.ts';

/** What a box replies to, and what makes one connect again. */
const ASKED = [
  'request-vehicle-state',
  'request-system-status',
  'ble-reset',
  'request-vehicle-state',
] as const;

/**
 * Where a scenario has several backends they are replaced in good order, behind all other steps, once all has been well
 * again for a while, and get their share back, while boxes are asked without a pause, and soon with a store that is a little
 * slow. So commands under way, and what a backend has taken and not stored yet, meet a planned move.
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
  const beginMs = Math.max(limits.settledMs, ...steps.map(endMs)) + limits.calmAgainMs;
  const at = (afterMs: number): DrawnPart => ({ at: formatSpan(beginMs + afterMs) });
  const byMs = source.whole(limits.movesSlowLeastMs, limits.movesSlowMostMs);
  const lastsMs = limits.movesForMs;
  const asking = groups.flatMap(({ as, count }): readonly DrawnPart[] => {
    const every = formatSpan(source.whole(limits.movesAskLeastMs, limits.movesAskMostMs));
    return Array.from({ length: Number(count ?? 1) }, (_, index) => ({
      ...at(source.whole(0, limits.movesAskMostMs)),
      on: { group: as, box: index + 1 },
      ...command(drawnOne(source, ASKED)),
      repeat: { every, for: formatSpan(lastsMs) },
    }));
  });
  const restarts = Array.from({ length: limits.movesRestarts }, (_, index) => {
    const which = source.whole(1, backends);
    const fromMs = (index * lastsMs) / limits.movesRestarts;
    return {
      ...at(Math.round(fromMs) + source.whole(0, limits.movesRestartDelayMs)),
      break: { backend: { restart: { which } } },
    };
  });
  // The first one is replaced while nothing is slow: no command may end for that.
  const quickMs = Math.round(lastsMs / limits.movesRestarts);
  const slow = {
    ...at(quickMs),
    break: { store: { slow: { by: formatSpan(byMs) } } },
    for: formatSpan(lastsMs - quickMs),
  };
  return [slow, ...asking, ...restarts];
}

/** When a step is over at the latest, as far as it says. */
function endMs({ at, for: lasts, within, when, repeat }: DrawnPart): number {
  const ms = (span: unknown): number => (typeof span === 'string' ? (parseSpan(span) ?? 0) : 0);
  const { every, times, for: during } = (repeat ?? {}) as DrawnPart;
  const { within: awaited } = (when ?? {}) as DrawnPart;
  return ms(at) + ms(lasts) + ms(within) + ms(awaited) + ms(during) + ms(every) * Number(times ?? 0);
}
