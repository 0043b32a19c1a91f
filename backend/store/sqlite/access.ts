import type { Database } from 'better-sqlite3';
import type { AccessStore } from '../port/access-store.ts';
import type { Synchronous } from './call.ts';

interface ClientRow {
  readonly id: string;
  readonly fleet_id: string;
  readonly secret_hash: string;
  readonly permissions: string;
  readonly redirect_uris: string;
  readonly created_ms: number;
}

/** Fleets and clients in SQLite. */
export function sqliteAccess(database: Database): Synchronous<AccessStore> {
  const saveFleet = database.prepare(
    'INSERT INTO fleets (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name',
  );
  const findFleet = database.prepare<[string], { readonly id: string; readonly name: string }>(
    'SELECT id, name FROM fleets WHERE id = ?',
  );
  const saveClient = database.prepare(`
    INSERT INTO clients (id, fleet_id, secret_hash, permissions, redirect_uris, created_ms) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET fleet_id = excluded.fleet_id, secret_hash = excluded.secret_hash,
      permissions = excluded.permissions, redirect_uris = excluded.redirect_uris, created_ms = excluded.created_ms`);
  const findClient = database.prepare<[string], ClientRow>('SELECT * FROM clients WHERE id = ?');
  const deleteClient = database.prepare('DELETE FROM clients WHERE id = ?');

  return {
    saveFleet: (fleet) => void saveFleet.run(fleet.id, fleet.name),
    findFleet: (fleetId) => findFleet.get(fleetId),
    saveClient: (client) =>
      void saveClient.run(
        client.id,
        client.fleetId,
        client.secretHash,
        JSON.stringify(client.permissions),
        JSON.stringify(client.redirectUris ?? []),
        client.createdMs,
      ),
    findClient: (clientId) => {
      const row = findClient.get(clientId);
      if (row === undefined) return undefined;
      return {
        id: row.id,
        fleetId: row.fleet_id,
        secretHash: row.secret_hash,
        permissions: JSON.parse(row.permissions) as readonly string[],
        redirectUris: JSON.parse(row.redirect_uris) as readonly string[],
        createdMs: row.created_ms,
      };
    },
    deleteClient: (clientId) => void deleteClient.run(clientId),
  };
}
