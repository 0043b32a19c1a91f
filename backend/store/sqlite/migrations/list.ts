import { spine } from './0001-spine.ts';
import { recordsByAge } from './0002-records-by-age.ts';
import { vehicles } from './0003-vehicles.ts';
import { configuration } from './0004-configuration.ts';
import { grants } from './0005-grants.ts';
import { thirdParty } from './0006-third-party.ts';
import { bulk } from './0007-bulk.ts';
import { setup } from './0008-setup.ts';
import { bulkRoom } from './0009-bulk-room.ts';
import { sinceWhen } from './0010-since-when.ts';
import { maintenance } from './0011-maintenance.ts';
import { leaseHolder } from './0012-lease-holder.ts';
import { makerOnline } from './0013-maker-online.ts';
import { subscriptions } from './0014-subscriptions.ts';
import { outboxBounds } from './0015-outbox-bounds.ts';
import { tombstoneCovers } from './0016-tombstone-covers.ts';
import { stateByRecord } from './0017-state-by-record.ts';
import { failedItems } from './0018-failed-items.ts';
import { outboxCount } from './0019-outbox-count.ts';
import { lifeAndHealth } from './0020-life-and-health.ts';
import { keptAnswers } from './0021-kept-answers.ts';
import { severalBackends } from './0022-several-backends.ts';
import { makerStock } from './0023-maker-stock.ts';
import type { Migration } from './migration.ts';

/** All migrations in order. */
export const MIGRATIONS: readonly Migration[] = [
  spine,
  recordsByAge,
  vehicles,
  configuration,
  grants,
  thirdParty,
  bulk,
  setup,
  bulkRoom,
  sinceWhen,
  maintenance,
  leaseHolder,
  makerOnline,
  subscriptions,
  outboxBounds,
  tombstoneCovers,
  stateByRecord,
  failedItems,
  outboxCount,
  lifeAndHealth,
  keptAnswers,
  severalBackends,
  makerStock,
];
