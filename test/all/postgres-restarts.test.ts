import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Store, StoreFailed } from '../../backend/store/port/store.ts';
import { writeMessages } from '../../backend/store/statements/transaction.ts';
import { postgresPrograms, waitUntil, withService } from '../support/run/external-services.ts';
import { type PostgresServer, startPostgresServer } from '../support/sockets/postgres-server.ts';
import { openTestStore } from '../support/store/postgres-databases.ts';
import { openTransactions } from '../support/store/postgres-transactions.ts';
import { outgoingMessage } from '../support/store/store-rows.ts';

/** Writes without a pause until it is stopped, and knows what was answered. */
class Writer {
  readonly written: string[] = [];
  readonly failures: StoreFailed[] = [];
  readonly others: unknown[] = [];
  #isOver = false;
  #last = 0;
  readonly #ends: Promise<void>;

  constructor(store: Store) {
    this.#ends = this.#write(store);
  }

  async #write(store: Store): Promise<void> {
    while (!this.#isOver) {
      this.#last += 1;
      const id = `F${this.#last}`;
      try {
        await store.access.saveFleet({ id, name: id });
        this.written.push(id);
      } catch (error) {
        if (error instanceof StoreFailed) this.failures.push(error);
        else this.others.push(error);
        // The event loop has to see what becomes of the server.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  /** Resolves once this many more have been written, or have failed. */
  async more(what: 'written' | 'failures', count: number): Promise<void> {
    const before = this[what].length;
    await waitUntil(() => this[what].length >= before + count, 30_000);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#ends;
  }
}

await withService(postgresPrograms, (programs) => {
  describe('a store over a server', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgresServer(programs);
    });
    afterAll(() => server.remove());

    test.each([
      ['is restarted', 'SIGINT'],
      ['is killed', 'SIGKILL'],
    ] as const)(
      'that %s fails meanwhile, goes on by itself, and has kept what it was answered',
      async (_, signal) => {
        const store = await openTestStore(server.url());
        const writer = new Writer(store);
        await writer.more('written', 50);
        for (let round = 0; round < 3; round += 1) {
          await server.end(signal);
          await writer.more('failures', 5);
          await server.start();
          await writer.more('written', 50);
        }
        await writer.stop();
        expect(writer.others).toEqual([]);
        for (const id of writer.written) expect(await store.access.findFleet(id)).toEqual({ id, name: id });
        await store.close();
      },
    );

    test('that is killed keeps the marks of sent messages: a publisher that goes on does not look back at them', async () => {
      const store = await openTestStore(server.url());
      const { run, close } = openTransactions(server.url());
      for (let round = 0; round < 5; round += 1) {
        const ids = Array.from({ length: 3 }, (_, index) => `M${round}-${index}`);
        await run(() => writeMessages(ids.map((id) => outgoingMessage(id))));
        const rows = await store.outbox.next({ afterPosition: 0, limit: 10 });
        expect(rows.map(({ messageId }) => messageId)).toEqual(ids);
        await store.outbox.sent(rows.map(({ position }) => position));
        await server.end('SIGKILL');
        await server.start();
        await waitUntil(
          () =>
            store.access.findFleet('F1').then(
              () => true,
              () => false,
            ),
          30_000,
        );
        expect(await store.outbox.next({ afterPosition: 0, limit: 10 })).toEqual([]);
      }
      await close();
      await store.close();
    });

    test('that lost one session by a crash, and all others with it, goes on by itself', async () => {
      const store = await openTestStore(server.url());
      const writer = new Writer(store);
      await writer.more('written', 50);
      // A session that is killed may have left its shared memory in any state: the server starts anew by itself.
      await server.killSession();
      await writer.more('failures', 1);
      await writer.more('written', 50);
      await writer.stop();
      expect(writer.others).toEqual([]);
      await store.close();
    });
  });
});
