import type { AnsweredNotification } from '../../../scenarios/testbed/port/evidence.ts';
import type { PartitionHistory } from '../../../scenarios/testbed/port/partition-history.ts';

/** Of a run, what only those with several backends, or with a maker, have. */
export interface ServiceRecordings {
  partitions?: PartitionHistory;
  notifications?: readonly AnsweredNotification[];
}
