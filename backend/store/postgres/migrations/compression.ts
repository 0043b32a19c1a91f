/**
 * Compression that is quick to write: less CPU than PostgreSQL's own, and half of the WAL of none
 * (docs/performance.md). A server that was built without it, or is older than 14, uses its own.
 */
export function quicklyCompressed(table: string, column: string): string {
  return `
    do $$ begin
      execute 'alter table ${table} alter column ${column} set compression lz4';
    exception when syntax_error or feature_not_supported then null;
    end $$;`;
}
