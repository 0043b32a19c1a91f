import { sql } from 'kysely';
import type { Setup, SetupStore } from '../../port/setup-store.ts';
import type { SetupStatus } from '../../port/stored-vehicle.ts';
import type { Dialect } from '../../statements/dialect.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import { all, type Calls, first, run } from '../../statements/transaction.ts';
import { BOX_SELECTION, type BoxVehicleRow, toBoxVehicle, VEHICLE_SELECTION } from './vehicle-rows.ts';

type SetupRow = BoxVehicleRow & { readonly setup_attempts: number; readonly setup_due_ms: number };

/** Identifies a setup in a state, as opposed to a changed one or a later vehicle of the same id. */
type Before = {
  id: string;
  boxId: string;
  createdMs: number;
  attempts: number;
  dueMs: number;
  status: SetupStatus;
};

const PENDING = sql.lit('PENDING');
const RUNNING = sql.lit('RUNNING');

/** Vehicles whose setup waits for a box that is ready, or for its answer. CROSS JOIN: vehicle by vehicle. */
function openSetups({ query }: Dialect) {
  return query
    .selectFrom('vehicles as v')
    .crossJoin('boxes as b')
    .whereRef('b.id', '=', 'v.box_id')
    .where('v.setup_status', 'in', [PENDING, RUNNING])
    .where((row) =>
      row.or([
        row('v.setup_status', '=', RUNNING),
        row.and([row('b.connection_open', '=', sql.lit(1)), row('b.not_ready_until_ms', 'is', null)]),
      ]),
    );
}

function selectSetups(dialect: Dialect) {
  return openSetups(dialect)
    .select([...VEHICLE_SELECTION, ...BOX_SELECTION])
    .select(['b.id as box_id', 'v.setup_attempts', 'v.setup_due_ms']);
}

const dueSince = statement((dialect, value: ValueOf<{ afterMs: number; nowMs: number; limit: number }>) =>
  selectSetups(dialect)
    .where('v.setup_due_ms', '>', value('afterMs'))
    .where('v.setup_due_ms', '<=', value('nowMs'))
    .orderBy('v.setup_due_ms')
    .orderBy('v.id')
    .limit(dialect.most(value('limit'))),
);
/** `+`: box by box, not through all that is due. */
const ofBoxes = statement((dialect, _value: ValueOf<{ boxIds: readonly string[] }>, list) =>
  selectSetups(dialect)
    .where('v.box_id', 'in', dialect.texts(list('boxIds')))
    .orderBy(sql`+${sql.ref('v.setup_due_ms')}`)
    .orderBy('v.id'),
);
/** By the index of the due times, up to the first. */
const nextDue = statement((dialect, value: ValueOf<{ afterMs: number }>) =>
  openSetups(dialect)
    .select('v.setup_due_ms')
    .where('v.setup_due_ms', '>', value('afterMs'))
    .orderBy('v.setup_due_ms')
    .limit(sql.lit(1)),
);

/** The vehicle, if its setup is in that state still. */
function selectUnchanged({ query }: Dialect, value: ValueOf<Before>) {
  return query
    .selectFrom('vehicles')
    .where('id', '=', value('id'))
    .where('box_id', '=', value('boxId'))
    .where('created_ms', '=', value('createdMs'))
    .where('setup_attempts', '=', value('attempts'))
    .where('setup_due_ms', '=', value('dueMs'))
    .where('setup_status', '=', value('status'));
}

/** Ingest finds the vehicle by its box: docs/store.md, One writer. */
const touchUnchanged = statement((dialect, value: ValueOf<Before>) =>
  dialect.query
    .updateTable('boxes')
    .set((row) => ({ version: row('version', '+', sql.lit(1)) }))
    .where('id', '=', selectUnchanged(dialect, value).select('box_id')),
);
const begin = statement((dialect, value: ValueOf<Before & { newDueMs: number; atMs: number }>) =>
  dialect.query
    .updateTable('vehicles')
    .set((row) => ({
      setup_status: RUNNING,
      setup_detail: sql.lit(''),
      setup_attempts: row('setup_attempts', '+', sql.lit(1)),
      setup_due_ms: value('newDueMs'),
      modified_ms: value('atMs'),
    }))
    .where('id', '=', selectUnchanged(dialect, value).select('id')),
);
const end = statement(
  (
    dialect,
    value: ValueOf<Before & { to: string; detail: string; newDueMs: number; taken: number; atMs: number }>,
  ) =>
    dialect.query
      .updateTable('vehicles')
      .set((row) => ({
        setup_status: value('to'),
        setup_detail: value('detail'),
        setup_attempts: row('setup_attempts', '-', value('taken')),
        setup_due_ms: value('newDueMs'),
        modified_ms: value('atMs'),
      }))
      .where('id', '=', selectUnchanged(dialect, value).select('id')),
);

/** Setups as work with due times. */
export function setupCalls(): Calls<SetupStore> {
  return {
    *due({ nowMs, limit, afterMs = Number.MIN_SAFE_INTEGER }) {
      return (yield* all(dueSince, { nowMs, limit, afterMs })).map(toSetup);
    },
    *ofBoxes(boxIds) {
      return (yield* all(ofBoxes, { boxIds })).map(toSetup);
    },
    *nextDueMs(afterMs) {
      return (yield* first(nextDue, { afterMs }))?.setup_due_ms;
    },
    // Both write the box before its vehicle, as ingest does: another order could cause a deadlock.
    *begin(setup, dueMs, atMs) {
      const { vehicle, attempts } = setup;
      const before = setupBefore(setup, 'PENDING');
      if ((yield* run(touchUnchanged, before)) === 0) return undefined;
      yield* run(begin, { ...before, newDueMs: dueMs, atMs });
      return { vehicle: { ...vehicle, setupStatus: 'RUNNING' }, attempts: attempts + 1, dueMs };
    },
    *end(setup, wanted, atMs) {
      const before = setupBefore(setup, 'RUNNING');
      if ((yield* run(touchUnchanged, before)) === 0) return false;
      yield* run(end, {
        ...before,
        to: wanted.to,
        detail: wanted.detail,
        newDueMs: wanted.to === 'PENDING' ? wanted.dueMs : setup.dueMs,
        taken: wanted.to === 'PENDING' && wanted.isVoid === true ? 1 : 0,
        atMs,
      });
      return true;
    },
  };
}

function toSetup(row: SetupRow): Setup {
  return { vehicle: toBoxVehicle(row), attempts: row.setup_attempts, dueMs: row.setup_due_ms };
}

function setupBefore({ vehicle, attempts, dueMs }: Setup, status: SetupStatus): Before {
  return { id: vehicle.id, boxId: vehicle.boxId, createdMs: vehicle.createdMs, attempts, dueMs, status };
}
