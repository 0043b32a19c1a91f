import type { Database } from 'better-sqlite3';
import type { ReplyOutcome } from '../../../protocol/commands.ts';
import type { SettledReply } from '../port/ingest-store.ts';
import type { SetupStatus } from '../port/stored-vehicle.ts';
import { bulkOvertaking } from './bulk/bulk-overtaking.ts';
import { type CommandRow, toOpenCommand } from './commands.ts';
import { configurationWriter, confirmedRevision } from './configuration.ts';

/**
 * Writes the outcome of a command, and what follows from it in the store: a setup that the box has ended, a
 * configuration that it has done. False if there is no such command of that box, or it is settled already.
 * Runs inside the commit of ingest.
 */
export function replyWriter(database: Database): (settled: SettledReply) => boolean {
  const update = database.prepare(`
    UPDATE commands SET outcome = ?, settled_ms = ?, error = ?, status = ?, state = ?
    WHERE request_id = ? AND box_id = ? AND outcome IN ('open', 'unknown', 'withdrawn')`);
  const find = database.prepare<[string], CommandRow>('SELECT * FROM commands WHERE request_id = ?');
  const endSetup = setupWriter(database);
  const configurations = configurationWriter(database);
  const confirmed = confirmedRevision(database);
  const bulk = bulkOvertaking(database);

  return (settled) => {
    const { reply, boxId, atMs, state } = settled;
    const isWritten =
      update.run(
        reply.outcome,
        atMs,
        reply.error,
        reply.status === undefined ? null : JSON.stringify(reply.status),
        state === undefined ? null : JSON.stringify(state),
        reply.requestId,
        boxId,
      ).changes === 1;
    if (!isWritten) return false;
    const command = find.get(reply.requestId);
    if (command?.command === 'begin-setup') {
      endSetup(command, settled);
      // Even if the vehicle has changed meanwhile: the box has done it.
      if (reply.outcome === 'done') configurations.setUp(settled);
    }
    const order = command === undefined ? undefined : toOpenCommand(command).configuration;
    if (command !== undefined && order !== undefined && reply.outcome === 'done') {
      configurations.done(order, settled);
      // If it is late, an unrelated configuration may have replaced it already: then it is tried again.
      if (order.bulkJobId !== undefined && confirmed(boxId) === order.revision)
        bulk.confirmed(order.bulkJobId, command.vehicle_id);
    }
    return true;
  };
}

/** The setup status after a box's answer; other outcomes (expired, not ready) leave it: it is begun again. */
const SETUP_ENDS: Partial<Readonly<Record<ReplyOutcome, SetupStatus>>> = {
  done: 'SUCCEEDED',
  failed: 'FAILED',
  unsupported: 'FAILED',
};

/** Ends the setup of a vehicle that still has that box and is not set up yet. */
function setupWriter(database: Database): (command: CommandRow, settled: SettledReply) => void {
  const update = database.prepare(`
    UPDATE vehicles SET setup_status = ?, setup_detail = ?, modified_ms = ?
    WHERE id = ? AND box_id = ? AND created_ms <= ? AND setup_status <> 'SUCCEEDED'`);
  const touchBox = database.prepare('UPDATE boxes SET version = version + 1 WHERE id = ?');
  return (command, { reply, boxId, atMs }) => {
    const status = SETUP_ENDS[reply.outcome];
    if (status === undefined) return;
    const detail =
      reply.outcome === 'unsupported'
        ? 'The firmware of the telematics unit does not support setup.'
        : reply.error;
    // A command older than the vehicle belonged to an earlier one of the same id.
    const written = update.run(status, detail, atMs, command.vehicle_id, boxId, command.opened_ms);
    if (written.changes === 0) return;
    // docs/store.md, One writer.
    touchBox.run(boxId);
  };
}
