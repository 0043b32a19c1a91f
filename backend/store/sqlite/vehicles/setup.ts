import type { Database } from 'better-sqlite3';
import { BOX_COLUMNS, type BoxVehicleRow, toBoxVehicle } from '../../calls/vehicles/vehicle-rows.ts';
import type { Setup, SetupStore } from '../../port/setup-store.ts';
import type { Synchronous } from '../call.ts';

interface SetupColumns {
  readonly setup_attempts: number;
  readonly setup_due_ms: number;
}

/** Identifies a setup in its present state, as opposed to a changed one or a later vehicle of the same id. */
interface Before {
  readonly id: string;
  readonly boxId: string;
  readonly createdMs: number;
  readonly attempts: number;
  readonly dueMs: number;
}

/** Setups as work with due times, in SQLite. */
export function sqliteSetup(database: Database): Synchronous<SetupStore> {
  const IS_OPEN = `v.setup_status IN ('PENDING', 'RUNNING')
      AND (v.setup_status = 'RUNNING' OR (b.connection_open = 1 AND b.not_ready_until_ms IS NULL))`;
  const COLUMNS = `v.*, ${BOX_COLUMNS}`;
  const dueSince = database.prepare<[object], BoxVehicleRow & SetupColumns>(`
    SELECT ${COLUMNS} FROM vehicles v JOIN boxes b ON b.id = v.box_id
    WHERE ${IS_OPEN} AND v.setup_due_ms > @afterMs AND v.setup_due_ms <= @nowMs
    ORDER BY v.setup_due_ms, v.id LIMIT @limit + 0`);
  // CROSS JOIN: box by box.
  const ofBoxes = database.prepare<[string], BoxVehicleRow & SetupColumns>(`
    SELECT ${COLUMNS} FROM json_each(?) n
      CROSS JOIN vehicles v ON v.box_id = n.value
      CROSS JOIN boxes b ON b.id = v.box_id
    WHERE ${IS_OPEN} ORDER BY +v.setup_due_ms, v.id`);
  // CROSS JOIN: by the index of the due times, up to the first.
  const nextDue = database.prepare<[number], { readonly setup_due_ms: number }>(`
    SELECT v.setup_due_ms FROM vehicles v CROSS JOIN boxes b ON b.id = v.box_id
    WHERE ${IS_OPEN} AND v.setup_due_ms > ? ORDER BY v.setup_due_ms LIMIT 1`);
  const same = `id = @id AND box_id = @boxId AND created_ms = @createdMs AND setup_attempts = @attempts
      AND setup_due_ms = @dueMs`;
  const begin = database.prepare(`
    UPDATE vehicles SET setup_status = 'RUNNING', setup_detail = '', setup_attempts = setup_attempts + 1,
      setup_due_ms = @newDueMs, modified_ms = @atMs
    WHERE ${same} AND setup_status = 'PENDING'`);
  const end = database.prepare(`
    UPDATE vehicles SET setup_status = @to, setup_detail = @detail, setup_due_ms = @newDueMs,
      setup_attempts = setup_attempts - @taken, modified_ms = @atMs
    WHERE ${same} AND setup_status = 'RUNNING'`);
  // Ingest finds the vehicle by its box: docs/store.md, One writer.
  const touch = database.prepare<[string]>('UPDATE boxes SET version = version + 1 WHERE id = ?');

  const change = database.transaction((boxId: string, write: () => { readonly changes: number }) => {
    if (write().changes === 0) return false;
    touch.run(boxId);
    return true;
  });

  return {
    due: ({ nowMs, limit, afterMs = Number.MIN_SAFE_INTEGER }) =>
      dueSince.all({ nowMs, limit, afterMs }).map(toSetup),
    ofBoxes: (boxIds) => ofBoxes.all(JSON.stringify(boxIds)).map(toSetup),
    nextDueMs: (afterMs) => nextDue.get(afterMs)?.setup_due_ms,
    begin: (setup, dueMs, atMs) => {
      const { vehicle, attempts } = setup;
      const isBegun = change.immediate(vehicle.boxId, () =>
        begin.run({ ...before(setup), newDueMs: dueMs, atMs }),
      );
      if (!isBegun) return undefined;
      return { vehicle: { ...vehicle, setupStatus: 'RUNNING' }, attempts: attempts + 1, dueMs };
    },
    end: (setup, wanted, atMs) =>
      change.immediate(setup.vehicle.boxId, () =>
        end.run({
          ...before(setup),
          to: wanted.to,
          detail: wanted.detail,
          newDueMs: wanted.to === 'PENDING' ? wanted.dueMs : setup.dueMs,
          taken: wanted.to === 'PENDING' && wanted.isVoid === true ? 1 : 0,
          atMs,
        }),
      ),
  };
}

function toSetup(row: BoxVehicleRow & SetupColumns): Setup {
  return { vehicle: toBoxVehicle(row), attempts: row.setup_attempts, dueMs: row.setup_due_ms };
}

function before({ vehicle, attempts, dueMs }: Setup): Before {
  return { id: vehicle.id, boxId: vehicle.boxId, createdMs: vehicle.createdMs, attempts, dueMs };
}
