/**
 * How several backends held the partitions of the boxes (protocol/partitions.ts) during a run, by the calls that their
 * store executed.
 */
export interface PartitionHistory {
  /** How many backends there were. */
  readonly backends: number;
  /** In the order of the store. */
  readonly events: readonly PartitionEvent[];
  /** The long spans without a sign of a serving holder. */
  readonly gaps: readonly PartitionGap[];
  /** Which backends shared the partitions, and what they released; absent: not recorded. */
  readonly shares?: readonly ShareEvent[];
  /** Whether entries were dropped because there were too many. */
  readonly isWhole: boolean;
}

export interface PartitionEvent {
  /**
   * `taken`: it has a new holder. `committed`: a holder's batch is stored. `published`: a backend hands a message of the
   * partition to the exchange. Like ones in sequence are one event.
   */
  readonly what: 'taken' | 'committed' | 'published';
  readonly atMs: number;
  readonly partition: number;
  /**
   * The fencing number under which that was done, from 1. Of a batch 0: it writes about a box of the partition and names no
   * lease for it. Of a message that under which its backend took the partition last, 0: never.
   */
  readonly fence: number;
}

export interface PartitionGap {
  readonly partition: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface ShareEvent {
  /**
   * `joined`: a backend has renewed for the first time, or again after it had left. `left`: it deregistered. `lapsed`:
   * it has not renewed for the duration of a lease. `passed`: it has released partitions. `lost`: others took
   * partitions that were its own.
   */
  readonly what: 'joined' | 'left' | 'lapsed' | 'passed' | 'lost';
  readonly atMs: number;
  /** The name of the backend, another one after each start. */
  readonly backend: string;
  /** How many partitions it has then. */
  readonly held: number;
}
