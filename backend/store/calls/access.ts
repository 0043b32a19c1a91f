import type { AccessStore } from '../port/access-store.ts';
import { statement, type ValueOf } from '../statements/statement.ts';
import { type Calls, first, run } from '../statements/transaction.ts';

const saveFleet = statement(({ query }, value: ValueOf<{ id: string; name: string }>) =>
  query
    .insertInto('fleets')
    .values({ id: value('id'), name: value('name') })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name: (row) => row.ref('excluded.name') })),
);
const findFleet = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query.selectFrom('fleets').select(['id', 'name']).where('id', '=', value('id')),
);
const saveClient = statement(
  (
    { query },
    value: ValueOf<{
      id: string;
      fleetId: string;
      secretHash: string;
      permissions: string;
      redirectUris: string;
      createdMs: number;
    }>,
  ) =>
    query
      .insertInto('clients')
      .values({
        id: value('id'),
        fleet_id: value('fleetId'),
        secret_hash: value('secretHash'),
        permissions: value('permissions'),
        redirect_uris: value('redirectUris'),
        created_ms: value('createdMs'),
      })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((row) => ({
          fleet_id: row.ref('excluded.fleet_id'),
          secret_hash: row.ref('excluded.secret_hash'),
          permissions: row.ref('excluded.permissions'),
          redirect_uris: row.ref('excluded.redirect_uris'),
          created_ms: row.ref('excluded.created_ms'),
        })),
      ),
);
const findClient = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query.selectFrom('clients').selectAll().where('id', '=', value('id')),
);
const deleteClient = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query.deleteFrom('clients').where('id', '=', value('id')),
);

/** Fleets and clients. */
export function accessCalls(): Calls<AccessStore> {
  return {
    *saveFleet(fleet) {
      yield* run(saveFleet, fleet);
    },
    *findFleet(fleetId) {
      return yield* first(findFleet, { id: fleetId });
    },
    *saveClient(client) {
      yield* run(saveClient, {
        id: client.id,
        fleetId: client.fleetId,
        secretHash: client.secretHash,
        permissions: JSON.stringify(client.permissions),
        redirectUris: JSON.stringify(client.redirectUris ?? []),
        createdMs: client.createdMs,
      });
    },
    *findClient(clientId) {
      const row = yield* first(findClient, { id: clientId });
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
    *deleteClient(clientId) {
      yield* run(deleteClient, { id: clientId });
    },
  };
}
