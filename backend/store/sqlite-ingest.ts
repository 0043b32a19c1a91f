import type { Database } from 'better-sqlite3';
import { settingNamed } from '../../protocol/settings.ts';
import { limits } from '../limits.ts';
import { vehicleLimits } from '../vehicles/limits.ts';
import type { OpenCommand } from './command-store.ts';
import type { BoxChange, IngestBatch, IngestResult, IngestStore, KnownVehicle } from './ingest-store.ts';
import { call } from './sqlite-call.ts';
import { type CommandRow, toOpenCommand } from './sqlite-commands.ts';
import { configurationWriter } from './sqlite-configuration.ts';
import { quarantineWriter, recordWriter, toQuarantined, toRecord } from './sqlite-ledger.ts';
import { messageWriter } from './sqlite-outbox.ts';
import { replyWriter } from './sqlite-replies.ts';
import { type BoxVehicleRow, SELECT_VEHICLE, toBoxVehicle } from './sqlite-rows.ts';
import { shelvedBoxes } from './sqlite-shelf.ts';
import { writeState } from './state-text.ts';

/** Ends the transaction of a batch that was decided upon old knowledge. Never leaves this file. */
class Stale extends Error {
  readonly boxIds: readonly string[];

  constructor(boxIds: readonly string[]) {
    super('Boxes have changed since they were loaded.');
    this.boxIds = boxIds;
  }
}

/** As backend/vehicles/life-status.ts has it, of a box that has told something since its status is written down. */
const IS_ONLINE = `(life = 'ONLINE' AND not_ready_until_ms IS NULL
  AND @atMs <= last_contact_ms + max(@silentMs, coalesce(standby_report_s, @standardS) * 1000 + @wayMs))`;

/** The grouped commit of ingest in SQLite, and what it reads beforehand. */
export function sqliteIngest(database: Database): IngestStore {
  const find = database.prepare<[string], BoxVehicleRow>(`${SELECT_VEHICLE} WHERE v.box_id = (SELECT ?)`);
  const findCommand = database.prepare<[string], CommandRow>('SELECT * FROM commands WHERE request_id = ?');
  const count = database.prepare<[string], { readonly records: number; readonly lost: number }>(
    'SELECT records_stored AS records, records_lost AS lost FROM boxes WHERE id = ?',
  );
  const ids = database.prepare<[string, number], { readonly id: string }>(
    'SELECT id FROM boxes WHERE id > ? ORDER BY id LIMIT ? + 0',
  );
  // One that was silent for too long by then was in standby already; since when, is reckoned from its last contact.
  const forgetConnections = database.prepare(`
    UPDATE boxes SET version = version + 1, connection_counter = NULL, connection_open = NULL,
      not_ready_until_ms = NULL,
      life = CASE WHEN ${IS_ONLINE} THEN 'STANDBY' ELSE life END,
      life_since_ms = CASE WHEN ${IS_ONLINE} THEN @atMs ELSE life_since_ms END
    WHERE connection_open = 1`);

  const onShelf = shelvedBoxes(database);
  const writeBox = boxWriter(database);
  const settle = replyWriter(database);
  const writeMessages = messageWriter(database);
  const records = recordWriter(database);
  const quarantine = quarantineWriter(database);
  const configurations = configurationWriter(database);

  const commit = database.transaction((batch: IngestBatch): IngestResult => {
    const tallies = tally(batch);
    let stale: string[] | undefined;
    for (const change of batch.boxes) {
      if (writeBox(change, tallies.get(change.boxId) ?? NOTHING)) continue;
      stale ??= [];
      stale.push(change.boxId);
    }
    if (stale !== undefined) throw new Stale(stale);
    records.write(batch.records);
    const written = writeMessages(batch.messages);
    quarantine.write(batch.quarantine);
    for (const wiped of batch.wiped ?? []) configurations.wiped(wiped);
    for (const calibration of batch.calibrations ?? []) configurations.calibrated(calibration);
    const settled = batch.replies.filter(settle).map(({ reply }) => reply.requestId);
    return { stale: [], settled, ...(written.length === 0 ? {} : { written }) };
  });

  return {
    load: (boxIds) =>
      call(database, () => {
        const known = new Map<string, KnownVehicle>();
        for (const boxId of boxIds) {
          const row = find.get(boxId);
          const one =
            row === undefined ? onShelf(boxId) : { vehicle: toBoxVehicle(row), version: row.version };
          if (one !== undefined) known.set(boxId, one);
        }
        return known;
      }),
    loadCommands: (requestIds) =>
      call(database, () => {
        const commands = new Map<string, OpenCommand>();
        for (const requestId of requestIds) {
          const row = findCommand.get(requestId);
          if (row !== undefined) commands.set(requestId, toOpenCommand(row));
        }
        return commands;
      }),
    commit: (batch) =>
      call(database, (): IngestResult => {
        try {
          return commit.immediate(batch);
        } catch (error) {
          if (error instanceof Stale) return { stale: error.boxIds, settled: [] };
          throw error;
        }
      }),
    forgetConnections: (atMs) =>
      call(
        database,
        () =>
          void forgetConnections.run({
            atMs,
            silentMs: limits.silentMs,
            standardS: settingNamed('box.standbyReportIntervalS').standard,
            wayMs: vehicleLimits.reportWayMs,
          }),
      ),
    quarantined: (query) => call(database, () => quarantine.newest(query.limit).map(toQuarantined)),
    countRecords: (boxId) => call(database, () => count.get(boxId) ?? { records: 0, lost: 0 }),
    boxIds: (query) => call(database, () => ids.all(query.after ?? '', query.limit).map(({ id }) => id)),
    records: (query) =>
      call(database, () => records.after(query.boxId, query.after, query.limit).map(toRecord)),
  };
}

