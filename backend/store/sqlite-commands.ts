import type { Database } from 'better-sqlite3';
import type { SystemStatus } from '../../protocol/message.ts';
import { limits } from '../limits.ts';
import type { Command, CommandStore, OpenCommand } from './command-store.ts';
import type { ConfigurationOrder } from './configuration-store.ts';
import { bulkOvertaking } from './sqlite-bulk-overtaking.ts';
import { call } from './sqlite-call.ts';
import { confirmedRevision } from './sqlite-configuration.ts';

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

/** Stands where a command goes to no box. */
const NO_BOX = '';

/** Commands in SQLite. Their outcomes are written by the commit of ingest (sqlite-ingest.ts). */
export function sqliteCommands(database: Database): CommandStore {
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

  // Old ones are looked for once in a while: the look costs as much as half of the rest.
  let prunedMs = Number.NEGATIVE_INFINITY;
  const open = database.transaction((command: OpenCommand) => {
    if (command.openedMs >= prunedMs + limits.commandPruneMs) {
      const { changes } = prune.run(command.openedMs - limits.retentionMs, limits.prunedPerCall);
      if (changes < limits.prunedPerCall) prunedMs = command.openedMs;
    }
    expire.run({ vehicleId: command.vehicleId, atMs: command.openedMs });
    const { configuration, ...columns } = command;
    // Another configuration came in between: what this one would keep is not what is in force any more.
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
    open: (command) => call(database, () => open.immediate(command)),
    isOpen: (vehicleId, atMs) => call(database, () => findOpen.get(vehicleId, atMs) !== undefined),
    find: (requestId) =>
      call(database, () => {
        const row = find.get(requestId);
        return row === undefined ? undefined : toCommand(row);
      }),
    giveUp: (requestId, atMs) => call(database, () => void end.run('unknown', atMs, requestId)),
    withdraw: (requestId, atMs) => call(database, () => void end.run('withdrawn', atMs, requestId)),
  };
}

/** The part of a row that was known when the command was opened. */
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
