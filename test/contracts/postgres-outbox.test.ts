import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type OutboxBounds, outboxLimits } from '../../backend/store/port/outbox-limits.ts';
import type { OutboxRow, OutboxStore, OutgoingMessage } from '../../backend/store/port/outbox-store.ts';
import { outboxCalls } from '../../backend/store/postgres/outbox/outbox.ts';
import { type Transaction, writeMessages } from '../../backend/store/statements/transaction.ts';
import { PARTITIONS } from '../../protocol/partitions.ts';
import { postgres, withService } from '../support/run/external-services.ts';
import { openTestStore, testDatabases } from '../support/store/postgres-databases.ts';
import { openTransactions } from '../support/store/postgres-transactions.ts';
import { ingestBatch, outgoingMessage } from '../support/store/store-rows.ts';
import { type OutboxKit, outboxBoundContract } from './outbox-bound-contract.ts';

const EMPTY = `truncate outbox, outbox_dropped, outbox_drops;
  update outbox_positions set messages = 0, bytes = 0; update outbox_removed set messages = 0, bytes = 0`;

await withService(postgres, ({ url: serverUrl }) => {
  const databases = testDatabases(serverUrl);
  // One for all tests: making one takes longer than most of them.
  let url: string;
  beforeAll(async () => {
    url = await databases.create();
    await (await openTestStore(url)).close();
  });
  afterAll(() => databases.drop());
  const empty = async () => void (await databases.query(url, EMPTY));

  /** The outbox with bounds of a test's own. */
  async function openKit(bounds: OutboxBounds): Promise<OutboxKit> {
    await empty();
    const { run, close } = openTransactions(url, bounds);
    const calls = Object.entries(outboxCalls()).map(([name, call]) => {
      const make = call as (...parameters: readonly unknown[]) => Transaction<unknown>;
      return [name, (...parameters: readonly unknown[]) => run(() => make(...parameters))];
    });
    function* writeInVain(messages: readonly OutgoingMessage[]): Transaction<void> {
      yield* writeMessages(messages);
      throw new Error('in vain');
    }
    return {
      outbox: Object.fromEntries(calls) as OutboxStore,
      write: (messages) => run(() => writeMessages(messages)),
      writeInVain: (messages) => run(() => writeInVain(messages)),
      empty,
      close,
    };
  }
  outboxBoundContract('PostgreSQL', openKit, 10);

  describe('the outbox in PostgreSQL', () => {
    beforeEach(empty);

    test('no reader by partition skips a message, whichever of several writers commits first', async () => {
      const stores = [await openTestStore(url), await openTestStore(url)];
      const [reader] = stores;
      if (reader === undefined) throw new Error('There are two.');
      const partitions = [3, 40, 41];
      let made = 0;
      const message = (index: number): OutgoingMessage => {
        made += 1;
        const partition = partitions[index % partitions.length] ?? 0;
        return outgoingMessage(`M${made}`, { partition, body: 'x'.repeat(2_000) });
      };
      // Each writer's batches have all partitions, in an order of its own, and are of different lengths.
      const write = async (writer: number) => {
        for (let batch = 0; batch < 25; batch += 1) {
          const messages = Array.from({ length: 1 + ((writer + batch) % 7) }, (_, index) =>
            message(index + writer),
          );
          await stores[writer % stores.length]?.ingest.commit(ingestBatch({ messages }));
        }
      };
      let isOver = false;
      const writing = Promise.all([0, 1, 2, 3, 4, 5].map(write)).then(() => {
        isOver = true;
      });
      const found = new Map<number, OutboxRow[]>(partitions.map((partition) => [partition, []]));
      const readOn = async (): Promise<number> => {
        const cursors = partitions.map((partition) => {
          const afterPosition = found.get(partition)?.at(-1)?.position ?? 0;
          return { partition, afterPosition };
        });
        const rows = await reader.outbox.nextByPartition({ cursors, limit: 60 });
        for (const row of rows) found.get(row.partition)?.push(row);
        return rows.length;
      };
      while (!isOver) await readOn();
      await writing;
      while ((await readOn()) > 0);
      const read = [...found.values()].flat();
      expect(read.length).toBe(made);
      expect(new Set(read.map(({ messageId }) => messageId)).size).toBe(made);
      for (const rows of found.values())
        expect(rows.map(({ position }) => position)).toEqual(
          rows.map((_, index) => (rows[0]?.position ?? 0) + index),
        );
      expect((await reader.outbox.size()).messages).toBe(made);
      await Promise.all(stores.map((store) => store.close()));
    });

    test('while several write, mark and drop at once, none fails, and the size stays exact', async () => {
      const bounds = { ...outboxLimits, messages: 40, droppedPerCall: 15 };
      const { run, close } = openTransactions(url, bounds);
      const { next, sent, size, drops } = outboxCalls();
      let made = 0;
      const write = async (writer: number) => {
        for (let batch = 0; batch < 20; batch += 1) {
          const messages = Array.from({ length: 1 + ((writer + batch) % 6) }, (_, index) => {
            made += 1;
            return outgoingMessage(`M${made}`, { partition: (writer * 5 + index * 11) % PARTITIONS });
          });
          await run(() => writeMessages(messages));
        }
      };
      const mark = async (every: number) => {
        for (let group = 0; group < 20; group += 1) {
          const rows = await run(() => next({ afterPosition: 0, limit: 30 }));
          const marked = rows.filter((_, index) => index % every === 0).toReversed();
          await run(() => sent(marked.map(({ position }) => position)));
        }
      };
      await Promise.all([write(0), write(1), write(2), write(3), mark(2), mark(3)]);
      const [count] = await databases.query(
        url,
        'select count(*)::integer as messages, coalesce(sum(octet_length(body)), 0)::integer as bytes from outbox',
      );
      expect(await run(size)).toMatchObject({ messages: count?.['messages'], bytes: count?.['bytes'] });
      expect((await run(drops)).reduce((sum, { messages }) => sum + messages, 0)).toBeGreaterThan(0);
      await close();
    });

    test('a writer of a partition waits for the one before it, and one of another partition does not', async () => {
      const store = await openTestStore(url);
      const held = new Client({ connectionString: url });
      await held.connect();
      const [taken] = await databases.query(
        url,
        'select last_position + 1 as position from outbox_positions where partition = 5',
      );
      await held.query(
        'begin; update outbox_positions set last_position = last_position + 1 where partition = 5',
      );
      const done: string[] = [];
      const write = async (messageId: string, partition: number) => {
        await store.ingest.commit(ingestBatch({ messages: [outgoingMessage(messageId, { partition })] }));
        done.push(messageId);
      };
      const first = write('M1', 5);
      await write('M2', 6);
      expect(done).toEqual(['M2']);
      await held.query('commit');
      await first;
      const [row] = await store.outbox.next({ afterPosition: 0, limit: 10 });
      expect(row).toMatchObject({ messageId: 'M1', position: Number(taken?.['position']) + 1 });
      await held.end();
      await store.close();
    });

    test('every partition has a first message', async () => {
      const store = await openTestStore(url);
      const messages = Array.from({ length: PARTITIONS }, (_, partition) =>
        outgoingMessage(`M${partition}`, { partition }),
      );
      await store.ingest.commit(ingestBatch({ messages }));
      const cursors = messages.map(({ partition }) => ({ partition, afterPosition: 0 }));
      const rows = await store.outbox.nextByPartition({ cursors, limit: 1 });
      expect(rows.map(({ messageId, partition }) => [messageId, partition])).toEqual(
        messages.map(({ messageId, partition }) => [messageId, partition]),
      );
      await store.outbox.sent(rows.map(({ position }) => position));
      expect(await store.outbox.size()).toEqual({ messages: 0, bytes: 0, oldestMs: undefined });
      await store.close();
    });
  });
});
