import { type Selectable, sql } from 'kysely';
import type { SystemStatus } from '../../../protocol/message.ts';
import { limits } from '../../base/limits.ts';
import type { Command, CommandStore, OpenCommand } from '../port/command-store.ts';
import type { ConfigurationOrder } from '../port/configuration-store.ts';
import { statement, type ValueOf } from '../statements/statement.ts';
import type { Tables } from '../statements/tables.ts';
import { type Calls, first, run, type Transaction } from '../statements/transaction.ts';
import { mayOpenAttempt, overtakeByCommand } from './bulk/bulk-overtaking.ts';
import { confirmedRevision } from './configuration.ts';

export type CommandRow = Selectable<Tables['commands']>;

/** The box id of a command that goes to no box. */
const NO_BOX = '';

const insert = statement(
  (
    { query },
    value: ValueOf<{
      requestId: string;
      vehicleId: string;
      boxId: string;
      flowId: string;
      command: string;
      configuration: string | null;
      openedMs: number;
      expiresMs: number;
    }>,
  ) =>
    query
      .insertInto('commands')
      .values({
        request_id: value('requestId'),
        vehicle_id: value('vehicleId'),
        box_id: value('boxId'),
        flow_id: value('flowId'),
        command: value('command'),
        configuration: value('configuration'),
        opened_ms: value('openedMs'),
        expires_ms: value('expiresMs'),
        outcome: sql.lit('open'),
        error: sql.lit(''),
      })
      .onConflict((conflict) =>
        conflict.column('vehicle_id').where('outcome', '=', sql.lit('open')).doNothing(),
      ),
);
const expire = statement(({ query }, value: ValueOf<{ vehicleId: string; atMs: number }>) =>
  query
    .updateTable('commands')
    .set({ outcome: sql.lit('unknown'), settled_ms: value('atMs') })
    .where('vehicle_id', '=', value('vehicleId'))
    .where('outcome', '=', sql.lit('open'))
    .where('expires_ms', '<=', value('atMs')),
);
const remove = statement(({ query }, value: ValueOf<{ requestId: string }>) =>
  query.deleteFrom('commands').where('request_id', '=', value('requestId')),
);
const prune = statement(
  ({ query, most, unlockedOnly }, value: ValueOf<{ openedBeforeMs: number; limit: number }>) =>
    query.deleteFrom('commands').where('request_id', 'in', (old) =>
      old
        .selectFrom('commands as old')
        .select('old.request_id')
        .where('old.opened_ms', '<', value('openedBeforeMs'))
        .where('old.outcome', '<>', sql.lit('open'))
        .orderBy('old.opened_ms')
        .limit(most(value('limit')))
        .modifyEnd(unlockedOnly),
    ),
);
const find = statement(({ query }, value: ValueOf<{ requestId: string }>) =>
  query.selectFrom('commands').selectAll().where('request_id', '=', value('requestId')),
);
const findOpen = statement(({ query }, value: ValueOf<{ vehicleId: string; atMs: number }>) =>
  query
    .selectFrom('commands')
    .select('request_id')
    .where('vehicle_id', '=', value('vehicleId'))
    .where('outcome', '=', sql.lit('open'))
    .where('expires_ms', '>', value('atMs')),
);
const end = statement(({ query }, value: ValueOf<{ requestId: string; outcome: string; atMs: number }>) =>
  query
    .updateTable('commands')
    .set({ outcome: value('outcome'), settled_ms: value('atMs') })
    .where('request_id', '=', value('requestId'))
    .where('outcome', '=', sql.lit('open')),
);

/** Commands. What boxes answer is written by `settleReply`. */
export function commandCalls(): Calls<CommandStore> {
  // Old commands are pruned only periodically: the search costs half as much as the rest. If it is rolled back, they
  // stay until the next one.
  let prunedMs = Number.NEGATIVE_INFINITY;

  function* pruneOnceInAWhile(nowMs: number): Transaction<void> {
    if (nowMs < prunedMs + limits.commandPruneMs) return;
    const limit = limits.prunedPerCall;
    const changes = yield* run(prune, { openedBeforeMs: nowMs - limits.retentionMs, limit });
    if (changes < limit) prunedMs = nowMs;
  }

  return {
    *open(command) {
      yield* pruneOnceInAWhile(command.openedMs);
      // First, since it waits for a commit that settles the previous command: the reads after it see its writes.
      if (!(yield* insertOpen(command))) return 'conflict';
      const { configuration } = command;
      if (configuration === undefined) return 'opened';
      if (!(yield* mayConfigure(command, configuration))) {
        yield* run(remove, { requestId: command.requestId });
        return 'conflict';
      }
      if (configuration.bulkJobId === undefined) yield* overtakeByCommand(command, configuration);
      return 'opened';
    },
    *isOpen(vehicleId, atMs) {
      return (yield* first(findOpen, { vehicleId, atMs })) !== undefined;
    },
    *find(requestId) {
      const row = yield* first(find, { requestId });
      return row === undefined ? undefined : toCommand(row);
    },
    *giveUp(requestId, atMs) {
      yield* run(end, { requestId, outcome: 'unknown', atMs });
    },
    *withdraw(requestId, atMs) {
      yield* run(end, { requestId, outcome: 'withdrawn', atMs });
    },
  };
}

/** Whether it is the open command of its vehicle now. One that has expired makes room. */
function* insertOpen({ configuration, boxId, ...columns }: OpenCommand): Transaction<boolean> {
  const { vehicleId, openedMs } = columns;
  const row = {
    ...columns,
    boxId: boxId ?? NO_BOX,
    configuration: configuration === undefined ? null : JSON.stringify(configuration),
  };
  if ((yield* run(insert, row)) === 1) return true;
  yield* run(expire, { vehicleId, atMs: openedMs });
  return (yield* run(insert, row)) === 1;
}

/** Whether the base of the configuration is still in force. */
function* mayConfigure(
  { vehicleId, boxId }: OpenCommand,
  { basedOn, bulkJobId }: ConfigurationOrder,
): Transaction<boolean> {
  // Another configuration was confirmed in between: what this one would preserve is no longer in force.
  if ((yield* confirmedRevision(boxId ?? NO_BOX)) !== basedOn) return false;
  return bulkJobId === undefined || (yield* mayOpenAttempt(bulkJobId, vehicleId));
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
