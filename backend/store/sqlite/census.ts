import type { Database } from 'better-sqlite3';
import type { Census, CensusStore } from '../port/census-store.ts';
import type { Synchronous } from './call.ts';

/**
 * Counts in SQLite: over all boxes (ten thousand take a few milliseconds), and by the index of pending items.
 */
export function sqliteCensus(database: Database): Synchronous<CensusStore> {
  const count = database.prepare<[], Census>(`
    SELECT (SELECT count(*) FROM boxes WHERE connection_open = 1) AS boxesConnected,
      (SELECT count(*) FROM bulk_items WHERE status = 'pending') AS bulkItemsPending`);
  const probe = database.prepare(
    'INSERT INTO write_probe (id, at_ms) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at_ms = excluded.at_ms',
  );
  return {
    count: () => count.get() ?? { boxesConnected: 0, bulkItemsPending: 0 },
    probe: (atMs) => void probe.run(atMs),
  };
}
