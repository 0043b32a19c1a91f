import { sql } from 'kysely';
import { settingNamed } from '../../../../protocol/settings.ts';
import { limits, vehicleLimits } from '../../../base/limits.ts';
import { toOpenCommand } from '../../calls/commands.ts';
import { configurationCalibrated, configurationWiped } from '../../calls/configuration.ts';
import { toQuarantined, toRecord } from '../../calls/ledger-rows.ts';
import { settleReply } from '../../calls/replies.ts';
import { stockedBoxes } from '../../calls/vehicles/stocked-boxes.ts';
import { selectBoxVehicles, toBoxVehicle } from '../../calls/vehicles/vehicle-rows.ts';
import type { IngestBatch, IngestResult, IngestStore, KnownVehicle } from '../../port/ingest-store.ts';
import { type ListOf, statement, type ValueOf } from '../../statements/statement.ts';
import {
  all,
  type Calls,
  first,
  run,
  type Transaction,
  writeMessages,
} from '../../statements/transaction.ts';
import type { MessageWriter } from '../outbox/outbox-messages.ts';
import { writeBatch, writeWhole } from './batch-write.ts';
import { writeQuarantine } from './quarantine.ts';
import { recordPruner } from './records.ts';

const findVehicles = statement((dialect, _, list: ListOf<{ readonly boxIds: readonly string[] }>) =>
  selectBoxVehicles(dialect).where('v.box_id', 'in', dialect.texts(list('boxIds'))),
);
const findCommands = statement(
  ({ query, texts }, _, list: ListOf<{ readonly requestIds: readonly string[] }>) =>
    query
      .selectFrom('commands')
      .selectAll()
      .where('request_id', 'in', texts(list('requestIds'))),
);
const count = statement(({ query }, value: ValueOf<{ readonly boxId: string }>) =>
  query
    .selectFrom('boxes')
    .select(['records_stored as records', 'records_lost as lost'])
    .where('id', '=', value('boxId')),
);
const findIds = statement(
  ({ query, most }, value: ValueOf<{ readonly after: string; readonly limit: number }>) =>
    query
      .selectFrom('boxes')
      .select('id')
      .where('id', '>', value('after'))
      .orderBy('id')
      .limit(most(value('limit'))),
);
const findRecords = statement(
  (
    { query, most },
    value: ValueOf<{
      readonly boxId: string;
      readonly epoch: number;
      readonly sequence: number;
      readonly limit: number;
    }>,
  ) =>
    query
      .selectFrom('records')
      .selectAll()
      .where('box_id', '=', value('boxId'))
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('epoch', 'sequence'), '>', tuple(value('epoch'), value('sequence'))),
      )
      .orderBy('epoch')
      .orderBy('sequence')
      .limit(most(value('limit'))),
);
const findQuarantined = statement(({ query, most }, value: ValueOf<{ readonly limit: number }>) =>
  query
    .selectFrom('quarantine')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(most(value('limit'))),
);

type Forget = {
  readonly atMs: number;
  readonly silentMs: number;
  readonly standardS: number;
  readonly wayMs: number;
};

/**
 * A box that was silent for too long was in standby already; since when, is computed from its last contact. It is
 * online by the rule of backend/store/port/life-status.ts, for a box with contact since its status is stored.
 */
const forgetConnections = statement((_, value: ValueOf<Forget>) => {
  const isOnline = sql`(life = 'ONLINE' and not_ready_until_ms is null and ${value('atMs')}::bigint <= last_contact_ms
    + greatest(${value('silentMs')}::bigint,
      coalesce(standby_report_s, ${value('standardS')}::bigint) * 1000 + ${value('wayMs')}::bigint))`;
  return sql`
    update boxes set version = version + 1, connection_counter = null, connection_open = null,
      not_ready_until_ms = null,
      life = case when ${isOnline} then 'STANDBY' else life end,
      life_since_ms = case when ${isOnline} then ${value('atMs')}::bigint else life_since_ms end
    where connection_open = 1`;
});

/** Whether a batch has boxes, records and messages alone, as most have. */
function isOrdinary({ replies, quarantine, flashWipes = [], calibrations = [] }: IngestBatch): boolean {
  return replies.length + quarantine.length + flashWipes.length + calibrations.length === 0;
}

/** The group commit of ingest in PostgreSQL, and the reads before it. */
export function ingestCalls(outbox: MessageWriter): Calls<IngestStore> {
  const pruner = recordPruner();

  function* commit(batch: IngestBatch): Transaction<IngestResult> {
    if (isOrdinary(batch) && !pruner.isDue(batch.records) && outbox.takeRoom(batch.messages))
      return yield* writeWhole(batch);
    const { lostLeases, stale } = yield* writeBatch(batch);
    if (lostLeases.length > 0) return { stale: [], settled: [], lostLeases };
    if (stale.length > 0) return { stale, settled: [] };
    yield* pruner.prune(batch.records);
    yield* writeQuarantine(batch.quarantine);
    for (const flashWipe of batch.flashWipes ?? []) yield* configurationWiped(flashWipe);
    for (const calibration of batch.calibrations ?? []) yield* configurationCalibrated(calibration);
    const settled: string[] = [];
    for (const reply of batch.replies) if (yield* settleReply(reply)) settled.push(reply.reply.requestId);
    // Last: from here on other writers of messages of the same partitions wait for this commit.
    const written = yield* writeMessages(batch.messages);
    return { stale: [], settled, ...(written.length === 0 ? {} : { written }) };
  }

  return {
    *load(boxIds) {
      const known = new Map<string, KnownVehicle>();
      for (const row of yield* all(findVehicles, { boxIds }))
        known.set(row.box_id, { vehicle: toBoxVehicle(row), version: row.version });
      const others = boxIds.filter((boxId) => !known.has(boxId));
      for (const one of yield* stockedBoxes(others)) known.set(one.vehicle.boxId, one);
      return known;
    },
    *loadCommands(requestIds) {
      const rows = yield* all(findCommands, { requestIds });
      return new Map(rows.map((row) => [row.request_id, toOpenCommand(row)]));
    },
    commit,
    *forgetConnections(atMs) {
      yield* run(forgetConnections, {
        atMs,
        silentMs: limits.silentMs,
        standardS: settingNamed('box.standbyReportIntervalS').standard,
        wayMs: vehicleLimits.reportWayMs,
      });
    },
    *quarantined({ limit }) {
      return (yield* all(findQuarantined, { limit })).map(toQuarantined);
    },
    *countRecords(boxId) {
      return (yield* first(count, { boxId })) ?? { records: 0, lost: 0 };
    },
    *boxIds({ after, limit }) {
      return (yield* all(findIds, { after: after ?? '', limit })).map(({ id }) => id);
    },
    *records({ boxId, after, limit }) {
      const { epoch, sequence } = after ?? { epoch: -1, sequence: -1 };
      return (yield* all(findRecords, { boxId, epoch, sequence, limit })).map(toRecord);
    },
  };
}
