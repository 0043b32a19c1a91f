import type { Database } from 'better-sqlite3';
import { call } from './sqlite-call.ts';
import type { AccessStore } from './store.ts';

interface ClientRow {
  readonly id: string;
  readonly fleet_id: string;
  readonly secret_hash: string;
  readonly permissions: string;
  readonly created_ms: number;
}

/** Fleets and clients in SQLite. */
export function sqliteAccess(database: Database): AccessStore {
  const saveFleet = database.prepare(
    'INSERT INTO fleets (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name',
  );
  const saveClient = database.prepare(`
    INSERT INTO clients (id, fleet_id, secret_hash, permissions, created_ms) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET fleet_id = excluded.fleet_id, secret_hash = excluded.secret_hash,
      permissions = excluded.permissions, created_ms = excluded.created_ms`);
  const findClient = database.prepare<[string], ClientRow>('SELECT * FROM clients WHERE id = ?');
  const deleteClient = database.prepare('DELETE FROM clients WHERE id = ?');

  return {
    saveFleet: (fleet) => call(database, () => void saveFleet.run(fleet.id, fleet.name)),
    saveClient: (client) =>
      call(
        database,
        () =>
          void saveClient.run(
            client.id,
            client.fleetId,
            client.secretHash,
            JSON.stringify(client.permissions),
            client.createdMs,
          ),
      ),
    findClient: (clientId) =>
      call(database, () => {
        const row = findClient.get(clientId);
        if (row === undefined) return undefined;
        return {
          id: row.id,
          fleetId: row.fleet_id,
          secretHash: row.secret_hash,
          permissions: JSON.parse(row.permissions) as readonly string[],
          createdMs: row.created_ms,
        };
      }),
    deleteClient: (clientId) => call(database, () => void deleteClient.run(clientId)),
  };
}
