import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Store, StoreFailed } from '../../backend/store/port/store.ts';
import type { StoreCall } from '../../backend/store/port/store-calls.ts';
import { readAddress } from '../../backend/store/postgres/address.ts';
import {
  type Connections,
  connectionConfig,
  openConnections,
} from '../../backend/store/postgres/connections.ts';
import { executor } from '../../backend/store/postgres/executor.ts';
import { type PostgresLimits, postgresLimits } from '../../backend/store/postgres/limits.ts';
import { statement, type ValueOf } from '../../backend/store/statements/statement.ts';
import { all, run, type Transaction } from '../../backend/store/statements/transaction.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { realTime } from '../../world/time/real-time.ts';
import { postgres, waitUntil, withService } from '../support/run/external-services.ts';
import { startTcpProxy } from '../support/sockets/tcp-proxy.ts';
import { openTestStore, patientLimits, testDatabases } from '../support/store/postgres-databases.ts';

const SERIALIZABLE = { part: 'vehicles', name: 'save' } as const;
const READ_COMMITTED = { part: 'ingest', name: 'commit' } as const;

const longerName = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query.updateTable('fleets').set({ name: sql`name || '.'` }).where('id', '=', value('id')),
);
const allFleets = statement(({ query }, _: ValueOf<Record<string, never>>) =>
  query.selectFrom('fleets').selectAll().orderBy('id'),
);
const removeFleet = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query.deleteFrom('fleets').where('id', '=', value('id')),
);

/** What carries out calls for one process, with transactions of the test's own in their place. */
function backendAt(
  url: string,
  limits: PostgresLimits = postgresLimits,
): {
  carryOut(kind: Pick<StoreCall, 'part' | 'name'>, begin: () => Transaction<unknown>): Promise<unknown>;
  close(): Promise<void>;
} {
  const connections = connectionsTo(url, limits);
  const carryOut = executor({
    connections,
    begin: ({ parameters }) => (parameters[0] as () => Transaction<unknown>)(),
    // biome-ignore lint/correctness/useYield: no call here has messages
    outboxMessages: function* () {
      return [];
    },
    time: realTime(),
    chance: seededRandom(1).stream('retries'),
    limits,
    shown: 'the database',
  });
  return {
    carryOut: (kind, begin) => carryOut({ ...kind, parameters: [begin] }),
    close: () => connections.close(),
  };
}

function connectionsTo(url: string, limits: PostgresLimits): Connections {
  const read = readAddress(url, { hasAuthority: false });
  if ('refusal' in read) throw new Error(read.refusal);
  return openConnections(connectionConfig(read.address, undefined, limits), limits);
}