interface Tally {
  records: number;
  lost: number;
}
const NOTHING: Readonly<Tally> = { records: 0, lost: 0 };

function tally(batch: IngestBatch): ReadonlyMap<string, Readonly<Tally>> {
  const tallies = new Map<string, Tally>();
  for (const { boxId, lost } of batch.records) {
    const there = tallies.get(boxId);
    if (there === undefined) tallies.set(boxId, { records: 1, lost });
    else {
      there.records += 1;
      there.lost += lost;
    }
  }
  return tallies;
}

/** Writes one change of a box; false where the box's version is another one by now. */
function boxWriter(database: Database): (change: BoxChange, tally: Readonly<Tally>) => boolean {
  // What a record changes as a rule. It is written so often that the other columns are worth a statement of their own.
  const updateUsual = database.prepare(`
    UPDATE boxes SET version = version + 1,
      last_contact_ms = coalesce(?, last_contact_ms),
      journal = coalesce(?, journal),
      state = coalesce(?, state),
      records_stored = records_stored + ?,
      records_lost = records_lost + ?
    WHERE id = ? AND version = ?`);
  // COALESCE for what is never taken back; a flag beside the value for what may become NULL again.
  const updateRare = database.prepare(`
    UPDATE boxes SET
      generation = coalesce(?, generation),
      firmware_major = coalesce(?, firmware_major),
      firmware_minor = coalesce(?, firmware_minor),
      hardware_revision = coalesce(?, hardware_revision),
      connection_counter = CASE WHEN ? THEN ? ELSE connection_counter END,
      connection_open = CASE WHEN ? THEN ? ELSE connection_open END,
      not_ready_until_ms = CASE WHEN ? THEN ? ELSE not_ready_until_ms END,
      life = coalesce(?, life),
      life_since_ms = coalesce(?, life_since_ms),
      sim_suspended_ms = CASE WHEN ? THEN ? ELSE sim_suspended_ms END
    WHERE id = ?`);

  function writeRare(change: BoxChange): void {
    const { connection, notReadyUntilMs, firmware } = change;
    const hasConnection = connection === undefined ? 0 : 1;
    const isOpen = connection?.open === true ? 1 : 0;
    updateRare.run(
      change.generation ?? null,
      firmware?.[0] ?? null,
      firmware?.[1] ?? null,
      change.hardwareRevision ?? null,
      hasConnection,
      connection?.counter ?? null,
      hasConnection,
      connection === null ? null : isOpen,
      notReadyUntilMs === undefined ? 0 : 1,
      notReadyUntilMs ?? null,
      change.life?.value ?? null,
      change.life?.sinceMs ?? null,
      change.simSuspendedMs === undefined ? 0 : 1,
      change.simSuspendedMs ?? null,
      change.boxId,
    );
  }

  return (change, { records, lost }) => {
    const { journal, state, boxId } = change;
    const result = updateUsual.run(
      change.lastContactMs ?? null,
      journal === undefined ? null : JSON.stringify(journal),
      state === undefined ? null : writeState(state),
      records,
      lost,
      boxId,
      change.version,
    );
    if (result.changes !== 1) return false;
    if (hasRare(change)) writeRare(change);
    return true;
  };
}

function hasRare(change: BoxChange): boolean {
  return (
    change.connection !== undefined ||
    change.notReadyUntilMs !== undefined ||
    change.life !== undefined ||
    change.simSuspendedMs !== undefined ||
    change.generation !== undefined ||
    change.firmware !== undefined ||
    change.hardwareRevision !== undefined
  );
}
