import type { Database } from 'better-sqlite3';
import { settingNamed } from '../../../../protocol/settings.ts';
import { limits, vehicleLimits } from '../../../base/limits.ts';
import { type CommandRow, toOpenCommand } from '../../calls/commands.ts';
import { configurationCalibrated, configurationWiped } from '../../calls/configuration.ts';
import { lostLeases } from '../../calls/leases.ts';
import { toQuarantined, toRecord } from '../../calls/ledger-rows.ts';
import { countByBox, NO_RECORDS } from '../../calls/record-counts.ts';
import { settleReply } from '../../calls/replies.ts';
import { stockedBoxes } from '../../calls/vehicles/stocked-boxes.ts';
import { type BoxVehicleRow, SELECT_VEHICLE, toBoxVehicle } from '../../calls/vehicles/vehicle-rows.ts';
import type { OpenCommand } from '../../port/command-store.ts';
import type { IngestBatch, IngestResult, IngestStore, KnownVehicle } from '../../port/ingest-store.ts';
import type { Answer, Step } from '../../statements/transaction.ts';
import type { Synchronous } from '../call.ts';
import { atOnce } from '../executor.ts';
import { messageWriter } from '../outbox/outbox.ts';
import { boxWriter } from './box-changes.ts';
import { quarantineWriter } from './quarantine.ts';
import { recordWriter } from './records.ts';

/** Rolls back the transaction of a batch that is based on old versions. Never leaves this file. */
class Stale extends Error {
  readonly boxIds: readonly string[];

  constructor(boxIds: readonly string[]) {
    super('Boxes have changed since they were loaded.');
    this.boxIds = boxIds;
  }
}

/** The rule of backend/store/port/life-status.ts, for a box with contact since its status is stored. */
const IS_ONLINE = `(life = 'ONLINE' AND not_ready_until_ms IS NULL
  AND @atMs <= last_contact_ms + max(@silentMs, coalesce(standby_report_s, @standardS) * 1000 + @wayMs))`;

/** The group commit of ingest in SQLite, and the reads before it. `take` carries out the rarer parts of a batch. */
export function sqliteIngest(database: Database, take: (step: Step) => Answer): Synchronous<IngestStore> {
  const find = database.prepare<[string], BoxVehicleRow>(`${SELECT_VEHICLE} WHERE v.box_id = (SELECT ?)`);
  const findCommand = database.prepare<[string], CommandRow>('SELECT * FROM commands WHERE request_id = ?');
  const count = database.prepare<[string], { readonly records: number; readonly lost: number }>(
    'SELECT records_stored AS records, records_lost AS lost FROM boxes WHERE id = ?',
  );
  const ids = database.prepare<[string, number], { readonly id: string }>(
    'SELECT id FROM boxes WHERE id > ? ORDER BY id LIMIT ? + 0',
  );
  // A box that was silent for too long was in standby already; since when, is computed from its last contact.
  const forgetConnections = database.prepare(`
    UPDATE boxes SET version = version + 1, connection_counter = NULL, connection_open = NULL,
      not_ready_until_ms = NULL,
      life = CASE WHEN ${IS_ONLINE} THEN 'STANDBY' ELSE life END,
      life_since_ms = CASE WHEN ${IS_ONLINE} THEN @atMs ELSE life_since_ms END
    WHERE connection_open = 1`);

  const writeBox = boxWriter(database);
  const writeMessages = messageWriter(database);
  const records = recordWriter(database);
  const quarantine = quarantineWriter(database);

  const commit = database.transaction((batch: IngestBatch): IngestResult => {
    const lost = batch.leases === undefined ? [] : atOnce(take, lostLeases(batch.leases));
    // Nothing was written yet.
    if (lost.length > 0) return { stale: [], settled: [], lostLeases: lost };
    const counts = countByBox(batch.records);
    let stale: string[] | undefined;
    for (const change of batch.boxes) {
      if (writeBox(change, counts.get(change.boxId) ?? NO_RECORDS)) continue;
      stale ??= [];
      stale.push(change.boxId);
    }
    if (stale !== undefined) throw new Stale(stale);
    records.write(batch.records);
    const written = writeMessages(batch.messages);
    quarantine.write(batch.quarantine);
    for (const flashWipe of batch.flashWipes ?? []) atOnce(take, configurationWiped(flashWipe));
    for (const calibration of batch.calibrations ?? []) atOnce(take, configurationCalibrated(calibration));
    const settled = batch.replies
      .filter((reply) => atOnce(take, settleReply(reply)))
      .map(({ reply }) => reply.requestId);
    return { stale: [], settled, ...(written.length === 0 ? {} : { written }) };
  });

  return {
    load: (boxIds) => {
      const known = new Map<string, KnownVehicle>();
      const others: string[] = [];
      for (const boxId of boxIds) {
        const row = find.get(boxId);
        if (row === undefined) others.push(boxId);
        else known.set(boxId, { vehicle: toBoxVehicle(row), version: row.version });
      }
      for (const one of atOnce(take, stockedBoxes(others))) known.set(one.vehicle.boxId, one);
      return known;
    },
    loadCommands: (requestIds) => {
      const commands = new Map<string, OpenCommand>();
      for (const requestId of requestIds) {
        const row = findCommand.get(requestId);
        if (row !== undefined) commands.set(requestId, toOpenCommand(row));
      }
      return commands;
    },
    commit: (batch) => {
      try {
        return commit.immediate(batch);
      } catch (error) {
        if (error instanceof Stale) return { stale: error.boxIds, settled: [] };
        throw error;
      }
    },
    forgetConnections: (atMs) =>
      void forgetConnections.run({
        atMs,
        silentMs: limits.silentMs,
        standardS: settingNamed('box.standbyReportIntervalS').standard,
        wayMs: vehicleLimits.reportWayMs,
      }),
    quarantined: (query) => quarantine.newest(query.limit).map(toQuarantined),
    countRecords: (boxId) => count.get(boxId) ?? { records: 0, lost: 0 },
    boxIds: (query) => ids.all(query.after ?? '', query.limit).map(({ id }) => id),
    records: (query) => records.after(query.boxId, query.after, query.limit).map(toRecord),
  };
}
