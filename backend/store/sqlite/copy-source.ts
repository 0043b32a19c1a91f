import type { CopiedRow, CopySource } from '../copy-source.ts';
import { openDatabase } from './open.ts';

/**
 * The store in a file as the source of a copy. It is locked and brought to this program's version of the schema, so it had
 * better be a copy itself. Throws `StoreInUse`, `StoreTooNew` or `StoreFailed`.
 */
export function openCopySource(path: string): CopySource {
  const database = openDatabase(path);
  const box = database.prepare<[string], string | null>('select box_id from vehicles where id = ?').pluck();
  const tables = database
    .prepare<[], string>(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by 1",
    )
    .pluck()
    .all();
  const lastPosition = database
    .prepare<[], number>(`
      select max(
        coalesce((select max(reserved) from outbox_size), 0),
        coalesce((select max(position) from outbox), 0),
        coalesce((select max(position) from outbox_dropped), 0))`)
    .pluck()
    .get();
  return {
    tables,
    columnsOf: (table) =>
      database.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table),
    count: (table) => database.prepare<[], number>(`select count(*) from "${table}"`).pluck().get() ?? 0,
    // Tables have their rows in the order of their keys.
    rowsOf: (table) => database.prepare<[], CopiedRow>(`select * from "${table}"`).iterate(),
    boxOf: (vehicleId) => box.get(vehicleId) ?? undefined,
    lastPosition: lastPosition ?? 0,
    close: () => void database.close(),
  };
}
