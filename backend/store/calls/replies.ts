import { sql } from 'kysely';
import type { ReplyOutcome } from '../../../protocol/commands.ts';
import type { ConfigurationOrder } from '../port/configuration-store.ts';
import type { SettledReply } from '../port/ingest-store.ts';
import type { SetupStatus } from '../port/stored-vehicle.ts';
import { statement, type ValueOf } from '../statements/statement.ts';
import { first, run, type Transaction } from '../statements/transaction.ts';
import { confirmAttempt } from './bulk/bulk-overtaking.ts';
import type { CommandRow } from './commands.ts';
import { configurationDone, configurationSetUp, confirmedRevision } from './configuration.ts';

type SettledRow = Pick<CommandRow, 'vehicle_id' | 'command' | 'opened_ms' | 'configuration'>;

const settle = statement(
  (
    { query },
    value: ValueOf<{
      requestId: string;
      boxId: string;
      outcome: string;
      atMs: number;
      error: string;
      status: string | null;
      state: string | null;
    }>,
  ) =>
    query
      .updateTable('commands')
      .set({
        outcome: value('outcome'),
        settled_ms: value('atMs'),
        error: value('error'),
        status: value('status'),
        state: value('state'),
      })
      .where('request_id', '=', value('requestId'))
      .where('box_id', '=', value('boxId'))
      .where('outcome', 'in', [sql.lit('open'), sql.lit('unknown'), sql.lit('withdrawn')])
      .returning(['vehicle_id', 'command', 'opened_ms', 'configuration']),
);
const endSetup = statement(
  (
    { query },
    value: ValueOf<{
      vehicleId: string;
      boxId: string;
      openedMs: number;
      status: string;
      detail: string;
      atMs: number;
    }>,
  ) =>
    query
      .updateTable('vehicles')
      .set({ setup_status: value('status'), setup_detail: value('detail'), modified_ms: value('atMs') })
      .where('id', '=', value('vehicleId'))
      .where('box_id', '=', value('boxId'))
      // A command older than the vehicle belonged to an earlier one of the same id.
      .where('created_ms', '<=', value('openedMs'))
      .where('setup_status', '<>', sql.lit('SUCCEEDED')),
);
const touchBox = statement(({ query }, value: ValueOf<{ boxId: string }>) =>
  query
    .updateTable('boxes')
    .set((row) => ({ version: row('version', '+', sql.lit(1)) }))
    .where('id', '=', value('boxId')),
);

/** The setup status after a box's answer; other outcomes (expired, not ready) leave it: it is begun again. */
const SETUP_ENDS: Partial<Readonly<Record<ReplyOutcome, SetupStatus>>> = {
  done: 'SUCCEEDED',
  failed: 'FAILED',
  unsupported: 'FAILED',
};

/**
 * Writes the outcome of a command, and what follows from it in the store: a setup that the box has ended, a configuration
 * that it has done. False if there is no such command of that box, or it is settled already. Part of the commit of
 * ingest.
 */
export function* settleReply(settled: SettledReply): Transaction<boolean> {
  const { reply, boxId, atMs, state } = settled;
  const command = yield* first(settle, {
    requestId: reply.requestId,
    boxId,
    outcome: reply.outcome,
    atMs,
    error: reply.error,
    status: reply.status === undefined ? null : JSON.stringify(reply.status),
    state: state === undefined ? null : JSON.stringify(state),
  });
  if (command === undefined) return false;
  if (command.command === 'begin-setup') yield* afterSetup(command, settled);
  if (command.configuration !== null && reply.outcome === 'done')
    yield* afterConfigure(command, JSON.parse(command.configuration) as ConfigurationOrder, settled);
  return true;
}

/** Ends the setup of a vehicle that still has that box and is not set up yet. */
function* afterSetup(command: SettledRow, settled: SettledReply): Transaction<void> {
  const { reply, boxId, atMs } = settled;
  const status = SETUP_ENDS[reply.outcome];
  if (status !== undefined) {
    const detail =
      reply.outcome === 'unsupported'
        ? 'The firmware of the telematics unit does not support setup.'
        : reply.error;
    const { vehicle_id: vehicleId, opened_ms: openedMs } = command;
    const changes = yield* run(endSetup, { vehicleId, boxId, openedMs, status, detail, atMs });
    // docs/store.md, One writer.
    if (changes > 0) yield* run(touchBox, { boxId });
  }
  // Even if the vehicle has changed meanwhile: the box has done it.
  if (reply.outcome === 'done') yield* configurationSetUp(settled);
}

function* afterConfigure(
  command: SettledRow,
  order: ConfigurationOrder,
  settled: SettledReply,
): Transaction<void> {
  const { boxId } = settled;
  yield* configurationDone(order, settled);
  // If it is late, an unrelated configuration may have replaced it already: then it is tried again.
  if (order.bulkJobId !== undefined && (yield* confirmedRevision(boxId)) === order.revision)
    yield* confirmAttempt(order.bulkJobId, command.vehicle_id);
}
