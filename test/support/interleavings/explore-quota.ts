import { LIMITS } from '../../../contract/limits.ts';
import { type Explored, explore } from './explore.ts';
import { QuotaStage } from './quota-stage.ts';

/** What `exploreQuota` visits. */
export interface QuotaExploration {
  readonly backends: number;
  /** How many calls of the client come together, and how often. */
  readonly bursts: readonly number[];
  readonly times: number;
  readonly deviations: number;
}

/**
 * Explores the shared quota of one client, as `explore` does. The limit is the smallest whose blocks have more than one
 * call, and most of the first window is used. In calm times each call of the client is answered at once.
 */
export function exploreQuota({ backends, bursts, times, deviations }: QuotaExploration): Promise<Explored> {
  return explore({
    open: () =>
      new QuotaStage({ backends, limit: 40, used: 34, bursts, times, stepMs: LIMITS.quota.windowMs / 2 }),
    deviations,
    states: 400_000,
    calmWithinMs: 0,
    checkedOneIn: 20,
  });
}
