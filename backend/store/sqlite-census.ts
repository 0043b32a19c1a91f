import type { Database } from 'better-sqlite3';
import type { Census, CensusStore } from './census-store.ts';
import { call } from './sqlite-call.ts';

/** Counts in SQLite: over all boxes (ten thousand take some milliseconds), and by the index of what is pending. */
export function sqliteCensus(database: Database): CensusStore {
  const count = database.prepare<[], Census>(`
    SELECT (SELECT count(*) FROM boxes WHERE connection_open = 1) AS boxesConnected,
      (SELECT count(*) FROM bulk_items WHERE status = 'pending') AS bulkItemsPending`);
  const probe = database.prepare(
    'INSERT INTO write_probe (id, at_ms) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at_ms = excluded.at_ms',
  );
  return {
    count: () => call(database, () => count.get() ?? { boxesConnected: 0, bulkItemsPending: 0 }),
    probe: (atMs) => call(database, () => void probe.run(atMs)),
  };
}
