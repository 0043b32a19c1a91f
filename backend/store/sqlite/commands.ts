import type { Database } from 'better-sqlite3';
import type { SystemStatus } from '../../../protocol/message.ts';
import { limits } from '../../limits.ts';
import type { Command, CommandStore, OpenCommand } from '../port/command-store.ts';
import type { ConfigurationOrder } from '../port/configuration-store.ts';
import { bulkOvertaking } from './bulk/bulk-overtaking.ts';
import type { Synchronous } from './call.ts';
import { confirmedRevision } from './configuration.ts';

export interface CommandRow {
  readonly request_id: string;
  readonly vehicle_id: string;
  readonly box_id: string;
  readonly flow_id: string;
  readonly command: string;
  readonly configuration: string | null;
  readonly opened_ms: number;
  readonly expires_ms: number;
  readonly settled_ms: number | null;
  readonly outcome: string;
  readonly error: string;
  readonly status: string | null;
  readonly state: string | null;
}

/** The box id of a command that goes to no box. */
const NO_BOX = '';

/** Commands in SQLite. Their outcomes are written by the commit of ingest (ingest.ts). */
export function sqliteCommands(database: Database): Synchronous<CommandStore> {
  const expire = database.prepare(`
    UPDATE commands SET outcome = 'unknown', settled_ms = @atMs
    WHERE vehicle_id = @vehicleId AND outcome = 'open' AND expires_ms <= @atMs`);
  const insert = database.prepare(`
    INSERT INTO commands (request_id, vehicle_id, box_id, flow_id, command, configuration, opened_ms, expires_ms,
      outcome, error)
    VALUES (@requestId, @vehicleId, @boxId, @flowId, @command, @configuration, @openedMs, @expiresMs, 'open', '')
    ON CONFLICT (vehicle_id) WHERE outcome = 'open' DO NOTHING`);
  const prune = database.prepare(`
    DELETE FROM commands WHERE request_id IN (
      SELECT request_id FROM commands WHERE opened_ms < ? AND outcome <> 'open' ORDER BY opened_ms LIMIT ? + 0)`);
  const find = database.prepare<[string], CommandRow>('SELECT * FROM commands WHERE request_id = ?');
  const findOpen = database.prepare<[string, number], { readonly 1: 1 }>(
    `SELECT 1 FROM commands WHERE vehicle_id = ? AND outcome = 'open' AND expires_ms > ?`,
  );
  const end = database.prepare(
    `UPDATE commands SET outcome = ?, settled_ms = ? WHERE request_id = ? AND outcome = 'open'`,
  );

  const confirmed = confirmedRevision(database);
  const bulk = bulkOvertaking(database);

  // Old commands are pruned once in a while: the look costs as much as half of the rest.
  let prunedMs = Number.NEGATIVE_INFINITY;
  const open = database.transaction((command: OpenCommand) => {
    if (command.openedMs >= prunedMs + limits.commandPruneMs) {
      const { changes } = prune.run(command.openedMs - limits.retentionMs, limits.prunedPerCall);
      if (changes < limits.prunedPerCall) prunedMs = command.openedMs;
    }
    expire.run({ vehicleId: command.vehicleId, atMs: command.openedMs });
    const { configuration, ...columns } = command;
    // Another configuration was confirmed in between: what this one would keep is no longer in force.
    const boxId = command.boxId ?? NO_BOX;
    if (configuration !== undefined && confirmed(boxId) !== configuration.basedOn) return 'conflict';
    const jobId = configuration?.bulkJobId;
    if (jobId !== undefined && !bulk.mayOpen(jobId, command.vehicleId)) return 'conflict';
    const order = configuration === undefined ? null : JSON.stringify(configuration);
    if (insert.run({ ...columns, boxId, configuration: order }).changes === 0) return 'conflict';
    if (jobId === undefined) bulk.byCommand(command);
    return 'opened';
  });

  return {
    open: (command) => open.immediate(command),
    isOpen: (vehicleId, atMs) => findOpen.get(vehicleId, atMs) !== undefined,
    find: (requestId) => {
      const row = find.get(requestId);
      return row === undefined ? undefined : toCommand(row);
    },
    giveUp: (requestId, atMs) => void end.run('unknown', atMs, requestId),
    withdraw: (requestId, atMs) => void end.run('withdrawn', atMs, requestId),
  };
}

/** The columns of a row that were set when the command was opened. */
export function toOpenCommand(row: CommandRow): OpenCommand {
  return {
    requestId: row.request_id,
    vehicleId: row.vehicle_id,
    boxId: row.box_id === NO_BOX ? undefined : row.box_id,
    flowId: row.flow_id,
    command: row.command as OpenCommand['command'],
    ...(row.configuration === null
      ? {}
      : { configuration: JSON.parse(row.configuration) as ConfigurationOrder }),
    openedMs: row.opened_ms,
    expiresMs: row.expires_ms,
  };
}

function toCommand(row: CommandRow): Command {
  return {
    ...toOpenCommand(row),
    settledMs: row.settled_ms ?? undefined,
    outcome: row.outcome as Command['outcome'],
    error: row.error,
    status: row.status === null ? undefined : (JSON.parse(row.status) as SystemStatus),
    state: row.state === null ? undefined : (JSON.parse(row.state) as NonNullable<Command['state']>),
  };
}
