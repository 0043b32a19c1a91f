import type { AnsweredNotification } from '../../../judge/evidence/evidence.ts';
import type { PartitionHistory } from '../../../judge/evidence/partition-history.ts';

/** Of a run, what only those with several backends, or with a maker, have. */
export interface ServiceRecordings {
  partitions?: PartitionHistory;
  notifications?: readonly AnsweredNotification[];
}
