import type { Database } from 'better-sqlite3';
import type { RecordCounts } from '../../calls/record-counts.ts';
import type { BoxChange } from '../../port/ingest-store.ts';

/** Writes one change of a box; false if the box has another version by now. */
export function boxWriter(database: Database): (change: BoxChange, counts: RecordCounts) => boolean {
  // The columns that a record usually changes. They are written so often that the others have their own
  // statement.
  const updateUsual = database.prepare(`
    UPDATE boxes SET version = version + 1,
      last_contact_ms = coalesce(?, last_contact_ms),
      journal = coalesce(?, journal),
      state = coalesce(?, state),
      records_stored = records_stored + ?,
      records_lost = records_lost + ?
    WHERE id = ? AND version = ?`);
  // docs/store.md, What is not given stays.
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
    const { journal, boxId } = change;
    const result = updateUsual.run(
      change.lastContactMs ?? null,
      journal === undefined ? null : JSON.stringify(journal),
      change.stateText ?? null,
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
