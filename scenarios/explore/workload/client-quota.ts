import type { ScenarioDocument } from '../../language/document/problem.ts';
import { formatSpan } from '../../language/document/quantity.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import type { DrawnPart } from '../../language/vary/step-action.ts';
import { limits } from '../limits.ts';

/** A client that has nothing else to do: what it is refused changes nothing else in the run. */
const CLIENT = 'hasty';

/**
 * In some runs, most of them with several backends, each client has a limit of calls a minute, and one that does nothing else
 * calls more often than that, once or twice. The limit is high enough for all other work.
 */
export function withClientQuota(source: RandomSource, document: ScenarioDocument): ScenarioDocument {
  const isOfSeveral = document['backends'] !== undefined;
  if (source.whole(1, isOfSeveral ? limits.quotaOfSeveralIn : limits.quotaIn) !== 1) return document;
  const rateLimit = source.whole(limits.quotaLeast, limits.quotaMost);
  const firstMs = source.whole(limits.settledMs, limits.swarmLongestMs / 2);
  const bursts = Array.from({ length: source.whole(1, 2) }, (_, index): DrawnPart => {
    const times = Math.ceil((rateLimit * source.whole(80, 150)) / 100);
    const everyMs = Math.max(1, Math.floor(source.whole(500, 50_000) / times));
    return {
      at: formatSpan(firstMs + index * source.whole(130_000, 200_000)),
      call: { get: '/vehicles?limit=1', as: CLIENT },
      repeat: { every: formatSpan(everyMs), times },
    };
  });
  const clients = (document['clients'] ?? []) as readonly DrawnPart[];
  return {
    ...document,
    rate_limit: rateLimit,
    clients: [...clients, { name: CLIENT, permissions: ['vehicles.ro'] }],
    steps: [...(document['steps'] as readonly DrawnPart[]), ...bursts],
  };
}
