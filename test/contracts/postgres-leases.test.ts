import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { partitionLimits } from '../../backend/base/limits.ts';
import { leaseCalls } from '../../backend/store/calls/leases.ts';
import type { Lease } from '../../backend/store/port/lease-store.ts';
import type { Store } from '../../backend/store/port/store.ts';
import { connectionConfig, openConnections } from '../../backend/store/postgres/connections.ts';
import { writeBatch } from '../../backend/store/postgres/ingest/batch-write.ts';
import { postgresLimits } from '../../backend/store/postgres/limits.ts';
import { addressOf } from '../../backend/store/postgres/one-connection.ts';
import { statement, type ValueOf } from '../../backend/store/statements/statement.ts';
import { run, writeMessages } from '../../backend/store/statements/transaction.ts';
import { PARTITIONS } from '../../protocol/partitions.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { postgres, waitUntil, withService } from '../support/run/external-services.ts';
import { openTestStore, patientLimits, testDatabases } from '../support/store/postgres-databases.ts';
import { openTransactions, type Transactions } from '../support/store/postgres-transactions.ts';
import { ingestBatch, outgoingMessage } from '../support/store/store-rows.ts';

/** Long enough for a test. */
const LEASE_MS = 600_000;
/** A lease that has ended by the time that it is given. */
const OVER_MS = 0;

const EMPTY = `delete from backends; delete from outbox; update outbox_positions set messages = 0, bytes = 0;
  update partition_leases set holder = '', fence = 0, expires_ms = 0, is_settled = 1, is_subscribed = 0`;
/** A transaction that carries this out stands still for as long as another session holds the same lock. */
const STAND_STILL = 'select pg_advisory_xact_lock(7, 7)';
const standStill = statement(() => sql.raw(STAND_STILL));
const pause = statement(
  (_, value: ValueOf<{ seconds: number }>) => sql`select pg_sleep(${value('seconds')})`,
);

