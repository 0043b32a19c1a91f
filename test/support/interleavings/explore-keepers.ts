import { partitionLimits } from '../../../backend/base/limits.ts';
import { type Explored, explore } from './explore.ts';
import { KeeperStage } from './keeper-stage.ts';

/** What `exploreKeepers` visits. */
export interface KeeperExploration {
  readonly backends: readonly string[];
  readonly partitions: number;
  readonly deviations: number;
  /** The step of time; absent: a beat, of which a lease lasts three. */
  readonly stepMs?: number;
}

/** Explores partition keepers, as `explore` does. After anything, calm times bring all promises within 8 s. */
export function exploreKeepers({
  backends,
  partitions,
  deviations,
  stepMs = partitionLimits.beatMs,
}: KeeperExploration): Promise<Explored> {
  return explore({
    open: () => new KeeperStage({ backends, partitions, stepMs }),
    deviations,
    states: 400_000,
    calmWithinMs: partitionLimits.leaseMs + partitionLimits.beatMs,
    checkedOneIn: 20,
  });
}
