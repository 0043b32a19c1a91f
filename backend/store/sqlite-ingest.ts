import type { Database } from 'better-sqlite3';
import { call } from './sqlite-call.ts';
import { type CommandRow, toOpenCommand } from './sqlite-commands.ts';
import { quarantineWriter, recordWriter, toQuarantined, toRecord } from './sqlite-ledger.ts';
import { SELECT_VEHICLE, toVehicle, type VehicleRow } from './sqlite-rows.ts';
import type {
  BoxChange,
  IngestBatch,
  IngestResult,
  IngestStore,
  KnownVehicle,
  OpenCommand,
  SettledReply,
} from './store.ts';

/** Ends the transaction of a batch that was decided upon old knowledge. Never leaves this file. */
class Stale extends Error {
  readonly boxIds: readonly string[];

  constructor(boxIds: readonly string[]) {
    super('Boxes have changed since they were loaded.');
    this.boxIds = boxIds;
  }
}

/** The grouped commit of ingest in SQLite, and what it reads beforehand. */
export function sqliteIngest(database: Database): IngestStore {
  const find = database.prepare<[string], VehicleRow>(`${SELECT_VEHICLE} WHERE v.box_id = ?`);
  const findCommand = database.prepare<[string], CommandRow>('SELECT * FROM commands WHERE request_id = ?');
  const count = database.prepare<[string], { readonly records: number; readonly lost: number }>(
    'SELECT records_stored AS records, records_lost AS lost FROM boxes WHERE id = ?',
  );
  const forgetConnections = database.prepare(`
    UPDATE boxes SET version = version + 1, connection_counter = NULL, connection_open = NULL, not_ready_until_ms = NULL
    WHERE connection_open = 1`);
  const writeBox = boxWriter(database);
  const settle = replyWriter(database);
  const insertMessage = database.prepare(`
    INSERT INTO outbox (message_id, vehicle_id, fleet_id, name, version, flow_id, created_ms, body)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const records = recordWriter(database);
  const quarantine = quarantineWriter(database);

  const commit = database.transaction((batch: IngestBatch): readonly string[] => {
    const tallies = tally(batch);
    const stale = batch.boxes
      .filter((change) => !writeBox(change, tallies.get(change.boxId) ?? NOTHING))
      .map((change) => change.boxId);
    if (stale.length > 0) throw new Stale(stale);
    records.write(batch.records);
    for (const message of batch.messages) {
      insertMessage.run(
        message.messageId,
        message.vehicleId,
        message.fleetId,
        message.name,
        message.version,
        message.flowId,
        message.createdMs,
        message.body,
      );
    }
    quarantine.write(batch.quarantine);
    return batch.replies.filter(settle).map((settled) => settled.reply.requestId);
  });

  return {
    load: (boxIds) =>
      call(database, () => {
        const known = new Map<string, KnownVehicle>();
        for (const boxId of boxIds) {
          const row = find.get(boxId);
          if (row !== undefined) known.set(boxId, { vehicle: toVehicle(row), version: row.version });
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
          return { stale: [], settled: commit.immediate(batch) };
        } catch (error) {
          if (error instanceof Stale) return { stale: error.boxIds, settled: [] };
          throw error;
        }
      }),
    forgetConnections: () => call(database, () => void forgetConnections.run()),
    quarantined: (query) => call(database, () => quarantine.newest(query.limit).map(toQuarantined)),
    countRecords: (boxId) => call(database, () => count.get(boxId) ?? { records: 0, lost: 0 }),
    records: (query) =>
      call(database, () => records.after(query.boxId, query.after, query.limit).map(toRecord)),
  };
}

interface Tally {
  readonly records: number;
  readonly lost: number;
}
const NOTHING: Tally = { records: 0, lost: 0 };

function tally(batch: IngestBatch): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const record of batch.records) {
    const before = tallies.get(record.boxId) ?? NOTHING;
    tallies.set(record.boxId, { records: before.records + 1, lost: before.lost + record.lost });
  }
  return tallies;
}

/** Writes one change of a box; false where the box's version is another one by now. */
function boxWriter(database: Database): (change: BoxChange, tally: Tally) => boolean {
  // COALESCE for what is never taken back; a flag beside the value for what may become NULL again.
  const update = database.prepare(`
    UPDATE boxes SET version = version + 1,
      generation = coalesce(?, generation),
      firmware_major = coalesce(?, firmware_major),
      firmware_minor = coalesce(?, firmware_minor),
      hardware_revision = coalesce(?, hardware_revision),
      connection_counter = CASE WHEN ? THEN ? ELSE connection_counter END,
      connection_open = CASE WHEN ? THEN ? ELSE connection_open END,
      not_ready_until_ms = CASE WHEN ? THEN ? ELSE not_ready_until_ms END,
      last_contact_ms = coalesce(?, last_contact_ms),
      journal = coalesce(?, journal),
      state = coalesce(?, state),
      records_stored = records_stored + ?,
      records_lost = records_lost + ?
    WHERE id = ? AND version = ?`);
  return (change, { records, lost }) => {
    const { connection, notReadyUntilMs, firmware } = change;
    const hasConnection = connection === undefined ? 0 : 1;
    const isOpen = connection?.open === true ? 1 : 0;
    const result = update.run(
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
      change.lastContactMs ?? null,
      change.journal === undefined ? null : JSON.stringify(change.journal),
      change.state === undefined ? null : JSON.stringify(change.state),
      records,
      lost,
      change.boxId,
      change.version,
    );
    return result.changes === 1;
  };
}

/** Writes the outcome of a command; false where there is no such command of that box, or it is settled already. */
function replyWriter(database: Database): (settled: SettledReply) => boolean {
  const update = database.prepare(`
    UPDATE commands SET outcome = ?, settled_ms = ?, error = ?, status = ?, state = ?
    WHERE request_id = ? AND box_id = ? AND outcome IN ('open', 'unknown', 'withdrawn')`);
  return ({ reply, boxId, atMs, state }) =>
    update.run(
      reply.outcome,
      atMs,
      reply.error,
      reply.status === undefined ? null : JSON.stringify(reply.status),
      state === undefined ? null : JSON.stringify(state),
      reply.requestId,
      boxId,
    ).changes === 1;
}