await withService(postgres, ({ url: serverUrl }) => {
  const databases = testDatabases(serverUrl);
  const blockers: Client[] = [];
  let url: string;
  let store: Store;
  let transactions: Transactions;
  beforeAll(async () => {
    url = await databases.create();
    store = await openTestStore(url, { limits: patientLimits });
    transactions = openTransactions(url);
  });
  beforeEach(() => databases.query(url, EMPTY));
  afterEach(() => Promise.all(blockers.splice(0).map((client) => client.end())));
  afterAll(async () => {
    await transactions.close();
    await store.close();
    await databases.drop();
  });

  /** Another session holds what it has locked with that, until it is told to let go. */
  async function block(locking: string): Promise<() => Promise<unknown>> {
    const client = new Client({ connectionString: url });
    blockers.push(client);
    await client.connect();
    await client.query(`begin; ${locking}`);
    return () => client.query('commit');
  }
  const blockMessagesOf = (partition: number) =>
    block(`select from outbox_positions where partition = ${partition} for update`);

  /** Resolves once so many sessions wait for locks. */
  const waiting = (count: number) =>
    waitUntil(async () => {
      const rows = await databases.query(
        url,
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length === count;
    });

  const look = (backend: string, leaseMs = LEASE_MS) => store.leases.look({ backend, leaseMs });
  const partitionsOf = (leases: readonly Lease[]) => leases.map(({ partition }) => partition);
  const leasesAt = (held: readonly Lease[], ...partitions: readonly number[]): readonly Lease[] =>
    held
      .filter(({ partition }) => partitions.includes(partition))
      .map(({ partition, fence }) => ({ partition, fence }));
  /** A commit under those leases, with a message of the first one's partition. */
  function commit(leases: readonly Lease[]) {
    const [{ partition = 0 } = {}] = leases;
    const messages = [outgoingMessage(`M${partition}`, { partition })];
    return store.ingest.commit(ingestBatch({ leases, messages }));
  }
  /** The look of another process, which stands still at the end of its transaction. */
  const stillLook = (backend: string) =>
    transactions.run(function* () {
      const answer = yield* leaseCalls().look({ backend, leaseMs: LEASE_MS });
      yield* run(standStill, {});
      return answer;
    });

  describe('leases while a commit waits', () => {
    test('are renewed, all of them, and their sessions begin', async () => {
      const { held } = await look('a');
      const release = await blockMessagesOf(48);
      const leases = leasesAt(held, 48, 50);
      const committed = commit(leases);
      await waiting(1);
      expect(await look('a')).toEqual({ held, surplus: 0, backends: 1 });
      for (const lease of leases) {
        const session = await store.leases.beginSession({ backend: 'a', leaseMs: LEASE_MS, lease });
        expect(session).toEqual({ wasSubscribed: false });
        await store.leases.sessionSubscribed(lease);
      }
      await release();
      expect(await committed).toMatchObject({ stale: [], written: [{ messageId: 'M48' }] });
    });

    test('are renewed though calls that wait have all connections', async () => {
      const limits = { ...patientLimits, connections: 2 };
      const busy = await openTestStore(url, { limits });
      const { held } = await busy.leases.look({ backend: 'a', leaseMs: LEASE_MS });
      const release = await blockMessagesOf(5);
      const leases = leasesAt(held, 5);
      const commits = ['M1', 'M2'].map((messageId) =>
        busy.ingest.commit(ingestBatch({ leases, messages: [outgoingMessage(messageId, { partition: 5 })] })),
      );
      await waiting(2);
      expect((await busy.leases.look({ backend: 'a', leaseMs: LEASE_MS })).held).toEqual(held);
      await release();
      expect(await Promise.all(commits)).toMatchObject([{ stale: [] }, { stale: [] }]);
      await busy.close();
    });

    test('are passed on, and taken once that commit has ended', async () => {
      const { held } = await look('a');
      await look('b');
      const release = await blockMessagesOf(48);
      const committed = commit(leasesAt(held, 48));
      await waiting(1);
      await store.leases.release({ backend: 'a', leases: leasesAt(held, 48, 50), isSettled: false });
      expect(partitionsOf((await look('b')).held)).toEqual([50]);
      await store.leases.leave('a');
      expect(partitionsOf((await look('b')).held)).not.toContain(48);
      await release();
      expect(await committed).toMatchObject({ stale: [], written: [{ messageId: 'M48' }] });
      expect((await look('b')).held).toHaveLength(PARTITIONS);
    });

    test('that have ended are taken, but for those of the commit, which is not refused', async () => {
      const { held } = await look('a', OVER_MS);
      const release = await blockMessagesOf(5);
      const committed = commit(leasesAt(held, 5, 7));
      await waiting(1);
      const others = partitionsOf(held).filter((partition) => partition !== 5 && partition !== 7);
      expect(partitionsOf((await look('b')).held)).toEqual(others);
      await release();
      expect(await committed).toMatchObject({ stale: [], written: [{ messageId: 'M5' }] });
      const taken = (await look('b')).held;
      expect(taken.filter(({ isSettled }) => isSettled)).toEqual([]);
      expect(partitionsOf(taken)).toEqual(partitionsOf(held));
    });
  });

  describe('a commit', () => {
    test('waits for a taking that is under way, and is refused then', async () => {
      const { held } = await look('a', OVER_MS);
      const release = await block(STAND_STILL);
      const taken = stillLook('b');
      await waiting(1);
      const committed = commit(leasesAt(held, 5));
      await waiting(2);
      await release();
      await taken;
      expect(await committed).toMatchObject({ lostLeases: [5], settled: [] });
    });

    test.each([
      { what: 'taken', isRenewed: false },
      { what: 'renewed and taken', isRenewed: true },
    ])('is refused where a lease was $what after its statement had begun', async ({ isRenewed }) => {
      const { held } = await look('a', OVER_MS);
      // It locks the leases one after the other: with its view of both it waits for the first.
      const release = await block('select from partition_leases where partition = 3 for update');
      const committed = commit(leasesAt(held, 3, 5));
      await waiting(1);
      const [lease] = leasesAt(held, 5);
      if (isRenewed && lease !== undefined)
        await store.leases.beginSession({ backend: 'a', leaseMs: OVER_MS, lease });
      expect(partitionsOf((await look('b')).held)).toContain(5);
      await release();
      expect(await committed).toMatchObject({ lostLeases: [5], settled: [] });
    });

    test('comes under no number below one that wrote before, however backends take and commit at once', async () => {
      const chance = seededRandom(1).stream('leases');
      const counts = { written: 0, lost: 0 };
      let made = 0;
      const commitSlowly = (leases: readonly Lease[], pauseMs: number) =>
        transactions.run(function* () {
          const { lostLeases } = yield* writeBatch({ leases, boxes: [], records: [] });
          counts[lostLeases.length === 0 ? 'written' : 'lost'] += 1;
          if (lostLeases.length > 0) return;
          yield* run(pause, { seconds: pauseMs / 1_000 });
          const messages = leases.map(({ partition, fence }) => {
            made += 1;
            return outgoingMessage(`M${made}`, { partition, body: String(fence) });
          });
          yield* writeMessages(messages);
        });
      async function backend(name: string): Promise<void> {
        let before: Promise<void> | undefined;
        for (let round = 0; round < 40; round += 1) {
          const { held } = await look(name, OVER_MS);
          const some = partitionsOf(held).filter(() => chance.fraction() < 0.1);
          const committed = commitSlowly(leasesAt(held, ...some), 30 * chance.fraction());
          await before;
          before = committed;
        }
        await before;
      }
      await Promise.all(['a', 'b', 'c'].map(backend));
      const rows = await databases.query(url, 'select partition, body from outbox order by position');
      const last = new Map<unknown, number>();
      for (const { partition, body } of rows) {
        const fence = Number(body);
        expect(fence).toBeGreaterThanOrEqual(last.get(partition) ?? 0);
        last.set(partition, fence);
      }
      expect(Math.min(counts.written, counts.lost, rows.length)).toBeGreaterThan(0);
    });
  });

  describe('a process that stands still within a transaction', () => {
    test('keeps no look of others waiting, though its own is what it was at', async () => {
      await look('a', OVER_MS);
      const release = await block(STAND_STILL);
      const still = stillLook('a');
      await waiting(1);
      expect((await look('b')).held).toEqual([]);
      await release();
      await still;
    });

    test('loses what it has locked to others soon enough', async () => {
      const connections = openConnections(
        connectionConfig(addressOf({ url }), undefined, postgresLimits),
        postgresLimits,
      );
      await look('a', OVER_MS);
      await expect(
        connections.use(async (connection) => {
          await connection.command('begin; select from partition_leases where partition = 5 for key share');
          expect((await look('b')).held).toHaveLength(PARTITIONS - 1);
          await waitUntil(
            async () => (await look('b')).held.length === PARTITIONS,
            partitionLimits.leaseMs - partitionLimits.beatMs,
          );
          await connection.command('commit');
        }),
      ).rejects.toMatchObject({ meaning: 'medium' });
      await connections.close();
    });
  });
});
