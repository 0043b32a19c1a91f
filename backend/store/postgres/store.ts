import type { Stream } from '../../../world/random/random.ts';
import type { Time } from '../../../world/time/time.ts';
import { type Store, StoreFailed } from '../port/store.ts';
import { type StoreCall, storeOfCalls } from '../port/store-calls.ts';
import { raisedWakeUp } from '../raised-wake-ups.ts';
import { beginCall, postgresCalls } from './calls.ts';
import { connectionConfig, openConnections } from './connections.ts';
import { executor } from './executor.ts';
import { postgresLimits } from './limits.ts';
import { listening } from './listening.ts';
import { POSTGRES_MIGRATIONS } from './migrations/list.ts';
import type { PostgresMigration } from './migrations/migration.ts';
import { tellOthers } from './notices.ts';
import { addressOf, type DatabasePlace, withOneConnection } from './one-connection.ts';
import { messageWriter } from './outbox/outbox-messages.ts';
import { migrate } from './schema.ts';

/**
 * Calls with a connection of their own, since a backend makes them one after the other: even if calls that wait for a
 * lock occupy all others, its leases are renewed in time.
 */
const BESIDE: ReadonlySet<string> = new Set(['leases.look', 'leases.release', 'leases.leave']);

export interface PostgresSettings extends DatabasePlace {
  readonly time: Time;
  /** Draws the waits before a call is retried. */
  readonly chance: Stream;
  readonly migrations?: readonly PostgresMigration[];
}

/**
 * A store in a database of PostgreSQL, whose schema is brought up to date first. Several processes may use one at the
 * same time. Rejects with one line: `StoreFailed` if the address is unusable, or the database cannot be reached or
 * used, `StoreTooNew` if a newer program has written it.
 *
 * Calls reject with `StoreFailed` while the server is away, and succeed again once it is back. docs/store.md,
 * PostgreSQL.
 */
export async function openPostgresStore(settings: PostgresSettings): Promise<Store> {
  const { authority, time, chance, limits = postgresLimits } = settings;
  const address = addressOf(settings);
  const migrations = settings.migrations ?? POSTGRES_MIGRATIONS;
  const by = await withOneConnection(settings, async (client) => {
    await migrate(client, migrations, limits);
    // No other store on the database has that name. Chance would not do, since processes may have the same seed.
    const named = await client.query<{ readonly name: string }>('select gen_random_uuid()::text as name');
    return named.rows[0]?.name ?? '';
  });
  const connections = openConnections(connectionConfig(address, authority, limits), limits);
  const besideLimits = { ...limits, connections: 1 };
  const beside = openConnections(connectionConfig(address, authority, limits), besideLimits);
  const outbox = messageWriter();
  const calls = postgresCalls(outbox);
  const heard = listening({ config: connectionConfig(address, authority, limits), by, time, chance, limits });
  const parts = {
    begin: (call: StoreCall) => beginCall(calls, call),
    outboxMessages: outbox.write,
    tell: (call: StoreCall, result: unknown) => {
      const wakeUp = raisedWakeUp(call, result);
      return wakeUp === undefined ? undefined : tellOthers(wakeUp, by);
    },
    time,
    chance,
    limits,
    shown: address.shown,
  };
  const carryOut = executor({ ...parts, connections });
  const carryOutBeside = executor({ ...parts, connections: beside });
  const { whileOpen, close } = untilClosed(
    (call) => (BESIDE.has(`${call.part}.${call.name}`) ? carryOutBeside(call) : carryOut(call)),
    async () => {
      await heard.close();
      await connections.close();
      await beside.close();
    },
  );
  return storeOfCalls(calls, { write: whileOpen, read: whileOpen, listen: heard.listen, close });
}

/** Carries out calls until it is closed: then it waits for those in progress, and refuses others. */
function untilClosed(
  carryOut: (call: StoreCall) => Promise<unknown>,
  end: () => Promise<void>,
): { readonly whileOpen: (call: StoreCall) => Promise<unknown>; readonly close: () => Promise<void> } {
  const underWay = new Set<Promise<void>>();
  let closed: Promise<void> | undefined;
  return {
    whileOpen: (call) => {
      if (closed !== undefined) return Promise.reject(new StoreFailed('The store is closed.'));
      const outcome = carryOut(call);
      const settle = () => void underWay.delete(settled);
      const settled: Promise<void> = outcome.then(settle, settle);
      underWay.add(settled);
      return outcome;
    },
    close: () => {
      closed ??= Promise.all(underWay).then(end);
      return closed;
    },
  };
}
