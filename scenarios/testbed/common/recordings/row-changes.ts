import type { StoreOptions } from '../../../../backend/store/sqlite/store.ts';
import type { OutcomeKind } from '../../../../judge/evidence/outcome-history.ts';

type Database = Parameters<NonNullable<StoreOptions['opened']>>[0];

/** A row that was written, by its columns; undefined: it is new, or was removed. */
export interface RowChange {
  readonly kind: OutcomeKind;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

export type Row = Readonly<Record<string, string | number | null>>;

/** The watched table of each kind: the columns that name a row, and those that its outcome consists of. */
const TABLES: Readonly<
  Record<
    OutcomeKind,
    { readonly table: string; readonly names: readonly string[]; readonly says: readonly string[] }
  >
> = {
  command: {
    table: 'commands',
    names: ['request_id', 'vehicle_id', 'box_id'],
    says: ['outcome', 'settled_ms', 'error', 'status', 'state', 'configuration'],
  },
  item: {
    table: 'bulk_items',
    names: ['job_id', 'position', 'vehicle_id'],
    says: ['status', 'reason', 'detail'],
  },
  configuration: {
    table: 'configurations',
    names: ['box_id'],
    says: ['handed_out', 'revision', 'features', 'decided', 'calibrated', 'epoch'],
  },
};

/**
 * Watches the rows of a database by triggers of this connection alone, so that a change counts whichever statement makes
 * it, and one that is rolled back does not. Returns what takes the changes since it was called last, in their order.
 */
export function watchRows(database: Database): () => readonly RowChange[] {
  database.exec(
    [
      'CREATE TEMP TABLE row_changes (number INTEGER PRIMARY KEY, kind TEXT, before TEXT, after TEXT);',
      ...Object.entries(TABLES).flatMap(([kind, { table, names, says }]) => {
        const row = (whose: 'OLD' | 'NEW') =>
          `json_object(${[...names, ...says].map((name) => `'${name}', ${whose}.${name}`).join(', ')})`;
        const isOther = says.map((name) => `OLD.${name} IS NOT NEW.${name}`).join(' OR ');
        const trigger = (event: string, when: string, before: string, after: string) =>
          `CREATE TEMP TRIGGER ${table}_${event.toLowerCase()} AFTER ${event} ON main.${table} ${when} BEGIN
             INSERT INTO row_changes (kind, before, after) VALUES ('${kind}', ${before}, ${after});
           END;`;
        return [
          trigger('INSERT', '', 'NULL', row('NEW')),
          trigger('UPDATE', `WHEN ${isOther}`, row('OLD'), row('NEW')),
          trigger('DELETE', '', row('OLD'), 'NULL'),
        ];
      }),
    ].join('\n'),
  );
  const read = database.prepare<[], { kind: OutcomeKind; before: string | null; after: string | null }>(
    'SELECT kind, before, after FROM row_changes ORDER BY number',
  );
  const clear = database.prepare('DELETE FROM row_changes');
  return () => {
    const rows = read.all();
    if (rows.length === 0) return [];
    clear.run();
    return rows.map(({ kind, before, after }) => ({ kind, before: rowOf(before), after: rowOf(after) }));
  };
}

function rowOf(text: string | null): Row | undefined {
  return text === null ? undefined : (JSON.parse(text) as Row);
}
