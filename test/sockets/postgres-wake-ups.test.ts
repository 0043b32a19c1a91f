import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../backend/store/port/store.ts';
import type { WakeUp } from '../../backend/store/port/wake-ups.ts';
import { postgresLimits } from '../../backend/store/postgres/limits.ts';
import { postgres, waitUntil, withService } from '../support/run/external-services.ts';
import { startTcpProxy } from '../support/sockets/tcp-proxy.ts';
import { openTestStore, testDatabases } from '../support/store/postgres-databases.ts';

const ANYTHING: WakeUp = { kind: 'anything' };
const BULK: WakeUp = { kind: 'bulk' };

await withService(postgres, ({ url: serverUrl }) => {
  const databases = testDatabases(serverUrl);
  let url: string;
  let telling: Store;
  const opened: Store[] = [];
  beforeEach(async () => {
    url = await databases.create();
    telling = await openTestStore(url);
    opened.push(telling);
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  afterAll(() => databases.drop());

  const tell = () => telling.bulk.makeConnectedDueNow(1);
  /** What a store hears from now on. */
  const heardBy = (store: Store): readonly WakeUp[] => {
    const heard: WakeUp[] = [];
    store.listen((wakeUp) => heard.push(wakeUp));
    return heard;
  };

  describe('a store that listens to others', () => {
    test('hears what they commit, and nothing of what it commits itself', async () => {
      const listening = await openTestStore(url);
      opened.push(listening);
      const heard = heardBy(listening);
      await waitUntil(() => heard.length === 1);
      await listening.bulk.makeConnectedDueNow(1);
      await tell();
      await waitUntil(() => heard.length >= 2);
      expect(heard).toEqual([ANYTHING, BULK]);
    });

    test('whose connection has ended hears that anything may have happened, and then everything again', async () => {
      const listening = await openTestStore(url);
      opened.push(listening);
      const heard = heardBy(listening);
      await waitUntil(() => heard.length === 1);
      const ended = await databases.query(
        url,
        `select count(pg_terminate_backend(pid))::integer as ended from pg_stat_activity
          where datname = current_database() and query like 'listen %'`,
      );
      expect(ended).toEqual([{ ended: 1 }]);
      await tell();
      await waitUntil(() => heard.length >= 2);
      await tell();
      await waitUntil(() => heard.length >= 3);
      expect(heard.slice(0, 3)).toEqual([ANYTHING, ANYTHING, BULK]);
    });

    test('notices that its connection is cut off, though nobody has ended it', async () => {
      const { hostname, port } = new URL(url);
      const proxy = await startTcpProxy({ host: hostname, port: Number(port || 5432) });
      const through = new URL(url);
      through.host = `127.0.0.1:${proxy.port}`;
      const limits = { ...postgresLimits, listenCheckMs: 50, answerMs: 200 };
      const listening = await openTestStore(through.href, { limits });
      const heard = heardBy(listening);
      await waitUntil(() => heard.length === 1);
      proxy.hold();
      await tell();
      // Over a connection of its own.
      await waitUntil(() => heard.length >= 2);
      await tell();
      await waitUntil(() => heard.length >= 3);
      expect(heard).toEqual([ANYTHING, ANYTHING, BULK]);
      await listening.close();
      await proxy.close();
    });
  });
});