await withService(postgres, ({ url: serverUrl }) => {
  const databases = testDatabases(serverUrl);
  let url: string;
  beforeAll(async () => {
    url = await databases.create();
    await (await openTestStore(url)).close();
  });
  beforeEach(() => databases.query(url, 'delete from fleets'));
  afterAll(() => databases.drop());

  const withFleets = (): Promise<unknown> =>
    databases.query(url, "insert into fleets values ('A', ''), ('B', '')");
  const endOthers = `select count(pg_terminate_backend(pid))::integer as ended from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;

  describe('two processes with one database', () => {
    test('that lock the same rows in opposite order come through, and each write counts once', async () => {
      await withFleets();
      // Each deadlock takes the server a second to find, and all of them wait in one line for the same two rows.
      const processes = [backendAt(url, patientLimits), backendAt(url, patientLimits)];
      const outcomes = processes.flatMap((one, index) =>
        Array.from({ length: 5 }, () =>
          one.carryOut(READ_COMMITTED, function* () {
            for (const id of index === 0 ? ['A', 'B'] : ['B', 'A']) yield* run(longerName, { id });
          }),
        ),
      );
      await Promise.all(outcomes);
      expect(await databases.query(url, 'select name from fleets')).toEqual(
        Array.from({ length: 2 }, () => ({ name: '.'.repeat(10) })),
      );
      await Promise.all(processes.map((one) => one.close()));
    });

    test('that decide by what the other one changes do so one after the other', async () => {
      const processes = [backendAt(url), backendAt(url)];
      for (let round = 0; round < 10; round += 1) {
        await databases.query(url, 'delete from fleets');
        await withFleets();
        // Each removes one, as long as the other is there: read side by side, both would.
        await Promise.all(
          processes.map((one, index) =>
            one.carryOut(SERIALIZABLE, function* () {
              if ((yield* all(allFleets, {})).length < 2) return;
              yield* run(removeFleet, { id: index === 0 ? 'A' : 'B' });
            }),
          ),
        );
        expect(await databases.query(url, 'select count(*)::integer as left from fleets')).toEqual([
          { left: 1 },
        ]);
      }
      await Promise.all(processes.map((one) => one.close()));
    });
  });

  describe('a store whose connections are ended', () => {
    test('while calls are under way answers each with its result or StoreFailed, and goes on', async () => {
      const store = await openTestStore(url);
      const seen = { written: [] as string[], failed: 0 };
      let isOver = false;
      let next = 0;
      async function writer(): Promise<void> {
        while (!isOver) {
          next += 1;
          const id = `F${String(next).padStart(6, '0')}`;
          await store.access.saveFleet({ id, name: id }).then(
            () => seen.written.push(id),
            (error: unknown) => {
              expect(error).toBeInstanceOf(StoreFailed);
              seen.failed += 1;
            },
          );
        }
      }
      const writers = Promise.all(Array.from({ length: 5 }, writer));
      // On a busy machine all of them may just be between two calls when they are ended.
      for (let round = 0; round < 5 || (seen.failed === 0 && round < 100); round += 1) {
        const before = seen.written.length;
        await waitUntil(() => seen.written.length > before + 20);
        await databases.query(url, endOthers);
      }
      const before = seen.written.length;
      await waitUntil(() => seen.written.length > before + 20);
      isOver = true;
      await writers;
      expect(seen.failed).toBeGreaterThan(0);
      const there = await databases.query(url, 'select id from fleets');
      const ids = new Set(there.map(({ id }) => id));
      expect(seen.written.filter((id) => !ids.has(id))).toEqual([]);
      await store.close();
    });

    test('while nobody uses them goes on as if nothing had been', async () => {
      const store = await openTestStore(url);
      await store.access.saveFleet({ id: 'F', name: 'before' });
      expect(await databases.query(url, endOthers)).toEqual([{ ended: 1 }]);
      await waitUntil(() =>
        store.access.findFleet('F').then(
          (fleet) => fleet?.name === 'before',
          (error: unknown) => {
            expect(error).toBeInstanceOf(StoreFailed);
            return false;
          },
        ),
      );
      await store.close();
    });

    test('by a network that breaks says so until it is mended', async () => {
      const { hostname, port } = new URL(url);
      const proxy = await startTcpProxy({ host: hostname, port: Number(port || 5432) });
      const through = new URL(url);
      through.host = `127.0.0.1:${proxy.port}`;
      const store = await openTestStore(through.href);
      await store.access.saveFleet({ id: 'F', name: 'before' });
      proxy.cut();
      for (let call = 0; call < 3; call += 1) {
        await expect(store.access.findFleet('F')).rejects.toBeInstanceOf(StoreFailed);
      }
      proxy.mend();
      expect(await store.access.findFleet('F')).toEqual({ id: 'F', name: 'before' });
      await store.close();
      await proxy.close();
    });
  });

  describe('a call that waits', () => {
    const held = async (
      limits: Partial<PostgresLimits>,
      work: (store: Store) => Promise<void>,
    ): Promise<void> => {
      const store = await openTestStore(url, { limits: { ...postgresLimits, ...limits } });
      // It stands still for as long as the test takes.
      const holder = connectionsTo(url, { ...postgresLimits, idleTransactionMs: 0 });
      await holder.use(async (connection) => {
        await connection.command('begin; lock table fleets');
        await work(store);
        await connection.command('commit');
      });
      // With these bounds an attempt may still fail on a busy machine.
      await waitUntil(async () => {
        const found = await store.access.findFleet('F').catch(() => 'failed' as const);
        expect(found === 'failed' || found === undefined).toBe(true);
        return found === undefined;
      });
      await store.close();
      await holder.close();
    };

    test('for a lock for too long fails, and says so', async () => {
      await held({ lockMs: 50 }, async (store) => {
        await expect(store.access.findFleet('F')).rejects.toThrow(/\(55P03\).*lock timeout/);
      });
    });

    test('for a statement that takes too long fails, and says so', async () => {
      await held({ statementMs: 1_000 }, async (store) => {
        await expect(store.access.findFleet('F')).rejects.toThrow(/\(57014\).*statement timeout/);
      });
    });

    test('for a server that does not answer fails, and its connection is given up', async () => {
      await held({ lockMs: 0, statementMs: 0, answerMs: 1_000, connections: 1 }, async (store) => {
        await expect(store.access.findFleet('F')).rejects.toThrow(/read timeout/);
        await expect(store.access.findFleet('F')).rejects.toThrow(/read timeout/);
      });
    });

    test('for a free connection for too long fails', async () => {
      await held({ lockMs: 0, connectMs: 100, connections: 1 }, async (store) => {
        const first = store.access.findFleet('F');
        await expect(store.access.findFleet('F')).rejects.toBeInstanceOf(StoreFailed);
        await databases.query(
          url,
          endOthers.replace('<> pg_backend_pid()', "<> pg_backend_pid() and wait_event_type = 'Lock'"),
        );
        await expect(first).rejects.toBeInstanceOf(StoreFailed);
      });
    });
  });

  test('a process that stands still within a transaction loses it, and with it its locks', async () => {
    const connections = connectionsTo(url, { ...postgresLimits, idleTransactionMs: 50 });
    await expect(
      connections.use(async (connection) => {
        await connection.command('begin; lock table fleets');
        const waiting = `select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`;
        await waitUntil(async () => (await databases.query(url, waiting)).length === 0);
        await connection.command('commit');
      }),
    ).rejects.toMatchObject({ meaning: 'medium' });
    await databases.query(url, 'delete from fleets');
    await connections.close();
  });

  test('a store that is closed waits for the calls under way, and refuses others', async () => {
    const store = await openTestStore(url);
    const underWay = Promise.all(['A', 'B', 'C'].map((id) => store.access.saveFleet({ id, name: id })));
    const closed = store.close();
    await expect(store.access.findFleet('A')).rejects.toThrow('The store is closed.');
    await Promise.all([closed, store.close()]);
    await underWay;
    expect(await databases.query(url, 'select id from fleets order by id')).toEqual(
      ['A', 'B', 'C'].map((id) => ({ id })),
    );
  });
});
