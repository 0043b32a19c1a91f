import type { Database } from 'better-sqlite3';
import { SELECT_VEHICLE, toVehicle, type VehicleRow } from '../../calls/vehicles/vehicle-rows.ts';
import type {
  DueVehicle,
  LinkedVehicle,
  ThirdPartyChange,
  ThirdPartyStore,
} from '../../port/third-party-store.ts';
import type { Synchronous } from '../call.ts';
import { messageWriter } from '../outbox/outbox.ts';

/** How often linked and removed vehicles are looked for, which reads all of them. */
const KEPT_MS = 5_000;

interface ProgressRow {
  readonly version: number;
  readonly taken_ms: number | null;
}

interface DueRow {
  readonly vehicle_id: string;
  readonly maker: string;
  readonly maker_vehicle_id: string;
  readonly failures: number;
}

/** Vehicles behind makers' clouds, in SQLite. */
export function sqliteThirdParty(database: Database): Synchronous<ThirdPartyStore> {
  const findVehicle = database.prepare<[string, string], VehicleRow>(
    `${SELECT_VEHICLE} WHERE v.maker = (SELECT ?) AND v.maker_vehicle_id = (SELECT ?)`,
  );
  const progress = database.prepare<[string], ProgressRow>(
    'SELECT version, taken_ms FROM third_party WHERE vehicle_id = ?',
  );
  const refuse = database.prepare(
    `UPDATE commands SET outcome = ?, error = ?, settled_ms = ? WHERE request_id = ? AND outcome IN ('open', 'unknown')`,
  );
  const linked = (maker: string, makerVehicleId: string): LinkedVehicle | undefined => {
    const row = findVehicle.get(maker, makerVehicleId);
    if (row === undefined) return undefined;
    const found = progress.get(row.id);
    return { vehicle: toVehicle(row), version: found?.version ?? 1, takenMs: found?.taken_ms ?? undefined };
  };

  return {
    findLinked: linked,
    commit: commitIn(database),
    refuse: (requestId, outcome, error, atMs) => void refuse.run(outcome, error, atMs, requestId),
    ...dueTimes(database),
  };
}

function commitIn(database: Database): Synchronous<ThirdPartyStore>['commit'] {
  const openCommand = database.prepare<[string, number], { readonly request_id: string }>(
    `SELECT request_id FROM commands WHERE vehicle_id = ? AND outcome = 'open' AND expires_ms > ?`,
  );
  // A vehicle that was not polled yet has no row, and counts as of version 1.
  const begin = database.prepare(`
    INSERT INTO third_party (vehicle_id, version, due_ms, failures)
    SELECT id, 1, 0, 0 FROM vehicles WHERE id = ? AND maker IS NOT NULL ON CONFLICT DO NOTHING`);
  const step = database.prepare(`
    UPDATE third_party SET version = version + 1, taken_ms = coalesce(@takenMs, taken_ms)
    WHERE vehicle_id = @vehicleId AND version = @version`);
  const save = database.prepare(`
    UPDATE vehicles SET maker_state = coalesce(@state, maker_state),
      maker_contact_ms = max(coalesce(@lastContactMs, 0), coalesce(maker_contact_ms, 0)),
      maker_life = coalesce(@life, maker_life),
      maker_life_since_ms = coalesce(@lifeSinceMs, maker_life_since_ms)
    WHERE id = @vehicleId AND maker IS NOT NULL`);
  const settle = database.prepare(`
    UPDATE commands SET outcome = 'done', settled_ms = ? WHERE request_id = ? AND outcome IN ('open', 'unknown')`);
  const writeMessages = messageWriter(database);

  const commit = database.transaction((change: ThirdPartyChange) => {
    const { vehicleId, version, requestId, atMs, message } = change;
    const open = openCommand.get(vehicleId, atMs);
    if (open !== undefined && open.request_id !== requestId) return 'busy';
    begin.run(vehicleId);
    if (step.run({ vehicleId, version, takenMs: change.takenMs ?? null }).changes === 0) return 'stale';
    const saved = save.run({
      vehicleId,
      state: change.state === undefined ? null : JSON.stringify(change.state),
      lastContactMs: change.lastContactMs ?? null,
      life: change.life?.value ?? null,
      lifeSinceMs: change.life?.sinceMs ?? null,
    });
    if (saved.changes === 0) return 'stale';
    if (requestId !== undefined) settle.run(atMs, requestId);
    if (message !== undefined) writeMessages([message]);
    return 'written';
  });
  return (change) => commit.immediate(change);
}

function dueTimes(database: Database): Pick<Synchronous<ThirdPartyStore>, 'claim' | 'postpone' | 'nextDue'> {
  const forget = database.prepare(
    'DELETE FROM third_party WHERE NOT EXISTS (SELECT 1 FROM vehicles WHERE id = vehicle_id AND maker IS NOT NULL)',
  );
  const beginAll = database.prepare(`
    INSERT INTO third_party (vehicle_id, version, due_ms, failures)
    SELECT id, 1, 0, 0 FROM vehicles WHERE maker IS NOT NULL ON CONFLICT DO NOTHING`);
  // CROSS JOIN: by the index of the due times, since this is called many times a second.
  const due = database.prepare<[string, number, number], DueRow>(`
    SELECT t.vehicle_id, v.maker, v.maker_vehicle_id, t.failures
    FROM third_party t CROSS JOIN vehicles v ON v.id = t.vehicle_id
    WHERE v.maker IN (SELECT value FROM json_each(?)) AND t.due_ms <= ?
    ORDER BY t.due_ms, t.vehicle_id LIMIT ? + 0`);
  const lease = database.prepare('UPDATE third_party SET due_ms = ? WHERE vehicle_id = ?');
  const postpone = database.prepare('UPDATE third_party SET due_ms = ?, failures = ? WHERE vehicle_id = ?');
  const next = database.prepare<[string], { readonly due_ms: number }>(`
    SELECT t.due_ms FROM third_party t CROSS JOIN vehicles v ON v.id = t.vehicle_id
    WHERE v.maker IN (SELECT value FROM json_each(?)) ORDER BY t.due_ms LIMIT 1`);

  let keptUntilMs = Number.NEGATIVE_INFINITY;
  const claim = database.transaction(
    ({ makers, nowMs, leasedUntilMs, limit }: Parameters<ThirdPartyStore['claim']>[0]): DueVehicle[] => {
      if (nowMs < keptUntilMs - KEPT_MS || nowMs >= keptUntilMs) {
        keptUntilMs = nowMs + KEPT_MS;
        forget.run();
        beginAll.run();
      }
      const rows = due.all(JSON.stringify(makers), nowMs, limit);
      for (const row of rows) lease.run(leasedUntilMs, row.vehicle_id);
      return rows.map((row) => ({
        vehicleId: row.vehicle_id,
        maker: row.maker,
        makerVehicleId: row.maker_vehicle_id,
        failures: row.failures,
      }));
    },
  );

  return {
    claim: (query) => claim.immediate(query),
    postpone: (vehicleId, dueMs, failures) => void postpone.run(dueMs, failures, vehicleId),
    nextDue: (makers) => next.get(JSON.stringify(makers))?.due_ms,
  };
}
